import { expect, it } from 'vitest';
import { Interrupted } from '../../src/operator/operator-error.ts';
import { requestEnded } from '../../src/operator/request-ended.ts';

const never = new AbortController().signal;
const running = { endedAt: null };
const ended = { endedAt: '2026-03-01T09:00:00.000Z' };

it('looks again until the request has ended', async () => {
  const looks = [running, running, ended];
  const wait = { look: async () => looks.shift(), work: 'it is', signal: never, everyMs: 1 };
  expect(await requestEnded(wait)).toBe(ended);
  expect(looks).toEqual([]);
});

it('is interrupted at once, and not only at the next look', { timeout: 10_000 }, async () => {
  const interrupt = new AbortController();
  const waited = requestEnded({
    look: async () => running,
    work: 'the retry is',
    signal: interrupt.signal,
    between: () => setImmediate(() => interrupt.abort(new Error('interrupted', { cause: 143 }))),
    everyMs: 600_000,
  });
  const ended = await waited.catch((error: unknown) => error);
  expect(ended).toBeInstanceOf(Interrupted);
  expect(ended).toMatchObject({
    message: 'not waited for; the retry is carried out all the same',
    exitCode: 143,
  });
});

it('returns a request that ended before the interruption', async () => {
  const wait = { look: async () => ended, work: 'it is', signal: AbortSignal.abort() };
  expect(await requestEnded(wait)).toBe(ended);
});

it('fails if the request is gone', async () => {
  const wait = { look: async () => null, work: 'it is', signal: never };
  await expect(requestEnded(wait)).rejects.toThrow('no longer exists');
});
