import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { Signal } from '../../../src/engine/concurrency/signal.ts';

const never = () => new AbortController().signal;

it('loses no wakeup, whenever it comes between a read and the wait after it', () =>
  fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.integer({ min: 1, max: 10 }), async (scheduler, items) => {
      const changed = new Signal();
      let produced = 0;
      let consumed = 0;
      const produce = async () => {
        for (let item = 0; item < items; item += 1) {
          await scheduler.schedule(Promise.resolve());
          produced += 1;
          changed.wake();
        }
      };
      const consume = async () => {
        while (consumed < items) {
          const seen = changed.count;
          const found = produced;
          await scheduler.schedule(Promise.resolve());
          if (found === consumed) await changed.after(seen, never(), 60_000);
          consumed = found;
        }
      };
      await scheduler.waitFor(Promise.all([produce(), consume()]));
      expect(consumed).toBe(items);
    }),
  ));

it('ends a wait by a wakeup, an abort or its timeout, and wakes all waiting callers', async () => {
  const changed = new Signal();
  const waits = [1, 2].map(() => changed.after(changed.count, never(), 60_000));
  changed.wake();
  await Promise.all(waits);

  const abort = new AbortController();
  const aborted = changed.after(changed.count, abort.signal, 60_000);
  abort.abort();
  await aborted;
  await changed.after(changed.count, abort.signal, 60_000);
  await changed.after(changed.count, never(), 1);
});
