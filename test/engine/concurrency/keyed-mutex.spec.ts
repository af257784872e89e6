import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LogUnavailable } from '../../../src/engine/log/event-store.ts';
import { keyedMutex } from '../../../src/engine/concurrency/keyed-mutex.ts';

describe('a keyed mutex', () => {
  it('runs one task of a key at a time, in FIFO order, whatever their outcomes', () =>
    fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.record({ key: fc.constantFrom('a', 'b', 'c'), fails: fc.boolean() })),
        async (scheduler, tasks) => {
          const mutex = keyedMutex();
          const running = new Set<string>();
          const [arrived, ran]: [number[], number[]] = [[], []];
          const run = async ({ key, fails }: (typeof tasks)[number], index: number) => {
            await scheduler.schedule(Promise.resolve());
            arrived.push(index);
            return mutex.run(key, async () => {
              expect(running.has(key)).toBe(false);
              running.add(key);
              ran.push(index);
              await scheduler.schedule(Promise.resolve());
              running.delete(key);
              if (fails) throw new Error(`task ${index}`);
              return index;
            });
          };
          const outcomes = await scheduler.waitFor(Promise.allSettled(tasks.map(run)));
          expect(
            outcomes.map((one) =>
              one.status === 'fulfilled' ? one.value : (one.reason as Error).message,
            ),
          ).toEqual(tasks.map(({ fails }, index) => (fails ? `task ${index}` : index)));
          for (const key of ['a', 'b', 'c']) {
            const isOfKey = (index: number) => tasks[index]!.key === key;
            expect(ran.filter(isOfKey)).toEqual(arrived.filter(isOfKey));
          }
        },
      ),
    ));

  it('runs tasks of different keys concurrently, and is idle when all have ended', async () => {
    const mutex = keyedMutex();
    const held = Promise.withResolvers<void>();
    const first = mutex.run('a', () => held.promise);
    expect(await mutex.run('b', async () => 'b')).toBe('b');
    let isIdle = false;
    const idle = mutex.idle().then(() => (isIdle = true));
    await new Promise(setImmediate);
    expect(isIdle).toBe(false);
    held.resolve();
    await Promise.all([first, idle]);
  });

  it('rejects all queued tasks when the log is unavailable, then starts anew', async () => {
    const mutex = keyedMutex();
    const away = new LogUnavailable('gone');
    const queued = [
      mutex.run('a', () => Promise.reject(away)),
      ...Array.from({ length: 3 }, () => mutex.run('a', () => Promise.resolve('never'))),
    ];
    const outcomes = await Promise.allSettled(queued);
    expect(outcomes).toEqual(outcomes.map(() => ({ status: 'rejected', reason: away })));
    expect(await mutex.run('a', () => Promise.resolve('again'))).toBe('again');
  });
});
