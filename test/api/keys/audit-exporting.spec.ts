/** Exports of the audit share places. contract.md section 1. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { exportFormatOf } from '../../../src/api/keys/audit-export.ts';
import { answerExporting } from '../../../src/api/keys/audit-exporting.ts';
import { errorAnswers } from '../../../src/api/http/errors.ts';
import type { Caller } from '../../../src/identity/caller.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { fairSemaphore } from '../../../src/engine/concurrency/fair-semaphore.ts';
import type { AuditSelection } from '../../../src/projections/keys/audit-queries.ts';
import type { AuditRow } from '../../../src/projections/keys/key-audit.ts';

/** Exports whose second page is released by the test; those of `endless` have a third one. */
const exporting = async () => {
  const next = Promise.withResolvers<readonly AuditRow[]>();
  const gone = Promise.withResolvers<void>();
  let first: () => Promise<readonly AuditRow[]> = async () => [];
  async function* all({ organisation }: AuditSelection) {
    yield await first();
    yield await next.promise;
    if (organisation === 'endless') await new Promise(() => undefined);
  }
  const app = fastify().setErrorHandler(errorAnswers());
  const exports = fairSemaphore({ ofCaller: 1, ofOrganisation: 2, inAll: 3 });
  const answer = answerExporting(app, { audit: { all }, clock: systemClock, exports });
  app.decorateRequest('caller', null);
  app.get<{ Params: { organisation: string; name: string } }>(
    '/:organisation/:name',
    async (request, reply) => {
      const { organisation, name } = request.params;
      reply.raw.once('close', () => gone.resolve());
      const actor = { kind: 'user', id: name } as const;
      request.caller = { actor, organisation } as Caller;
      return answer(request, reply, exportFormatOf('text/csv')!, {});
    },
  );
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const ask = async (path: string): Promise<IncomingMessage> => {
    const [answered] = (await once(get(`${address}${path}`, { agent: false }), 'response')) as [
      IncomingMessage,
    ];
    onTestFinished(() => void answered.on('error', () => undefined).destroy());
    return answered;
  };
  const refusedWith = async (path: string) => {
    const answered = await ask(path);
    expect(Number(answered.headers['retry-after'])).toBeGreaterThan(0);
    return [answered.statusCode, JSON.parse(await textOf(answered)).code];
  };
  return {
    ask,
    refusedWith,
    next,
    gone,
    fail(error: Error) {
      first = async () => {
        first = async () => [];
        throw error;
      };
    },
  };
};

it('the number is bounded per caller, per organisation and in total', async () => {
  const { ask, refusedWith } = await exporting();
  expect((await ask('/acme/anna')).statusCode).toBe(200);
  expect(await refusedWith('/acme/anna')).toEqual([429, 'RATE_LIMITED']);
  expect((await ask('/acme/bert')).statusCode).toBe(200);
  expect(await refusedWith('/acme/carl')).toEqual([429, 'RATE_LIMITED']);
  expect((await ask('/globex/anna')).statusCode).toBe(200);
  expect(await refusedWith('/initech/anna')).toEqual([503, 'UNAVAILABLE']);
});

it('a place is free again when the file has been read', async () => {
  const { ask, next } = await exporting();
  next.resolve([]);
  expect(await textOf(await ask('/acme/anna'))).toMatch(/^id,/);
  await expect.poll(async () => (await ask('/acme/anna')).statusCode).toBe(200);
});

it('a slot is free when its reader has disconnected and its page has been read', async () => {
  const { ask, next, gone } = await exporting();
  const left = await ask('/endless/anna');
  left.destroy();
  await gone.promise;
  next.resolve([]);
  await expect.poll(async () => (await ask('/endless/anna')).statusCode).toBe(200);
});

it('an export that does not begin leaves its place', async () => {
  const { ask, fail } = await exporting();
  fail(new Error('no such table'));
  expect((await ask('/acme/anna')).statusCode).toBe(500);
  expect((await ask('/acme/anna')).statusCode).toBe(200);
});
