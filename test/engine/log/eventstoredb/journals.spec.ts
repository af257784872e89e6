import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import {
  LOG_APPEND_LEFT_MIN_MS,
  LOG_CALL_TIMEOUT_MS,
  LOG_COMMIT_EVENTS_MAX,
  LOG_GROUPS_AT_ONCE_MAX,
  LOG_GROUPS_IN_ALL_MAX,
} from '../../../../src/engine/limits.ts';
import type { AppendRequest } from '../../../../src/engine/log/backend.ts';
import { LogUnavailable } from '../../../../src/engine/log/event-store.ts';
import type { Outcome } from '../../../../src/engine/log/eventstoredb/append-call.ts';
import { Journals } from '../../../../src/engine/log/eventstoredb/journals.ts';

afterEach(() => vi.restoreAllMocks());

interface Call {
  readonly stream: string;
  readonly size: number;
  readonly withinMs: number;
  readonly answer: () => Promise<void>;
}

/** Calls that the test answers one by one. */
const held = () => {
  const calls: Call[] = [];
  let underWay = 0;
  const journals = new Journals({
    together: (requests: readonly AppendRequest[], withinMs: number) =>
      new Promise<Outcome[]>((resolve) => {
        underWay += 1;
        const answer = async () => {
          underWay -= 1;
          resolve(requests.map(() => ({ revision: 0, position: '1/1', repeated: false })));
          await turn();
        };
        calls.push({ stream: requests[0]!.stream, size: requests.length, withinMs, answer });
      }),
  });
  return { calls, journals, underWay: () => underWay };
};

const used = (organisation: number): AppendRequest => ({
  stream: `keyuse-${organisation}.202608`,
  expected: 'any',
  events: [{ id: randomUUID(), type: 'KeyUsed', data: '{}', meta: '{}' }],
});

it('bounds the concurrent calls per journal and in total, and answers every append', async () => {
  const { calls, journals, underWay } = held();
  const answers = Array.from({ length: 200 }, (_, n) => journals.append(used(n % 50)));
  await turn();
  expect(calls.map(({ size }) => size)).toEqual(Array(LOG_GROUPS_IN_ALL_MAX).fill(4));
  for (let n = 0; n < 5 * LOG_GROUPS_AT_ONCE_MAX; n += 1) {
    answers.push(journals.append(used(0)));
    await turn();
  }
  for (let at = 0; at < calls.length; at += 1) {
    expect(underWay()).toBeLessThanOrEqual(LOG_GROUPS_IN_ALL_MAX);
    const same = calls.slice(at).filter(({ stream }) => stream === used(0).stream);
    expect(same.length).toBeLessThanOrEqual(LOG_GROUPS_AT_ONCE_MAX);
    await calls[at]!.answer();
  }
  expect(await Promise.all(answers)).toHaveLength(200 + 5 * LOG_GROUPS_AT_ONCE_MAX);
  // The appends that arrived at the first journal meanwhile were sent as one batch.
  expect(calls).toHaveLength(51);
});

it('schedules journals fairly: none waits for the whole queue of another', async () => {
  const { calls, journals } = held();
  const many = 4 * LOG_COMMIT_EVENTS_MAX;
  const flood = Array.from({ length: many }, () => journals.append(used(0)));
  const others = Array.from({ length: 2 * LOG_GROUPS_IN_ALL_MAX }, (_, n) =>
    journals.append(used(n + 1)),
  );
  await turn();
  for (let at = 0; at < calls.length; at += 1) await calls[at]!.answer();
  const order = calls.map(({ stream }) => stream);
  expect(order.indexOf(used(2 * LOG_GROUPS_IN_ALL_MAX).stream)).toBeLessThan(
    order.lastIndexOf(used(0).stream),
  );
  expect(order.filter((stream) => stream === used(0).stream)).toHaveLength(4);
  await Promise.all([...flood, ...others]);
});

it('sends a single append at once, and again after it was idle', async () => {
  const { calls, journals } = held();
  for (let n = 0; n < 3; n += 1) {
    const answer = journals.append(used(1));
    await turn();
    expect(calls).toHaveLength(n + 1);
    await calls[n]!.answer();
    await answer;
  }
});

it('batches the appends of a journal that arrive while its calls are under way', async () => {
  const { calls, journals } = held();
  const answers: Promise<unknown>[] = [];
  for (let n = 0; n < LOG_GROUPS_AT_ONCE_MAX + 3; n += 1) {
    answers.push(journals.append(used(1)));
    await turn();
  }
  expect(calls).toHaveLength(LOG_GROUPS_AT_ONCE_MAX);
  for (let at = 0; at < calls.length; at += 1) await calls[at]!.answer();
  expect(calls.at(-1)).toMatchObject({ size: 3 });
  await Promise.all(answers);
});

it('refuses only those appends of a group whose time is over', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const { calls, journals } = held();
  const append = async () => {
    const appended = journals.append(used(1));
    await turn();
    return { appended };
  };
  for (let n = 0; n < LOG_GROUPS_AT_ONCE_MAX; n += 1) await append();
  const late = Promise.allSettled([(await append()).appended]);
  now = LOG_CALL_TIMEOUT_MS - LOG_APPEND_LEFT_MIN_MS;
  const { appended } = await append();
  now += 1;
  await calls[0]!.answer();
  expect(await late).toMatchObject([{ reason: expect.any(LogUnavailable) }]);
  expect(calls.at(-1)).toMatchObject({ size: 1, withinMs: LOG_CALL_TIMEOUT_MS - 1 });
  await calls.at(-1)!.answer();
  expect(await appended).toMatchObject({ revision: 0 });
});
