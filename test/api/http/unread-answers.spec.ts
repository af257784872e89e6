/** Answers that clients do not read. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { endConnections } from '../../../src/api/http/connections.ts';
import { ANSWERS_UNREAD_BYTES } from '../../../src/api/http/limits.ts';
import { boundUnreadAnswers, UnreadAnswers } from '../../../src/api/http/unread-answers.ts';
import { EXPORT_UNREAD_MAX_MS } from '../../../src/limits.ts';
import { until } from '../../support/until.ts';

const ANSWER_BYTES = 8 * 1024 * 1024;
const FITTING = ANSWERS_UNREAD_BYTES.ofCaller / ANSWER_BYTES;

/** A server with large answers, and clients that read nothing until they are resumed. */
const started = async (unread = new UnreadAnswers()) => {
  const app = fastify();
  onTestFinished(() => app.close());
  endConnections(app, { draining: new AbortController().signal });
  boundUnreadAnswers(app, unread);
  app.decorateRequest('caller', null);
  app.addHook('onRequest', (request, _reply, done) => {
    const [id, organisation] = (request.headers['x-caller'] as string).split('@');
    request.caller = { actor: { kind: 'user', id }, organisation } as never;
    done();
  });
  const mayAnswer = Promise.withResolvers<void>();
  app.get('/', async () => Buffer.alloc(ANSWER_BYTES));
  app.get('/slow', async () => {
    await mayAnswer.promise;
    return Buffer.alloc(ANSWER_BYTES);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as { readonly port: number };
  /** Resolves once the answer has begun. */
  const asking = async (caller: string) => {
    const socket = sent('/', caller);
    await once(socket, 'readable');
    return socket;
  };
  const sent = (path: string, caller: string, ends = 'close') => {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {});
    const head = `host: a\r\nx-caller: ${caller}\r\nconnection: ${ends}\r\n`;
    socket.write(`GET ${path} HTTP/1.1\r\n${head}\r\n`);
    return socket;
  };
  return { app, asking, sent, answer: () => mayAnswer.resolve() };
};

/** The bytes of the rest of the answer, once the connection has ended. */
const rest = async (socket: Socket): Promise<number> => {
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => (bytes += chunk.length));
  await once(socket, 'close');
  return bytes;
};

it('cuts the oldest answers of a caller who leaves too much unread, and of no other', async () => {
  const { asking } = await started();
  const other = await asking('b');
  const own: Socket[] = [];
  for (let n = 0; n < FITTING + 2; n += 1) own.push(await asking('a'));
  const read = await Promise.all([...own, other].map(rest));
  const isWhole = read.map((bytes) => bytes >= ANSWER_BYTES);
  expect(isWhole).toEqual([false, false, ...Array.from({ length: FITTING + 1 }, () => true)]);
});

it('counts what a caller leaves unread of several servers', async () => {
  const unread = new UnreadAnswers();
  const [first, second] = [await started(unread), await started(unread)];
  const other = await second.asking('b');
  const oldest = await first.asking('a');
  const own: Socket[] = [];
  for (let n = 0; n < FITTING; n += 1) own.push(await second.asking('a'));
  const read = await Promise.all([oldest, other, ...own].map(rest));
  expect(read.map((bytes) => bytes >= ANSWER_BYTES)).toEqual([false, true, ...own.map(() => true)]);
});

it('cuts the caller who leaves most, where all of them leave too much', async () => {
  const { asking } = await started();
  const few = await asking('few@acme');
  const first = await asking('most@acme');
  const inAll = ANSWERS_UNREAD_BYTES.inAll / ANSWER_BYTES;
  const others: Socket[] = [];
  for (let n = 1; n < FITTING; n += 1) others.push(await asking('most@acme'));
  for (let n = FITTING + 1; n < inAll; n += 1) others.push(await asking(`other@${n % 4}`));
  const last = await asking('last@last');
  const read = await Promise.all([first, few, last, ...others].map(rest));
  expect(read.map((bytes) => bytes >= ANSWER_BYTES)).toEqual([
    false,
    ...read.slice(1).map(() => true),
  ]);
});

it('cuts the caller who leaves most of an organisation that leaves too much', async () => {
  const { asking } = await started();
  const [other, few] = [await asking('other@globex'), await asking('few@acme')];
  const most: Socket[] = [];
  const inAll = ANSWERS_UNREAD_BYTES.ofOrganisation / ANSWER_BYTES;
  for (let n = 0; n < FITTING; n += 1) most.push(await asking('most@acme'));
  for (let n = FITTING + 1; n < inAll; n += 1) most.push(await asking(`more-${n % 2}@acme`));
  const last = await asking('last@acme');
  const read = await Promise.all([...most, other, few, last].map(rest));
  expect(read.map((bytes) => bytes >= ANSWER_BYTES)).toEqual([
    false,
    ...read.slice(1).map(() => true),
  ]);
});

it('does not count answers whose clients have left before', async () => {
  const { app, asking, sent, answer } = await started();
  let arrived = 0;
  let gone = 0;
  app.server.on('request', (_, response) => {
    arrived += 1;
    response.once('close', () => (gone += 1));
  });
  const oldest = await asking('a');
  const left = Array.from({ length: FITTING }, () => sent('/slow', 'a'));
  await until(() => arrived === 1 + FITTING, 'the requests');
  for (const socket of left) socket.destroy();
  await until(() => gone === FITTING, 'the clients to leave');
  answer();
  const last = await asking('a');
  const read = await Promise.all([oldest, last].map(rest));
  expect(read.map((bytes) => bytes >= ANSWER_BYTES)).toEqual([true, true]);
});

it('keeps no count of what was read', async () => {
  const { asking } = await started();
  for (let n = 0; n < 2 * FITTING; n += 1)
    expect(await rest(await asking('a'))).toBeGreaterThanOrEqual(ANSWER_BYTES);
});

it('cuts a connection that takes nothing, and none that waits for its answer', async () => {
  const { app, asking, sent, answer } = await started();
  const unread = await asking('a');
  expect(app.server.timeout).toBe(EXPORT_UNREAD_MAX_MS);
  const connections = new Set<Socket>();
  app.server.on('connection', (socket) => connections.add(socket));
  const second = await asking('a');
  for (const socket of connections) app.server.emit('timeout', socket);
  await until(() => [...connections].every(({ destroyed }) => destroyed), 'the cut');
  expect(await rest(second)).toBeLessThan(ANSWER_BYTES);
  expect(await rest(unread)).toBeGreaterThanOrEqual(ANSWER_BYTES);

  const arrived = once(app.server, 'request');
  const waiting = sent('/slow', 'a');
  const [{ socket }] = await arrived;
  app.server.emit('timeout', socket);
  answer();
  expect(await rest(waiting)).toBeGreaterThanOrEqual(ANSWER_BYTES);
});

it('ends an idle connection', async () => {
  const { app, sent } = await started();
  app.server.keepAliveTimeout = 10;
  app.server.keepAliveTimeoutBuffer = 10;
  const idle = sent('/', 'a', 'keep-alive');
  // Half open, as that of a client who is lost.
  idle.allowHalfOpen = true;
  const [{ socket }] = await once(app.server, 'request');
  idle.resume();
  await once(socket, 'close');
});
