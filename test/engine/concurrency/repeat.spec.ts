import { expect, it } from 'vitest';
import { repeat } from '../../../src/engine/concurrency/repeat.ts';
import { Signal } from '../../../src/engine/concurrency/signal.ts';

const LONG_MS = 3_600_000;

it('starts another pass after a wakeup during a pass', async () => {
  const wakeups = new Signal();
  const ending = new AbortController();
  let passes = 0;
  const work = async () => {
    passes += 1;
    if (passes === 1) wakeups.wake();
    else ending.abort();
    return LONG_MS;
  };
  await repeat(work, { signal: ending.signal, failed: () => {}, wakeups });
  expect(passes).toBe(2);
});

it('continues after failures, and ends with an error of their handler', async () => {
  const { signal } = new AbortController();
  const failures: unknown[] = [];
  const work = () => Promise.reject(new Error(`failure ${failures.length}`));
  const failed = (error: unknown) => {
    failures.push(error);
    if (failures.length === 3) throw new Error('enough');
  };
  await expect(repeat(work, { signal, failed, pauseMaxMs: 1 })).rejects.toThrow('enough');
  expect(failures).toEqual([0, 1, 2].map((n) => new Error(`failure ${n}`)));
});

it('reports a pass that fails during a stop, and ends', async () => {
  const ending = new AbortController();
  const work = async () => {
    ending.abort();
    throw new Error('interrupted');
  };
  const failures: unknown[] = [];
  const failed = (error: unknown) => void failures.push(error);
  await repeat(work, { signal: ending.signal, failed });
  expect(failures).toEqual([new Error('interrupted')]);
});
