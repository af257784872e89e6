/** Unanswered commands kept in the browser for the next page: bounded, and per user. */
import { beforeEach, describe, expect, it } from 'vitest';
import { DRAFT_LENGTH_MAX, DRAFTS_MAX, draftsOf, ownDraft } from '../packages/portal/src/drafts.ts';
import { KEPT_DAYS_MAX } from '../packages/portal/src/kept.ts';
import {
  UNANSWERED_MAX,
  unansweredActions,
  type PageLocks,
  type UnansweredAction,
} from '../packages/portal/src/unanswered.ts';
import { MemoryStorage } from './support/browser/memory-storage.ts';

const DAY_MS = 86_400_000;

/** Locks of one browser: each is held by one at a time. */
const browserLocks = (): PageLocks => {
  const tails = new Map<string, Promise<unknown>>();
  return {
    request(name, _options, held) {
      const next = (tails.get(name) ?? Promise.resolve()).then(held);
      tails.set(name, next);
      return next;
    },
  };
};

const action: UnansweredAction = { failure: 'Not assigned', reason: null, repeat: { id: 'a' } };

describe("the browser's store of unanswered commands", () => {
  let storage: MemoryStorage;
  let now: number;
  const keptIn = () => ({ storage, now: () => now });
  const never = new AbortController().signal;
  beforeEach(() => {
    storage = new MemoryStorage();
    now = 0;
  });

  it('is read by its owner alone, for some days', () => {
    draftsOf(['ana', 'acme'], keptIn()).write('note', 'typed');
    expect(draftsOf(['ana', 'acme'], keptIn()).read('note')?.content).toBe('typed');
    expect(draftsOf(['bob', 'acme'], keptIn()).read('note')).toBeNull();
    expect(draftsOf(['ana', 'globex'], keptIn()).read('note')).toBeNull();
    now = KEPT_DAYS_MAX * DAY_MS + 1;
    expect(draftsOf(['ana', 'acme'], keptIn()).read('note')).toBeNull();
  });

  it('is bounded: the oldest is evicted, and one that is too long is not kept', () => {
    const drafts = draftsOf(['ana', 'acme'], keptIn());
    for (now = 0; now < DRAFTS_MAX + 5; now += 1) drafts.write(`note ${now}`, 'typed');
    expect(drafts.names()).toHaveLength(DRAFTS_MAX);
    expect(drafts.read('note 4')).toBeNull();
    expect(drafts.read('note 5')).not.toBeNull();
    expect(drafts.write('note 5', 'x'.repeat(DRAFT_LENGTH_MAX))).toBe('too-long');
    expect(drafts.read('note 5')).toBeNull();
  });

  describe('in a full storage', () => {
    /** A storage with room for some characters. */
    const withRoom = (characters: number) => {
      const { setItem } = storage;
      storage.setItem = (key, value) => {
        const others = [...storage.values].filter(([other]) => other !== key);
        const used = [...others, [key, value]].flat().join('').length;
        if (used > characters) throw new DOMException('', 'QuotaExceededError');
        setItem(key, value);
      };
    };
    const drafts = () => draftsOf(['ana', 'acme'], keptIn());
    const long = 'x'.repeat(1_000);

    it('keeps a draft in place of the oldest drafts, and evicts none for an action', () => {
      withRoom(4_000);
      for (now = 0; now < 5; now += 1) expect(drafts().write(`note ${now}`, long)).toBe('kept');
      expect(drafts().names().toSorted()).toEqual(['note 2', 'note 3', 'note 4']);
      const ended = new AbortController();
      const records = unansweredActions(['ana', 'acme'], 'page', ended.signal, undefined, keptIn());
      records.keep('1', { ...action, failure: long });
      expect(drafts().names().toSorted()).toEqual(['note 2', 'note 3', 'note 4']);
      expect(storage.length).toBe(3);
    });

    it('hands an action over that has no room twice', async () => {
      const locks = browserLocks();
      const ended = new AbortController();
      const first = unansweredActions(['ana', 'acme'], 'first', ended.signal, locks, keptIn());
      first.keep('1', { ...action, failure: long });
      withRoom(2_000);
      const next = unansweredActions(['ana', 'acme'], 'next', never, locks, keptIn());
      const found: string[] = [];
      next.takeOver((id) => found.push(id), never);
      ended.abort();
      await expect.poll(() => found).toHaveLength(1);
      expect(storage.length).toBe(1);
    });

    it('keeps no draft where another tab takes the room meanwhile, and does not fail', () => {
      drafts().write('note 1', long);
      storage.setItem('of another program', long);
      const { removeItem } = storage;
      storage.removeItem = (key) => {
        removeItem(key);
        storage.values.set('of another tab', long);
      };
      withRoom(2_200);
      expect(drafts().write('note 2', long + long)).toBe('no-room');
    });

    it('is not kept where drafts leave it no room, and these stay', () => {
      drafts().write('note 1', 'typed');
      storage.setItem('of another program', long);
      withRoom(1_200);
      expect(drafts().write('note 2', 'typed')).toBe('kept');
      expect(drafts().write('note 2', long)).toBe('no-room');
      expect(drafts().names()).toEqual(['note 1']);
    });
  });

  it('is not overwritten or removed by the same form in another tab', () => {
    const open = () =>
      ownDraft<{ readonly commandId: string }>(draftsOf(['ana', 'acme'], keptIn()), 'note');
    const typed = (text: string) => ({ commandId: text });
    const [first, second] = [open(), open()];
    first.write(typed('a'));
    first.write(typed('ab'));
    second.remove();
    expect(open().found?.content).toEqual(typed('ab'));
    second.write(typed('x'));
    second.write(typed('xy'));
    expect(open().found?.content).toEqual(typed('ab'));
    // The next page has the one that is left.
    first.remove();
    const next = open();
    expect(next.found?.content).toEqual(typed('xy'));
    next.write(typed('xyz'));
    next.remove();
    expect(storage.length).toBe(0);
  });

  describe('of actions without an answer', () => {
    const openPage = (locks: PageLocks, page: string, owner = 'ana') => {
      const ended = new AbortController();
      const records = unansweredActions([owner, 'acme'], page, ended.signal, locks, keptIn());
      const found: string[] = [];
      records.takeOver((id, { failure }) => found.push(`${id} ${failure}`), never);
      return { records, found, end: () => ended.abort() };
    };

    it('is reported once, by one page, and only after the page has ended', async () => {
      const locks = browserLocks();
      const first = openPage(locks, 'first');
      first.records.keep('1', action);
      const [second, third] = [openPage(locks, 'second'), openPage(locks, 'third')];
      const stranger = openPage(locks, 'stranger', 'bob');
      expect([...second.found, ...third.found]).toEqual([]);
      first.end();
      await expect.poll(() => second.found.length + third.found.length).toBe(1);
      second.end();
      third.end();
      const fourth = openPage(locks, 'fourth');
      await expect.poll(() => fourth.found).toHaveLength(1);
      fourth.records.forget(fourth.found[0]!.split(' ', 1)[0]!);
      expect(storage.length).toBe(0);
      expect(stranger.found).toEqual([]);
    });

    it('is bounded', () => {
      const { records } = openPage(browserLocks(), 'first');
      for (now = 0; now < UNANSWERED_MAX + 5; now += 1) records.keep(String(now), action);
      expect(storage.length).toBe(UNANSWERED_MAX);
    });
  });
});
