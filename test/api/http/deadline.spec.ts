/** The deadline of a request, and dependency failures as opposed to bugs. */
import { once } from 'node:events';
import { Readable } from 'node:stream';
import fastify, { type FastifyInstance } from 'fastify';
import { DatabaseError } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerInTime } from '../../../src/api/http/deadline.ts';
import { errorAnswers } from '../../../src/api/http/errors.ts';
import { RETRY_AFTER_S } from '../../../src/api/http/limits.ts';
import { letPass } from '../../support/until.ts';
import { LogUnavailable } from '../../../src/engine/log/event-store.ts';

let app: FastifyInstance;
const answering = (answerMaxMs?: number) => {
  const made = fastify().setErrorHandler(errorAnswers());
  answerInTime(made, answerMaxMs);
  return made;
};
beforeEach(() => {
  app = answering();
});
afterEach(() => app.close());

const never = () => new Promise<never>(() => {});
const TAKEN = 'Connection terminated unexpectedly';

describe('a handler that is late', () => {
  it.each(['GET', 'POST'] as const)(
    'is answered for, to %s, with 503 and Retry-After',
    async (method) => {
      app.route({ method, url: '/', config: { answerMaxMs: 50 }, handler: never });
      const body = method === 'POST' ? { payload: { some: 'body' } } : {};
      const answer = await app.inject({ method, url: '/', ...body });
      expect(answer.statusCode).toBe(503);
      expect(answer.headers['retry-after']).toBe(String(RETRY_AFTER_S));
      expect(answer.json()).toMatchObject({ code: 'UNAVAILABLE' });
    },
  );

  it('does not change the answer when the work ends later', async () => {
    const ends: (() => void)[] = [];
    const later = () => new Promise((resolve) => ends.push(() => resolve({ late: true })));
    const badly = () => new Promise((_, reject) => ends.push(() => reject(new Error('late'))));
    app.get('/well', { config: { answerMaxMs: 20 } }, later);
    app.get('/badly', { config: { answerMaxMs: 20 } }, badly);
    for (const url of ['/well', '/badly']) expect((await app.inject(url)).statusCode).toBe(503);
    for (const end of ends) end();
  });

  it('is not answered for once its answer has begun, whose reader may be slow', async () => {
    async function* slowly() {
      yield 'begun';
      await letPass(150, 'the deadline passes');
      yield ', whole';
    }
    app.get('/', { config: { answerMaxMs: 50 } }, async (_request, reply) =>
      reply.send(Readable.from(slowly())),
    );
    expect((await app.inject('/')).body).toBe('begun, whole');
  });

  it('has its late stream closed, which no caller reads', async () => {
    const stream = Readable.from(['late']);
    const opened = Promise.withResolvers<Readable>();
    app.get('/', { config: { answerMaxMs: 20 } }, () => opened.promise);
    expect((await app.inject('/')).statusCode).toBe(503);
    const closed = once(stream, 'close');
    opened.resolve(stream);
    await closed;
  });

  it("is the server's default on a route without its own", async () => {
    const impatient = answering(50);
    impatient.get('/', never);
    expect((await impatient.inject('/')).json()).toMatchObject({ code: 'UNAVAILABLE' });
    await impatient.close();
  });

  it('is no matter where it answers in time', async () => {
    app.get('/', async () => ({ fine: true }));
    expect((await app.inject('/')).json()).toEqual({ fine: true });
  });
});

describe('a dependency that fails during a request', () => {
  const databaseError = (code: string) =>
    Object.assign(new DatabaseError('text', 4, 'error'), { code });

  it.each([
    ['a lost connection', new Error(TAKEN)],
    [
      'a client that lost it before',
      new Error('Client has encountered a connection error and is not queryable'),
    ],
    ['no connection in time', new Error('timeout expired')],
    ['no answer in time', new Error('Query read timeout')],
    [
      'a socket that is not there',
      Object.assign(new Error('x'), { code: 'ENOENT', syscall: 'connect' }),
    ],
    ['a full disk', databaseError('53100')],
    ['a disk that does not work', databaseError('58030')],
    ['a server that stops', databaseError('57P01')],
    ['a server that starts', databaseError('57P03')],
    ['a server that is a standby', databaseError('25006')],
    ['a lost race for a lock', databaseError('40P01')],
    ['the log', new LogUnavailable('it was closed')],
  ])('%s is a 503 to be repeated', async (_, error) => {
    app.get('/', async () => {
      throw error;
    });
    const answer = await app.inject('/');
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([
      503,
      String(RETRY_AFTER_S),
    ]);
  });

  it.each([
    ['a mistake of ours', new TypeError('x is not a function')],
    ['a statement that is wrong', databaseError('42601')],
  ])('%s is a 500', async (_, error) => {
    app.get('/', async () => {
      throw error;
    });
    expect((await app.inject('/')).statusCode).toBe(500);
  });
});
