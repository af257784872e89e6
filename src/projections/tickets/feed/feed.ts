/**
 * Every change of an organisation's tickets, in the order of the log, each once and none left out.
 * An index says where the organisation's events are; the changes are read from the tickets' own
 * streams. contract.md section 5.
 *
 * A change stands where its command's last fact stands, so that a page never holds half a command,
 * wherever its reader goes on from.
 */
import type { Instant } from '../../../engine/aggregates/decider.ts';
import { CHANGES_PAGE_DEFAULT } from '../../../domain/tickets/limits.ts';
import { READ_YOUR_WRITES_WAIT_MS } from '../../../limits.ts';
import { CHANGES_PAGE_BYTES_MAX } from '../limits.ts';
import type { Logger } from '../../../engine/observe/logging.ts';
import type { EventStore, Position, StoredEvent } from '../../../engine/log/event-store.ts';
import { coversHead, type IndexedEvent, type LogIndex } from '../../../engine/log/log-index.ts';
import { FEED_SKIP_CATEGORY, feedSkips } from '../../../use-cases/tickets/feed-skips.ts';
import { keyOf } from '../../../engine/log/streams.ts';
import {
  severalAtOnce,
  ticketChanges,
  type Broken,
  type ChangeRange,
  type TicketChange,
  type TicketChanges,
} from './changes.ts';
import { ticketWatch } from '../../../engine/consumers/long-poll-wakeup.ts';
import { unreadableIn, type UnreadableChange } from './unreadable.ts';

export interface ChangeFeed {
  /**
   * The changes after a position, at once.
   *
   * @throws `UnknownPosition`; `LogUnavailable`.
   */
  page(query: FeedQuery): Promise<FeedPage>;
  /**
   * The same, but an answer without changes is held until there is one, until `waitMs` are over or
   * `signal` aborts.
   *
   * @throws `UnknownPosition`; `LogUnavailable`.
   */
  await(query: FeedQuery, waitMs: number, signal: AbortSignal): Promise<FeedPage>;
}

export interface FeedQuery {
  readonly organisation: string;
  /** `null`: from the beginning. */
  readonly after: Position | null;
  readonly limit: number;
  /** Internal id: only changes of tickets of that building. */
  readonly buildingId?: string | undefined;
}

export type FeedItem = TicketChange | UnreadableChange;

export interface FeedPage {
  readonly items: readonly FeedItem[];
  /**
   * The last event of the organisation that was looked at; `null` before its first. What others do
   * does not move it.
   */
  readonly next: Position | null;
  /** Nothing of the selection followed when the page was asked for. */
  readonly caughtUp: boolean;
  /** The feed stands still before a change that this release cannot show, and nobody skipped. */
  readonly blocked: { readonly ticketId: string; readonly since: Instant } | null;
}

/** Events of tickets of an organisation, or of one of its buildings. */
export type ChangeSelection = Pick<FeedQuery, 'organisation' | 'buildingId'>;

export interface ChangeFeedParts {
  readonly log: EventStore;
  readonly index: LogIndex<ChangeSelection>;
  /** How long a page waits for the index. Default {@link READ_YOUR_WRITES_WAIT_MS}. */
  readonly indexWaitMs?: number;
  /** What tells of new events. Default: `log` itself. */
  readonly reader?: Pick<EventStore, 'subscribe'>;
  /** Default: of `log`, for this feed alone. */
  readonly changes?: TicketChanges;
  readonly logger: Logger;
  /** Told of each event that a page ends before. Must return at once. Default: nobody is told. */
  readonly onBlocked?: (event: StoredEvent, why: Broken) => void;
}

