import { describe, expect, it } from 'vitest';
import { workId } from '../../../src/engine/consumers/consumer.ts';
import { leasedWorker } from '../../../src/engine/consumers/leased-worker.ts';
import { YieldLease } from '../../../src/engine/consumers/yield-lease.ts';
import { Signal } from '../../../src/engine/concurrency/signal.ts';

const HOUR_MS = 3_600_000;

/** Runs `passes` one after the other, and aborts the lease after the last one. */
const runOf = (passes: readonly ((wakeups: Signal) => Promise<number>)[]) => {
  const events: string[] = [];
  const over = new AbortController();
  const wakeups = new Signal();
  const worker = leasedWorker({
    consumer: workId('sample'),
    logger: { warn: () => void events.push('warned') },
    failure: 'it failed',
    wakeups,
    start() {
      events.push('started');
      return {
        work() {
          const pass = events.filter((event) => event === 'passed').length;
          events.push('passed');
          if (pass === passes.length - 1) over.abort();
          return passes[pass]!(wakeups);
        },
        stop: () => void events.push('stopped'),
      };
    },
  });
  return { events, done: worker.run({ epoch: 1, signal: over.signal }) };
};

describe('a leased worker', () => {
  it('starts once, works until its lease is over, and stops once', async () => {
    const { events, done } = runOf([async () => 0, async () => 1, async () => HOUR_MS]);
    await done;
    expect(events).toEqual(['started', 'passed', 'passed', 'passed', 'stopped']);
  });

  it('loses no wakeup during a pass', async () => {
    const { events, done } = runOf([
      async (wakeups) => {
        wakeups.wake();
        return HOUR_MS;
      },
      async () => HOUR_MS,
    ]);
    await done;
    expect(events.filter((event) => event === 'passed')).toHaveLength(2);
  });

  it('repeats a failed pass', async () => {
    const { events, done } = runOf([() => Promise.reject(new Error('away')), async () => 0]);
    await done;
    expect(events).toEqual(['started', 'passed', 'warned', 'passed', 'stopped']);
  });

  it('stops and yields the lease to others where a pass requires it', async () => {
    const { events, done } = runOf([
      () => Promise.reject(new YieldLease('left to a newer release', 1)),
      async () => 0,
    ]);
    await expect(done).rejects.toThrow(YieldLease);
    expect(events).toEqual(['started', 'passed', 'stopped']);
  });
});
