/** Advancing a clock, against a server with scripted answers. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createAtrium } from '../../packages/sdk/src/index.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const [now, target] = ['2026-03-01T12:00:00.000Z', '2027-03-02T12:00:00.000Z'];

interface Answer {
  readonly status: number;
  readonly body: object;
}
const reached = { status: 200, body: { now: target } };
const accepted = { status: 202, body: { now, target } };
const advancing = { status: 200, body: { now, target, state: 'advancing' } };
const stopped = { status: 200, body: { now, target, state: 'stopped' } };

/** Answers each request with the next of these, and the last one again; `null` is no answer. */
const serving = (...answers: readonly (Answer | null)[]) => {
  const requests: Request[] = [];
  const atrium = createAtrium({
    url: 'http://atrium.test',
    token: 't',
    retries: 0,
    fetch: async (request) => {
      const answer = answers[Math.min(requests.push(request), answers.length) - 1];
      if (!answer) throw new TypeError('fetch failed');
      return Response.json(answer.body, { status: answer.status });
    },
  });
  const methods = () => requests.map(({ method }) => method);
  return { requests, methods, clock: atrium.clock };
};

it('resolves with the first answer where the target is reached', async () => {
  const { clock, requests } = serving(reached);
  expect(await clock.advance('P1D')).toBe(target);
  expect(await requests[0]!.json()).toEqual({ advance: 'P1D' });
});

it('polls every five seconds after a 202, until the target is reached', async () => {
  const { clock, methods } = serving(accepted, advancing, advancing, reached);
  const seen: (string | undefined)[] = [];
  const onProgress = (time: { target?: string }) => void seen.push(time.target);
  const advanced = clock.advance('P366D', { onProgress });
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await advanced).toBe(target);
  expect(methods()).toEqual(['POST', 'GET', 'GET', 'GET']);
  expect(seen).toEqual([target, target, target, undefined]);
});

it('polls through an outage of the server, for up to a minute', async () => {
  const away = Array.from({ length: 6 }, () => null);
  const { clock, methods } = serving(accepted, ...away, stopped, reached);
  const advanced = clock.advance('P366D');
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await advanced).toBe(target);
  expect(methods()).toEqual(['POST', ...away.map(() => 'GET'), 'GET', 'POST']);

  const failed = serving(accepted, null)
    .clock.advance('P366D')
    .catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(65_000);
  expect(await failed).toMatchObject({ name: 'AtriumUnreachableError' });
});

it('asks for a stopped advance again, under the same key', async () => {
  const { clock, requests, methods } = serving(accepted, stopped, reached);
  const advanced = clock.advance('P366D');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await advanced).toBe(target);
  expect(methods()).toEqual(['POST', 'GET', 'POST']);
  const keys = requests.map(({ headers }) => headers.get('idempotency-key'));
  expect(keys[2]).toBe(keys[0]);
});

it('is one advance when it is called again with the same key', async () => {
  const { clock, requests } = serving(null, reached);
  await expect(clock.advance('P1D', { idempotencyKey: 'k' })).rejects.toThrow('fetch failed');
  expect(await clock.advance('P1D', { idempotencyKey: 'k' })).toBe(target);
  const keys = requests.map(({ headers }) => headers.get('idempotency-key'));
  expect(keys).toEqual(['k', 'k']);
});