export const changeFeed = (parts: ChangeFeedParts): ChangeFeed => {
  const { log, index, reader = log, changes = ticketChanges(log), logger, onBlocked } = parts;
  const { indexWaitMs = READ_YOUR_WRITES_WAIT_MS } = parts;
  const { ownersOf } = changes;
  // A skip wakes as a change does: by the organisation in its metadata.
  const categories = ['ticket', FEED_SKIP_CATEGORY];
  const watch = ticketWatch({ log, reader, logger, ownersOf, categories });
  const skips = feedSkips(log);

  const page = async (query: FeedQuery, wait?: PageWait): Promise<FeedPage> => {
    const { limit, after } = query;
    const waitMs = Math.min(indexWaitMs, wait?.leftMs ?? indexWaitMs);
    const head = { selection: query, after, waitMs, signal: wait?.signal };
    const covered = await coversHead(log, index, head);
    const readAtOnce = Math.max(limit, CHANGES_PAGE_DEFAULT);
    const items: FeedItem[] = [];
    let bytes = 0;
    let next = after;
    for (;;) {
      // One more than is looked at says whether there is more.
      const { events, upTo } = await index.after(query, next, readAtOnce + 1);
      const hasMore = events.length > readAtOnce;
      const own = events.slice(0, readAtOnce);
      for (let looked = 0; looked < own.length;) {
        const some = own.slice(looked, looked + Math.min(limit - items.length, SHOWN_AT_ONCE));
        const changed = await changesIn(some);
        items.push(...changed.items);
        for (const item of changed.items) bytes += bytesOf(item);
        if (changed.broken) {
          const { event, since } = changed.broken;
          next = own[own.indexOf(event) - 1]?.position ?? next;
          const blocked = { ticketId: keyOf(event.stream), since };
          return { items, next, caughtUp: false, blocked };
        }
        looked += some.length;
        next = some.at(-1)!.position;
        const isFull = items.length === limit || bytes >= CHANGES_PAGE_BYTES_MAX;
        if (!isFull) continue;
        const isLast = looked === own.length && !hasMore;
        return { items, next, caughtUp: covered && isLast, blocked: null };
      }
      if (hasMore) continue;
      if (log.compare(upTo, next) > 0) next = upTo;
      return { items, next, caughtUp: covered, blocked: null };
    }
  };

  /** The changes in `events`, in the order of the log, up to the first that cannot be shown. */
  const changesIn = async (events: readonly IndexedEvent[]) => {
    const stretches = await stretchesOf(events);
    const items: FeedItem[] = [];
    for (const event of events) {
      const { ended, broken, unreadable } = stretches.get(event.stream)!;
      if (broken && broken.revision <= event.revision && unreadable === null) {
        const { since, error } = broken;
        logger.warn({ err: error, stream: event.stream }, 'a change cannot be shown');
        const [stored] = await log.readStream(event.stream, { from: event.revision, limit: 1 });
        if (stored) onBlocked?.(stored, broken);
        return { items, broken: { event, since } };
      }
      const change = ended.get(event.revision) ?? unreadable?.get(event.revision);
      if (change) items.push(change);
    }
    return { items, broken: null };
  };

  const stretchesOf = async (events: readonly IndexedEvent[]) => {
    const stretches = new Map<string, StretchInFeed>();
    const streams = Map.groupBy(events, ({ stream }) => stream).entries();
    await severalAtOnce(streams, async ([stream, ofStream]) => {
      const [first, last] = [ofStream[0]!.revision, ofStream.at(-1)!.revision];
      const stretch = await changes.between(stream, first, last);
      const unreadable = await passedOver(stream, { first, last }, stretch.broken);
      stretches.set(stream, { ...stretch, unreadable });
    });
    return stretches;
  };

  /** What is told in place of changes that an operator has had passed over. */
  const passedOver = async (
    stream: string,
    { first, last }: { readonly first: number; readonly last: number },
    broken: Broken | null,
  ): Promise<StretchInFeed['unreadable']> => {
    if (broken === null) return null;
    const skipped = await skips.of(keyOf(stream));
    if (!skipped.has(broken.revision)) return null;
    const events = await log.readStream(stream, { from: first, limit: last - first + 1 });
    return unreadableIn(log, events, broken.revision);
  };

  return {
    page: (query) => page(query),

    async await(query, waitMs, signal) {
      const giveUpAt = performance.now() + waitMs;
      // Before the first look: what comes after that one must wake.
      const watching = await watch.join(query.organisation);
      try {
        for (let after = query.after; ;) {
          const { seen } = watching;
          const wait = { leftMs: Math.max(0, giveUpAt - performance.now()), signal };
          const found = await page({ ...query, after }, wait);
          after = found.next;
          const leftMs = giveUpAt - performance.now();
          if (found.items.length > 0 || leftMs <= 0 || signal.aborted) return found;
          if (found.caughtUp || found.blocked) await watching.after(seen, signal, leftMs);
        }
      } finally {
        watching.leave();
      }
    },
  };
};

interface PageWait {
  readonly leftMs: number;
  readonly signal: AbortSignal;
}

interface StretchInFeed extends ChangeRange {
  /** By revision, from where `broken` is; `null` where nothing is passed over. */
  readonly unreadable: ReadonlyMap<number, UnreadableChange> | null;
}

const bytesOf = (item: FeedItem): number =>
  JSON.stringify(item.change === 'unreadable' ? item : [item.ticket, item.facts]).length;

/** Events whose changes are made at a time: a page is no longer than the last of them makes it. */
const SHOWN_AT_ONCE = 20;
