import { setImmediate as turn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { generatorThreads, type GeneratorThreads } from '../../src/hosting/generator-threads.ts';
import { THREAD_IDLE_MAX_MS } from '../../src/engine/limits.ts';
import { until } from '../support/until.ts';

let threads: GeneratorThreads;
/** The running threads. */
const running = new Set<Worker>();
const started = (worker: Worker) => {
  running.add(worker);
  worker.on('exit', () => running.delete(worker));
};

beforeEach(() => {
  threads = generatorThreads(new URL('./echo-thread.ts', import.meta.url));
  process.on('worker', started);
});
afterEach(async () => {
  vi.useRealTimers();
  process.off('worker', started);
  await threads.stop();
});

const run = async (what = 'at-once', signal = new AbortController().signal) => {
  const outcome = await threads.run({ databaseUrl: `postgres://127.0.0.1/${what}` }, signal);
  return outcome.type === 'done' ? outcome.result : null;
};

it('runs consecutive tasks in one thread, and concurrent ones in parallel', async () => {
  const first = await run();
  expect(await run()).toBe(first);
  expect(new Set(await Promise.all([run(), run()])).size).toBe(2);
});

it('prepares one thread, which runs the next task', async () => {
  threads.prepare();
  threads.prepare();
  await turn();
  expect(running.size).toBe(1);
  await run();
  expect(running.size).toBe(1);
});

it('ends an idle thread after its idle time', async () => {
  vi.useFakeTimers();
  const first = await run();
  vi.advanceTimersByTime(THREAD_IDLE_MAX_MS - 1);
  expect(await run()).toBe(first);
  vi.advanceTimersByTime(THREAD_IDLE_MAX_MS);
  vi.useRealTimers();
  await until(() => running.size === 0, 'the end of the thread');
});

it('ends the thread of an aborted task', async () => {
  const ending = new AbortController();
  const outcome = run('never', ending.signal);
  await turn();
  expect(running.size).toBe(1);
  ending.abort();
  await expect(outcome).rejects.toThrow('the thread ended');
  expect(running.size).toBe(0);
});

it('starts another thread after one that exited', async () => {
  await expect(run('exit')).rejects.toThrow('the thread ended');
  expect(await run()).toEqual(expect.any(Number));
});

it('ends its threads when it is stopped, and keeps none afterwards', async () => {
  const late = run();
  threads.prepare();
  await turn();
  expect(running.size).toBe(2);
  await threads.stop();
  expect(running.size).toBe(1);
  await late;
  threads.prepare();
  await turn();
  expect(running.size).toBe(0);
});
