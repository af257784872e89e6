/**
 * Quick actions: the screen shows the effect at once, and for six seconds it can be undone. An
 * action with a counter-command is sent at once. One without is held for the six seconds and is
 * never sent if it is undone meanwhile; it is sent early when another action on the same record
 * follows, and when the page is hidden or left. A failure restores the screen and is announced.
 * Until it is answered, and its failure is dismissed, the browser keeps a record of it for the
 * page that comes after this one. Where the answer is lost, the outcome is looked up.
 */
import { AtriumError } from '../../sdk/src/problems.ts';
import { AtriumUnreachableError } from '../../sdk/src/unreachable.ts';
import { wordsOf } from './ui/error-words.ts';
import type { UnansweredAction, UnansweredActions } from './unanswered.ts';

/** How long an action can be undone, in milliseconds. */
export const UNDO_MS = 6_000;
/** Actions that can be undone at one time; the oldest is settled early to make room. */
export const UNDOABLE_MAX = 4;
/** Failures that cannot be retried; the notice of the oldest is removed to make room. */
const FAILURES_MAX = 4;
/** Command results cached until a list shows them; the oldest are evicted. */
const ANSWERS_MAX = 2_000;

/** A record with the revision that its `ETag` names. */
export interface Versioned {
  readonly id: string;
  readonly revision: number;
}

/** The newest known version of a record: `item` itself, or the result of a later command. */
export type Latest = <Item extends Versioned>(item: Item) => Item;

export interface QuickAction<Item extends Versioned = Versioned> {
  /** What was done, in the words of the notice: `SR-000004: priority set to high`. */
  readonly words: string;
  /** The beginning of the notice of a failure: `The priority of SR-000004 was not changed`. */
  readonly failure: string;
  /** The records that it changes, as they were shown before. */
  readonly items: readonly Item[];
  /** Optimistic values of each record until the server has answered. */
  readonly shows: Partial<Item>;
  /** The action as plain data, from which another page determines its outcome and retries it. */
  readonly repeat: unknown;
  /**
   * Sends the command with `keepalive: true`, so that it survives the end of the page; its body
   * must be below 64 KiB. Called once, after earlier actions on the same records have settled.
   *
   * @returns the records after the command; those left out are not updated.
   */
  send(latest: Latest): Promise<readonly Item[]>;
  /**
   * Sends the counter-command. Absent if there is none: then `send` is held.
   *
   * @param sent The records that `send` returned.
   */
  revert?(sent: readonly Item[], latest: Latest): Promise<readonly Item[]>;
}

export interface ActionNotice {
  readonly key: number;
  readonly words: string;
  readonly canUndo: boolean;
  /** Whether its command is still to be sent or answered. */
  readonly isPending: boolean;
  /** The label of the button that retries it; `null`: it cannot be retried. */
  readonly repeatWords: string | null;
  /** Whether it is running and can be stopped. */
  readonly canStop: boolean;
  readonly error?: unknown;
  /** When it was begun, in milliseconds since 1970. */
  readonly begunAt?: number;
}

/** An action without an answer that did not succeed. */
export interface FailedAction {
  /** The id of its stored record. */
  readonly id: string;
  readonly failure: string;
  readonly error: unknown;
  /** Retries the action; absent if it cannot be retried. */
  readonly repeat?: Repeat;
  /** When it was begun: its retry may overwrite what others have done since. */
  readonly begunAt?: number | undefined;
}

/** A stored action that is running again. */
export interface RunningAction {
  /** The id of its stored record. */
  readonly id: string;
  /** Its progress: `Priority high: 2 of 5 tickets`. */
  readonly words: string;
  readonly stop: () => void;
}

interface Repeat {
  /** The label of its button: `Do it again`. */
  readonly words: string;
  readonly run: () => void;
}

export interface QuickActions {
  readonly act: <Item extends Versioned>(action: QuickAction<Item>) => void;
  /** @param key Of the notice. Default: the latest. @returns whether an action could be undone. */
  readonly undo: (key?: number) => boolean;
  readonly dismiss: (key: number) => void;
  /** Stores an action until it is answered, for the page that comes after this one. */
  readonly keep: UnansweredActions['keep'];
  /** Has the outcome of a stored action determined whose answer was lost. */
  readonly lookUp: LookUp;
  /** Announces a stored action that has failed, and offers a retry. */
  readonly report: (failed: FailedAction) => void;
  /** Shows the progress of a stored action, until it is reported or forgotten. */
  readonly showRunning: (running: RunningAction) => void;
  readonly stop: (key: number) => void;
  /** Retries a reported action. */
  readonly repeat: (key: number) => void;
  /**
   * Deletes the record and the notice of an action that is known to have succeeded.
   *
   * @param items The records after it.
   */
  readonly forget: (id: string, items?: readonly Versioned[]) => void;
  /** Keeps the notices while one of them is pointed at or focused. */
  readonly pause: (isPaused: boolean) => void;
  /** Sends every held command and waits until all commands in flight have settled. */
  readonly flush: () => Promise<void>;
  /** The record with the effects of pending actions and with newer command results. */
  readonly shown: Latest;
  readonly notices: () => readonly ActionNotice[];
  readonly subscribe: (listener: () => void) => () => void;
}

