import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  NoPermit,
  fairSemaphore,
  type PermitHolder,
} from '../../../src/engine/concurrency/fair-semaphore.ts';

const anna: PermitHolder = { caller: 'anna', organisation: 'acme' };
const bert: PermitHolder = { caller: 'bert', organisation: 'acme' };
const carl: PermitHolder = { caller: 'carl', organisation: 'acme' };
const zoe: PermitHolder = { caller: 'zoe', organisation: 'globex' };
const operator: PermitHolder = { caller: 'operator', organisation: null };

const bounds = { ofCaller: 1, ofOrganisation: 2, inAll: 3 };
const lacking = (of: NoPermit['of']) => expect.objectContaining({ name: 'NoPermit', of });

describe('a fair semaphore', () => {
  it('bounds the permits of a caller, of an organisation and in total', async () => {
    const shared = fairSemaphore(bounds);
    await shared.acquire(anna);
    await expect(shared.acquire(anna)).rejects.toEqual(lacking('caller'));
    await shared.acquire(bert);
    await expect(shared.acquire(carl)).rejects.toEqual(lacking('organisation'));
    await shared.acquire(zoe);
    await expect(shared.acquire(operator)).rejects.toEqual(lacking('all'));
  });

  it('distinguishes callers of the same name in two organisations', async () => {
    const shared = fairSemaphore(bounds);
    await shared.acquire(anna);
    await expect(shared.acquire({ ...anna, organisation: 'globex' })).resolves.toBeTypeOf(
      'function',
    );
  });

  it('ignores a second release of a permit', async () => {
    const shared = fairSemaphore({ ...bounds, ofOrganisation: 1 });
    const release = await shared.acquire(anna);
    release();
    release();
    await shared.acquire(bert);
    await expect(shared.acquire(anna)).rejects.toEqual(lacking('organisation'));
  });

  it('serves waiting callers in FIFO order, skipping those at their own bound', async () => {
    const shared = fairSemaphore({ ...bounds, waitMs: 60_000 });
    const release = await shared.acquire(anna);
    await shared.acquire(bert);
    const came: string[] = [];
    const note = (name: string) => (free: () => void) => {
      came.push(name);
      return free;
    };
    const again = shared.acquire(anna).then(note('anna'));
    const third = shared.acquire(carl).then(note('carl'));
    // One permit is left in total, but none for acme: a caller of globex overtakes.
    await shared.acquire(zoe).then(note('zoe'));
    release();
    (await again)();
    await third;
    expect(came).toEqual(['zoe', 'anna', 'carl']);
  });

  it('bounds the wait, and the waiting callers of an organisation', async () => {
    const shared = fairSemaphore({ ...bounds, ofOrganisation: 1, waitMs: 1 });
    await shared.acquire(anna);
    const waits = Array.from({ length: 21 }, () => shared.acquire(bert));
    const settled = await Promise.allSettled(waits);
    expect(settled.map(({ status }) => status)).toEqual(Array(21).fill('rejected'));
    await expect(shared.acquire(bert)).rejects.toEqual(lacking('organisation'));
  });

  it('grants no permit to a caller whose wait was aborted', async () => {
    const shared = fairSemaphore({ ...bounds, waitMs: 60_000 });
    const release = await shared.acquire(anna);
    const gone = new AbortController();
    const left = shared.acquire(anna, gone.signal);
    gone.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    await expect(shared.acquire(anna, gone.signal)).rejects.toThrow('gone');
    release();
    await expect(shared.acquire(anna)).resolves.toBeTypeOf('function');
  });

  it('keeps every bound, and no caller within its bounds waits', () =>
    fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.constantFrom(anna, bert, carl, zoe, operator), { maxLength: 20 }),
        async (scheduler, holders) => {
          const shared = fairSemaphore({ ...bounds, waitMs: 60_000 });
          const held: PermitHolder[] = [];
          const waiting: PermitHolder[] = [];
          const isWithinBounds = (one: PermitHolder, others: readonly PermitHolder[]) =>
            others.length < bounds.inAll &&
            others.filter(({ organisation }) => organisation === one.organisation).length <
              bounds.ofOrganisation &&
            others.filter((other) => other === one).length < bounds.ofCaller;
          const use = async (holder: PermitHolder) => {
            waiting.push(holder);
            const release = await shared.acquire(holder);
            waiting.splice(waiting.indexOf(holder), 1);
            expect(isWithinBounds(holder, held)).toBe(true);
            held.push(holder);
            await scheduler.schedule(Promise.resolve());
            expect(waiting.some((one) => isWithinBounds(one, held))).toBe(false);
            held.splice(held.indexOf(holder), 1);
            release();
            release();
          };
          await scheduler.waitFor(Promise.all(holders.map(use)));
          expect(waiting).toEqual([]);
        },
      ),
    ));
});
