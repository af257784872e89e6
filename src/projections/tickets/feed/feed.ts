/**
 * Every change of an organisation's tickets, in log order, each exactly once. An index has the
 * positions of the organisation's events; the changes are read from the tickets' own streams.
 * contract.md section 5.
 *
 * A change is positioned at its command's last fact, so a page never splits a command, wherever its
 * reader continues.
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
import { longPollWakeup } from '../../../engine/consumers/long-poll-wakeup.ts';
import { unreadableIn, type UnreadableChange } from './unreadable.ts';

export interface ChangeFeed {
  /**
   * The changes after a position, at once.
   *
   * @throws `UnknownPosition`; `LogUnavailable`.
   */
  page(query: FeedQuery): Promise<FeedPage>;
  /**
   * As `page`, but an answer without changes is held until there is one, until `waitMs` are over or
   * `signal` aborts.
   *
   * @throws `UnknownPosition`; `LogUnavailable`.
   */
  await(query: FeedQuery, waitMs: number, signal: AbortSignal): Promise<FeedPage>;
  /**
   * The empty page at the end of the organisation's changes, for readers that have just read their
   * current state.
   *
   * @throws `LogUnavailable`.
   */
  end(organisation: string): Promise<FeedPage>;
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
   * The last searched event of the organisation; `null` before its first. Other organisations'
   * events do not move it.
   */
  readonly next: Position | null;
  /** The page reached the newest change of the selection. */
  readonly caughtUp: boolean;
  /** The feed is blocked by a change that this release cannot read and that was not skipped. */
  readonly blocked: { readonly ticketId: string; readonly since: Instant } | null;
}

/** Events of tickets of an organisation, or of one of its buildings. */
export type ChangeSelection = Pick<FeedQuery, 'organisation' | 'buildingId'>;

export interface ChangeIndex extends LogIndex<ChangeSelection> {
  /** The organisation's last event; `null` before its first. */
  last(organisation: string): Promise<Position | null>;
}

export interface ChangeFeedParts {
  readonly log: EventStore;
  readonly index: ChangeIndex;
  /** Timeout of a page's wait for the index. Default {@link READ_YOUR_WRITES_WAIT_MS}. */
  readonly indexWaitMs?: number;
  /** The source of new events. Default: `log` itself. */
  readonly reader?: Pick<EventStore, 'subscribe'>;
  /** Default: a cache for this feed only. */
  readonly changes?: TicketChanges;
  readonly logger: Logger;
  /** Called with each event that ends a page early. Must return at once. Default: none. */
  readonly onBlocked?: (event: StoredEvent, why: Broken) => void;
}

export const changeFeed = (parts: ChangeFeedParts): ChangeFeed => {
  const { log, index, reader = log, changes = ticketChanges(log), logger, onBlocked } = parts;
  const { indexWaitMs = READ_YOUR_WRITES_WAIT_MS } = parts;
  const { ownersOf } = changes;
  // A skip wakes long polls as a change does: by the organisation in its metadata.
  const categories = ['ticket', FEED_SKIP_CATEGORY];
  const watch = longPollWakeup({ log, reader, logger, ownersOf, categories });
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
      // One more than needed, to detect that there are more.
      const { events, upTo } = await index.after(query, next, readAtOnce + 1);
      const hasMore = events.length > readAtOnce;
      const own = events.slice(0, readAtOnce);
      for (let looked = 0; looked < own.length;) {
        const some = own.slice(looked, looked + Math.min(limit - items.length, SHOWN_AT_ONCE));
        const changed = await changesIn(some);
        const selected = changed.items.filter((item) => isOf(query.buildingId, item));
        items.push(...selected);
        for (const item of selected) bytes += bytesOf(item);
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

  /** The changes of `events` in log order, up to the first undecodable one. */
  const changesIn = async (events: readonly IndexedEvent[]) => {
    const stretches = await stretchesOf(events);
    const items: FeedItem[] = [];
    for (const event of events) {
      const { ended, broken, unreadable } = stretches.get(event.stream)!;
      if (broken && broken.revision <= event.revision && unreadable === null) {
        const { since, error } = broken;
        logger.warn({ err: error, stream: event.stream }, 'a change cannot be read');
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

  /** The placeholders of changes that an operator has skipped. */
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

    async end(organisation) {
      const head = { selection: { organisation }, after: null, waitMs: indexWaitMs };
      const caughtUp = await coversHead(log, index, head);
      return { items: [], next: await index.last(organisation), caughtUp, blocked: null };
    },

    async await(query, waitMs, signal) {
      const giveUpAt = performance.now() + waitMs;
      // Before the first query, so that later changes wake it.
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
  /** By revision, from `broken` on; `null` if nothing is skipped. */
  readonly unreadable: ReadonlyMap<number, UnreadableChange> | null;
}

/** The index has no building of a ticket whose opening an earlier release could not read. */
const isOf = (buildingId: string | undefined, item: FeedItem): boolean =>
  buildingId === undefined || item.change === 'unreadable' || item.ticket.buildingId === buildingId;

const bytesOf = (item: FeedItem): number =>
  JSON.stringify(item.change === 'unreadable' ? item : [item.ticket, item.facts]).length;

/** Events whose changes are read as a batch, which bounds how far a page exceeds its size. */
const SHOWN_AT_ONCE = 20;