type LookUp = (id: string, action: UnansweredAction) => void;

interface Entry {
  readonly key: number;
  /** The id of its stored record. */
  readonly id: string;
  readonly action: Pick<QuickAction, 'words' | 'failure' | 'items' | 'shows' | 'revert'>;
  readonly repeat?: Repeat;
  readonly stop?: () => void;
  readonly begunAt?: number;
  readonly begin: (isToBeSent: boolean) => void;
  phase: 'held' | 'sending' | 'done' | 'reverting' | 'undone' | 'failed';
  isUndoable: boolean;
  words: string;
  error: unknown;
  answered: Promise<readonly Versioned[]>;
  timer: ReturnType<typeof setTimeout> | undefined;
}

const NOT_KNOWN = 'it is not known whether this was done, because the server did not answer.';

/** The optimistic values of a record while the entry's command is pending. */
const effectOf = ({ phase, action: { items, shows } }: Entry, id: string): object => {
  const before = items.find((item) => item.id === id);
  if (before === undefined) return {};
  if (phase === 'held' || phase === 'sending') return shows;
  if (phase !== 'reverting') return {};
  const names = Object.keys(shows) as (keyof Versioned)[];
  return Object.fromEntries(names.map((name) => [name, before[name]]));
};

/** Command results that override a list until it has the same revision. */
const answersOf = () => {
  const answers = new Map<string, Versioned>();
  return {
    remember(items: readonly Versioned[]) {
      for (const item of items) {
        if ((answers.get(item.id)?.revision ?? -1) > item.revision) continue;
        answers.delete(item.id);
        answers.set(item.id, item);
      }
      for (const id of answers.keys()) {
        if (answers.size <= ANSWERS_MAX) break;
        answers.delete(id);
      }
    },
    latest<Item extends Versioned>(item: Item): Item {
      const answer = answers.get(item.id);
      if (answer === undefined || answer.revision <= item.revision) return item;
      return { ...item, ...answer };
    },
  };
};

/** The server may have executed the command: the connection or a proxy on the way has failed. */
const isAnswerLost = (error: unknown): boolean =>
  error instanceof AtriumUnreachableError || (AtriumError.is(error) && error.status >= 502);

/**
 * @param records Stores each action until it is answered.
 * @param lookUp Ends in `forget` or `report`.
 */
