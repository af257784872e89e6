import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { semaphore } from '../../../src/engine/concurrency/semaphore.ts';

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
