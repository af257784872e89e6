/**
 * The changes of the organisation's tickets as they happen: one long poll per browser, whose
 * answers its other tabs receive. contract.md section 5.
 *
 * A visible tab holds the lock of the feed and polls; a hidden one releases it. Each tab keeps the
 * cursor of what it has delivered, so that the next holder of the lock misses no change.
 */
import { backoffMs, pauseUnlessAborted } from '../../../../sdk/src/retries.ts';
import type { Api, Schemas } from '../../session/requests.ts';

export type Change = Schemas['TicketChange'];

/**
 * `live`: changes arrive within a second. `lost`: the server cannot be reached. `blocked`: the feed
 * stops before a change that the server cannot read.
 */
export type Connection = 'starting' | 'live' | 'lost' | 'blocked';

/** `missed`: earlier changes were not delivered, so that everything must be loaded again. */
export type FeedEvent =
  | { readonly kind: 'changes'; readonly changes: readonly Change[] }
  | { readonly kind: 'missed' }
  | { readonly kind: 'connection'; readonly connection: Connection };

export interface ChangeFeed {
  readonly connection: () => Connection;
  /** @returns a function that ends the subscription. */
  readonly subscribe: (listener: (event: FeedEvent) => void) => () => void;
  readonly close: () => void;
}

/** The longest that the server holds an answer. contract.md section 5. */
const WAIT_S = 25;
/** The time beyond its wait after which a poll without an answer counts as lost. */
const LATE_MS = 10_000;
/** Items per answer; a tab that missed more loads its lists again. */
const PAGE = 200;

type Page = Schemas['TicketChangePage'];

/** Messages between tabs. */
type Message =
  | { readonly kind: 'hello' }
  | { readonly kind: 'here'; readonly cursor: string; readonly connection: Connection }
  | {
      readonly kind: 'page';
      readonly after: string;
      readonly cursor: string;
      readonly changes: readonly Change[];
    };

/** @param name Of the person and organisation: other users of this browser have their own feeds. */
export const changeFeed = (fetch: Api['fetch'], name: string): ChangeFeed => {
  const lock = `atrium.changes.${name}`;
  const channel = new BroadcastChannel(lock);
  const listeners = new Set<(event: FeedEvent) => void>();
  let connection: Connection = 'starting';
  let cursor: string | null = null;
  /**
   * Whether changes before the next cursor are missing: data that a page loaded before the first
   * cursor may be older than it.
   */
  let hasGap = true;
  let leading = new AbortController();
  /** The signal of this tab's polling; `null` while it does not poll. */
  let polling: AbortSignal | null = null;

  const emit = (event: FeedEvent) => {
    for (const listener of listeners) listener(event);
  };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
  const post = (message: Message) => channel.postMessage(message);
  const announce = () => {
    if (polling !== null && cursor !== null) post({ kind: 'here', cursor, connection });
  };
  const connected = (next: Connection) => {
    if (next === connection) return;
    connection = next;
    emit({ kind: 'connection', connection });
    announce();
  };
  const loseCursor = () => {
    cursor = null;
    hasGap = true;
  };
  const moveTo = (next: string) => {
    hasGap ||= cursor !== null && cursor !== next;
    cursor = next;
    if (hasGap) emit({ kind: 'missed' });
    hasGap = false;
  };

  const read = async (waitS: number, signal: AbortSignal): Promise<Page> => {
    const late = AbortSignal.timeout(waitS * 1000 + LATE_MS);
    const query = new URLSearchParams({
      after: cursor ?? 'end',
      limit: String(PAGE),
      wait: String(waitS),
    });
    const init = { signal: AbortSignal.any([signal, late]) };
    const answer = await fetch(`/api/service-desk/changes?${query.toString()}`, init);
    if (answer.ok) return (await answer.json()) as Page;
    const { code } = (await answer.json()) as { readonly code?: string };
    // The log was restored from a backup: the position of this cursor is gone.
    if (code === 'CURSOR_LOST') loseCursor();
    throw new Error(`The changes cannot be loaded (status ${answer.status}).`);
  };

  const deliver = ({ items, nextCursor, caughtUp }: Page) => {
    if (cursor === null) {
      moveTo(nextCursor);
      return announce();
    }
    if (!caughtUp && items.length >= PAGE) return loseCursor();
    const changes = items.filter((item) => item.change !== 'unreadable');
    const after = cursor;
    cursor = nextCursor;
    if (after !== cursor) post({ kind: 'page', after, cursor, changes });
    if (changes.length > 0) emit({ kind: 'changes', changes });
  };

  const poll = async (signal: AbortSignal) => {
    for (let failures = 0, waitS = 0; !signal.aborted;) {
      try {
        const page = await read(waitS, signal);
        if (signal.aborted) return;
        failures = 0;
        deliver(page);
        connected(page.blocked === undefined ? 'live' : 'blocked');
        // A backlog is read without waiting; after it, the server may hold the answer.
        waitS = page.caughtUp || page.blocked !== undefined ? WAIT_S : 0;
        if (waitS === 0 && page.items.length === 0) await pauseUnlessAborted(backoffMs(0), signal);
      } catch {
        if (signal.aborted) return;
        connected('lost');
        waitS = 0;
        await pauseUnlessAborted(backoffMs(failures), signal);
        failures += 1;
      }
    }
  };

  const lead = async (signal: AbortSignal) => {
    if (signal.aborted) return;
    polling = signal;
    await poll(signal);
    if (polling === signal) polling = null;
  };
  const join = () => {
    leading = new AbortController();
    const { signal } = leading;
    post({ kind: 'hello' });
    // Browsers have no locks on plain HTTP beyond loopback: each tab polls for itself there.
    const led =
      'locks' in navigator
        ? navigator.locks.request(lock, { signal }, () => lead(signal))
        : lead(signal);
    led.catch(() => {
      if (!signal.aborted) connected('lost');
    });
  };
  const joinAgain = () => {
    leading.abort();
    if (!navigator.onLine) connected('lost');
    else if (!document.hidden) join();
  };

  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'hello') return announce();
    if (polling !== null) return;
    if (data.kind === 'here') {
      moveTo(data.cursor);
      return connected(data.connection);
    }
    if (cursor !== data.after) return moveTo(data.cursor);
    cursor = data.cursor;
    if (data.changes.length > 0) emit({ kind: 'changes', changes: data.changes });
  });
  document.addEventListener('visibilitychange', joinAgain);
  addEventListener('online', joinAgain);
  addEventListener('offline', joinAgain);
  if (!document.hidden) join();

  return {
    connection: () => connection,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      leading.abort();
      channel.close();
      listeners.clear();
      document.removeEventListener('visibilitychange', joinAgain);
      removeEventListener('online', joinAgain);
      removeEventListener('offline', joinAgain);
    },
  };
};
