import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { consumers } from '../../../src/engine/consumers/runtime.ts';
import type { ConsumerRunner } from '../../../src/engine/consumers/runtime.ts';
import type { Leases } from '../../../src/engine/consumers/leases.ts';
import { workId } from '../../../src/engine/consumers/consumer.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';

const [here, elsewhere] = [workId('here'), workId('elsewhere')];
const stop = new AbortController();

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));

/** Runs both consumers; the leases of `held` are free. */
const running = (held: readonly string[]) => {
  let looks = 0;
  const row = { hasRun: true, isAsked: false, position: null, tablesMissing: false };
  const query = async ({ values: [ids] }: { values: [string[]] }) => {
    looks += 1;
    return { rows: ids.map((consumer) => ({ consumer, ...row })) };
  };
  const leases = {
    hold: (name, run, signal) =>
      held.includes(name) ? run({ epoch: 1, signal }) : aborted(signal),
  } as Partial<Leases> as Leases;
  const platform = consumers({
    log: memoryEventStore(),
    db: { pool: { query } as never },
    leases,
    clock: systemClock,
    logger: loggerOf('silent'),
  });
  const runner = (consumer: typeof here): ConsumerRunner => ({
    consumer,
    run: ({ signal }) => aborted(signal),
  });
  const ended = platform.start([runner(here), runner(elsewhere)], stop.signal);
  const looksIn = async (ms: number) => {
    const before = looks;
    await vi.advanceTimersByTimeAsync(ms);
    return looks - before;
  };
  return { platform, ended, looksIn };
};

it('are polled rarely once all of them are held here and none has had an event', async () => {
  const { platform, looksIn } = running([here, elsewhere]);
  expect(await looksIn(30_000)).toBeGreaterThanOrEqual(30);
  await looksIn(6_000);
  expect(await looksIn(20_000)).toBe(4);
  platform.positions.reached(here, { position: '1', caughtUp: true });
  // One poll at once, and then one a second.
  expect(await looksIn(20_000)).toBe(21);
});

it('are polled every second while another process may hold one of them', async () => {
  const { looksIn } = running([here]);
  await looksIn(40_000);
  expect(await looksIn(20_000)).toBe(20);
});
