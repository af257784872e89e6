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

describe('places', () => {
  it('are so many for one caller, for one organisation, and in all', async () => {
    const shared = fairSemaphore(bounds);
    await shared.acquire(anna);
    await expect(shared.acquire(anna)).rejects.toEqual(lacking('caller'));
    await shared.acquire(bert);
    await expect(shared.acquire(carl)).rejects.toEqual(lacking('organisation'));
    await shared.acquire(zoe);
    await expect(shared.acquire(operator)).rejects.toEqual(lacking('all'));
  });

  it('tell callers of one name in two organisations apart', async () => {
    const shared = fairSemaphore(bounds);
    await shared.acquire(anna);
    await expect(shared.acquire({ ...anna, organisation: 'globex' })).resolves.toBeTypeOf(
      'function',
    );
  });

  it('are free again when they are given back, however often', async () => {
    const shared = fairSemaphore({ ...bounds, ofOrganisation: 1 });
    const release = await shared.acquire(anna);
    release();
    release();
    await shared.acquire(bert);
    await expect(shared.acquire(anna)).rejects.toEqual(lacking('organisation'));
  });

  it('are waited for in the order of coming, by nobody for those of another', async () => {
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
    // There is a place in all, and none of theirs: who belongs elsewhere passes them.
    await shared.acquire(zoe).then(note('zoe'));
    release();
    (await again)();
    await third;
    expect(came).toEqual(['zoe', 'anna', 'carl']);
  });

  it('are not waited for longer than that, and by so many only', async () => {
    const shared = fairSemaphore({ ...bounds, ofOrganisation: 1, waitMs: 1 });
    await shared.acquire(anna);
    const waits = Array.from({ length: 21 }, () => shared.acquire(bert));
    const settled = await Promise.allSettled(waits);
    expect(settled.map(({ status }) => status)).toEqual(Array(21).fill('rejected'));
    await expect(shared.acquire(bert)).rejects.toEqual(lacking('organisation'));
  });

  it('are not kept for who has gone', async () => {
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
});
