import { describe, expect, it } from 'vitest';
import { NoPlace, places, type Holder } from '../../../src/engine/concurrency/fair-semaphore.ts';

const anna: Holder = { caller: 'anna', organisation: 'acme' };
const bert: Holder = { caller: 'bert', organisation: 'acme' };
const carl: Holder = { caller: 'carl', organisation: 'acme' };
const zoe: Holder = { caller: 'zoe', organisation: 'globex' };
const operator: Holder = { caller: 'operator', organisation: null };

const bounds = { ofCaller: 1, ofOrganisation: 2, inAll: 3 };
const lacking = (of: NoPlace['of']) => expect.objectContaining({ name: 'NoPlace', of });

describe('places', () => {
  it('are so many for one caller, for one organisation, and in all', async () => {
    const shared = places(bounds);
    await shared.take(anna);
    await expect(shared.take(anna)).rejects.toEqual(lacking('caller'));
    await shared.take(bert);
    await expect(shared.take(carl)).rejects.toEqual(lacking('organisation'));
    await shared.take(zoe);
    await expect(shared.take(operator)).rejects.toEqual(lacking('all'));
  });

  it('tell callers of one name in two organisations apart', async () => {
    const shared = places(bounds);
    await shared.take(anna);
    await expect(shared.take({ ...anna, organisation: 'globex' })).resolves.toBeTypeOf('function');
  });

  it('are free again when they are given back, however often', async () => {
    const shared = places({ ...bounds, ofOrganisation: 1 });
    const release = await shared.take(anna);
    release();
    release();
    await shared.take(bert);
    await expect(shared.take(anna)).rejects.toEqual(lacking('organisation'));
  });

  it('are waited for in the order of coming, by nobody for those of another', async () => {
    const shared = places({ ...bounds, waitMs: 60_000 });
    const release = await shared.take(anna);
    await shared.take(bert);
    const came: string[] = [];
    const note = (name: string) => (free: () => void) => {
      came.push(name);
      return free;
    };
    const again = shared.take(anna).then(note('anna'));
    const third = shared.take(carl).then(note('carl'));
    // There is a place in all, and none of theirs: who belongs elsewhere passes them.
    await shared.take(zoe).then(note('zoe'));
    release();
    (await again)();
    await third;
    expect(came).toEqual(['zoe', 'anna', 'carl']);
  });

  it('are not waited for longer than that, and by so many only', async () => {
    const shared = places({ ...bounds, ofOrganisation: 1, waitMs: 1 });
    await shared.take(anna);
    const waits = Array.from({ length: 21 }, () => shared.take(bert));
    const settled = await Promise.allSettled(waits);
    expect(settled.map(({ status }) => status)).toEqual(Array(21).fill('rejected'));
    await expect(shared.take(bert)).rejects.toEqual(lacking('organisation'));
  });

  it('are not kept for who has gone', async () => {
    const shared = places({ ...bounds, waitMs: 60_000 });
    const release = await shared.take(anna);
    const gone = new AbortController();
    const left = shared.take(anna, gone.signal);
    gone.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    await expect(shared.take(anna, gone.signal)).rejects.toThrow('gone');
    release();
    await expect(shared.take(anna)).resolves.toBeTypeOf('function');
  });
});
