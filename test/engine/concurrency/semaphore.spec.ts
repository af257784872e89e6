import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { forEachConcurrently, semaphore } from '../../../src/engine/concurrency/semaphore.ts';

it('grants at most its count of permits, in FIFO order, and ignores a second release', () =>
  fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 0, max: 20 }),
      async (scheduler, count, callers) => {
        const permits = semaphore(count);
        const granted: number[] = [];
        let held = 0;
        const calls = Array.from({ length: callers }, async (_, caller) => {
          const release = await permits.acquire();
          granted.push(caller);
          held += 1;
          expect(held).toBeLessThanOrEqual(count);
          await scheduler.schedule(Promise.resolve());
          held -= 1;
          release();
          release();
        });
        await scheduler.waitFor(Promise.all(calls));
        expect(granted).toEqual(calls.map((_, caller) => caller));
        expect(held).toBe(0);
      },
    ),
  ));

it('skips a caller that gave up its wait, and grants the next one', async () => {
  const permits = semaphore(1);
  const release = await permits.acquire();
  const gone = new AbortController();
  const left = permits.acquire(gone.signal);
  const next = permits.acquire(new AbortController().signal);
  gone.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  release();
  (await next)();
  gone.abort();
  await expect(permits.acquire(gone.signal)).rejects.toThrow('left');
  await permits.run(async () => {});
});

it('bounds the items in progress, works on each once, and ends when all have ended', () =>
  fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.boolean(), { maxLength: 12 }),
      async (scheduler, countMax, failures) => {
        const begun: number[] = [];
        let begunAtFailure: number | null = null;
        let running = 0;
        const work = forEachConcurrently(
          failures.entries(),
          countMax,
          async ([index, isFailure]) => {
            begun.push(index);
            running += 1;
            expect(running).toBeLessThanOrEqual(countMax);
            await scheduler.schedule(Promise.resolve());
            running -= 1;
            if (!isFailure) return;
            begunAtFailure ??= begun.length;
            throw new Error('failed');
          },
        );
        const [outcome] = await scheduler.waitFor(Promise.allSettled([work]));
        expect(running).toBe(0);
        const failed = failures.filter((isFailure) => isFailure).length;
        expect(outcome.status).toBe(failed === 0 ? 'fulfilled' : 'rejected');
        expect(begun).toEqual([...begun.keys()]);
        // After the first failure only items already begun continue.
        expect(begun.length).toBe(begunAtFailure ?? failures.length);
      },
    ),
  ));

it('releases the permit of a task that fails', async () => {
  const permits = semaphore(1);
  await expect(permits.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await permits.run(async () => 'done')).toBe('done');
});