export const createQuickActions = (
  records: Pick<UnansweredActions, 'keep' | 'forget'>,
  lookUp: LookUp,
): QuickActions => {
  const listeners = new Set<() => void>();
  const { remember, latest } = answersOf();
  let entries: readonly Entry[] = [];
  let keys = 0;
  let isPaused = false;

  const notify = () => listeners.forEach((listener) => listener());
  const remove = (entry: Entry) => {
    clearTimeout(entry.timer);
    entries = entries.filter((other) => other !== entry);
    if (entry.phase === 'failed') records.forget(entry.id);
    notify();
  };
  /** Ends the time to undo: a held action is sent, and the notice of a completed one is removed. */
  const settle = (entry: Entry) => {
    entry.isUndoable = false;
    clearTimeout(entry.timer);
    entry.begin(true);
    if (entry.phase === 'done' || entry.phase === 'undone') remove(entry);
    else notify();
  };
  const countDown = (entry: Entry) => {
    clearTimeout(entry.timer);
    const ends = entry.isUndoable || entry.phase === 'undone';
    if (ends && !isPaused) entry.timer = setTimeout(() => settle(entry), UNDO_MS);
  };
  const boundFailures = () => {
    const failures = entries.filter(({ phase, repeat }) => phase === 'failed' && !repeat);
    if (failures.length <= FAILURES_MAX) return;
    // The record is kept: the failure was not dismissed, and its outcome may still be looked up.
    entries = entries.filter((entry) => entry !== failures[0]);
  };
  const fail = (entry: Entry, error: unknown) => {
    clearTimeout(entry.timer);
    Object.assign(entry, { phase: 'failed', isUndoable: false, error });
    boundFailures();
    notify();
  };
  /** Records the final answer of an entry. */
  const answer = (entry: Entry, items: readonly Versioned[], phase: 'done' | 'undone') => {
    remember(items);
    entry.phase = phase;
    countDown(entry);
    if (phase === 'done' && !entry.isUndoable) remove(entry);
    else notify();
  };

  const act = <Item extends Versioned>(action: QuickAction<Item>) => {
    const ids = new Set(action.items.map(({ id }) => id));
    const earlier = entries.filter(({ action }) => action.items.some(({ id }) => ids.has(id)));
    earlier.filter(({ phase }) => phase === 'held').forEach(settle);
    const undoable = entries.filter(({ isUndoable }) => isUndoable);
    if (undoable.length >= UNDOABLE_MAX) settle(undoable[0]!);

    const begun = Promise.withResolvers<boolean>();
    const id = crypto.randomUUID();
    const record: UnansweredAction = {
      failure: action.failure,
      reason: null,
      repeat: action.repeat,
      begunAt: Date.now(),
    };
    records.keep(id, record);
    const entry: Entry = {
      key: (keys += 1),
      id,
      action,
      begin: begun.resolve,
      phase: 'held',
      isUndoable: true,
      words: action.words,
      error: undefined,
      answered: Promise.resolve([]),
      timer: undefined,
    };
    const sending = async () => {
      if (!(await begun.promise)) return [];
      if (entry.phase === 'held') entry.phase = 'sending';
      await Promise.allSettled(earlier.map(({ answered }) => answered));
      const items = await action.send(latest);
      records.forget(id);
      if (entry.phase === 'sending') answer(entry, items, 'done');
      else remember(items);
      return items;
    };
    entry.answered = sending();
    entry.answered.catch((error: unknown) => {
      const failed = { ...record, reason: wordsOf(error) };
      records.keep(id, failed);
      const isUnknown = isAnswerLost(error) && entry.phase !== 'reverting';
      if (!isUnknown) entry.words = action.failure;
      fail(entry, isUnknown ? new Error(NOT_KNOWN) : error);
      if (isUnknown) lookUp(id, failed);
    });
    if (action.revert) {
      entry.phase = 'sending';
      begun.resolve(true);
    }
    entries = [...entries, entry];
    countDown(entry);
    notify();
  };

  const undo = (key?: number): boolean => {
    const entry = entries.findLast(
      (candidate) => candidate.isUndoable && (key ?? candidate.key) === candidate.key,
    );
    if (entry === undefined) return false;
    const { answered, action } = entry;
    entry.isUndoable = false;
    entry.words = `Undone: ${action.words}`;
    if (entry.phase === 'held') {
      entry.begin(false);
      records.forget(entry.id);
      answer(entry, [], 'undone');
      return true;
    }
    entry.phase = 'reverting';
    const reverting = async () => {
      const sent = await answered;
      entry.words = `Not undone: ${action.words}`;
      const items = await action.revert!(sent, latest);
      entry.words = `Undone: ${action.words}`;
      answer(entry, items, 'undone');
      return items;
    };
    entry.answered = reverting();
    entry.answered.catch((error: unknown) => fail(entry, error));
    notify();
    return true;
  };

  /** The entry of a stored action, which changes no records on screen. */
  const stored = (id: string, words: string): Entry => ({
    key: (keys += 1),
    id,
    action: { words, failure: words, items: [], shows: {} },
    begin: () => {},
    phase: 'sending',
    isUndoable: false,
    words,
    error: undefined,
    answered: Promise.resolve([]),
    timer: undefined,
  });

  const report = ({ id, failure, error, repeat, begunAt }: FailedAction) => {
    const entry: Entry = {
      ...stored(id, failure),
      ...(repeat && { repeat }),
      ...(begunAt !== undefined && { begunAt }),
      phase: 'failed',
      error,
    };
    entries = [...entries.filter((other) => other.id !== id), entry];
    boundFailures();
    notify();
  };

  const showRunning = ({ id, words, stop }: RunningAction) => {
    const shown = entries.find((entry) => entry.id === id && entry.stop);
    // The same notice: its button keeps the focus.
    if (shown) shown.words = words;
    else entries = [...entries.filter((other) => other.id !== id), { ...stored(id, words), stop }];
    notify();
  };

  return {
    act,
    undo,
    keep(id, action) {
      records.keep(id, action);
      notify();
    },
    lookUp,
    report,
    showRunning,
    stop: (key) => entries.find((candidate) => candidate.key === key)?.stop?.(),
    forget(id, items = []) {
      records.forget(id);
      remember(items);
      entries = entries.filter((entry) => entry.id !== id);
      notify();
    },
    repeat(key) {
      const entry = entries.find((candidate) => candidate.key === key);
      if (entry?.repeat === undefined) return;
      remove(entry);
      entry.repeat.run();
    },
    dismiss(key) {
      const entry = entries.find((candidate) => candidate.key === key);
      if (entry?.phase === 'failed') remove(entry);
      else if (entry) settle(entry);
    },
    pause(isNow) {
      isPaused = isNow;
      entries.forEach(countDown);
    },
    async flush() {
      entries.filter(({ phase }) => phase === 'held').forEach(settle);
      await Promise.allSettled(entries.map(({ answered }) => answered));
    },
    shown: (item) =>
      entries.reduce((shown, entry) => ({ ...shown, ...effectOf(entry, item.id) }), latest(item)),
    notices: () =>
      entries.map(({ key, words, phase, isUndoable, repeat, stop, error, begunAt }) => ({
        key,
        words,
        canUndo: isUndoable,
        isPending: ['held', 'sending', 'reverting'].includes(phase),
        repeatWords: repeat?.words ?? null,
        canStop: stop !== undefined,
        ...(error !== undefined && { error }),
        ...(begunAt !== undefined && { begunAt }),
      })),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
