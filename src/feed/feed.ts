/**
 * Every change of an organisation's tickets, in the order of the log, each once and none left out,
 * read from the log itself. contract.md section 5.
 *
 * A change stands where its command's last fact stands, so that a page never holds half a command,
 * wherever its reader goes on from.
 */
import type { Instant } from '../domain/decider.ts';
import {
  CHANGES_PAGE_BYTES_MAX,
  CHANGES_PAGE_DEFAULT,
  CHANGES_SEARCH_EVENTS_MAX,
  CHANGES_SEARCH_MAX_MS,
  CHANGES_SEARCHED_CACHED_MAX,
} from '../limits.ts';
import type { Logger } from '../ops/logging.ts';
import { recentlyUsed } from '../ops/recently-used.ts';
import {
  mustLieIn,
  type EventStore,
  type Position,
  type StoredEvent,
} from '../store/event-store.ts';
import { FEED_SKIP_CATEGORY, feedSkips } from '../store/repositories/feed-skips.ts';
import { keyOf } from '../store/streams.ts';
import {
  severalAtOnce,
  ticketChanges,
  type Broken,
  type StretchOfChanges,
  type TicketChange,
  type TicketChanges,
} from './ticket-changes.ts';
import { ticketWatch } from './ticket-watch.ts';
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
  /** The end of the log was reached. */
  readonly end: boolean;
  /** The feed stands still before a change that this release cannot show, and nobody skipped. */
  readonly blocked: { readonly ticketId: string; readonly since: Instant } | null;
}

export interface ChangeFeedParts {
  readonly log: EventStore;
  /** What tells of new events. Default: `log` itself. */
  readonly reader?: Pick<EventStore, 'subscribe'>;
  /** Default: of `log`, for this feed alone. */
  readonly changes?: TicketChanges;
  readonly logger: Logger;
  /** Told of each event that a page ends before. Must return at once. Default: nobody is told. */
  readonly onBlocked?: (event: StoredEvent, why: Broken) => void;
}

export const changeFeed = (parts: ChangeFeedParts): ChangeFeed => {
  const { log, reader = log, changes = ticketChanges(log), logger, onBlocked } = parts;
  const { ownersOf } = changes;
  // A skip wakes as a change does: by the organisation in its metadata.
  const categories = ['ticket', FEED_SKIP_CATEGORY];
  const watch = ticketWatch({ log, reader, logger, ownersOf, categories });
  const skips = feedSkips(log);
  /** How far nothing of an organisation follows a place: not searched again by who comes back. */
  const searched = recentlyUsed<Position>(CHANGES_SEARCHED_CACHED_MAX);

  const page = async (query: FeedQuery): Promise<FeedPage> => {
    const { organisation, limit } = query;
    const giveUpAt = performance.now() + CHANGES_SEARCH_MAX_MS;
    const readAtOnce = Math.max(limit, CHANGES_PAGE_DEFAULT);
    const items: FeedItem[] = [];
    let bytes = 0;
    let next = query.after;
    let from = searched.get(placeOf(organisation, next)) ?? next;
    for (let events = 0; ;) {
      const read = await log.readAll(from, { categories: ['ticket'], limit: readAtOnce });
      events += read.events.length;
      if (read.end && read.events.length === 0 && from !== null) await mustLieIn(log, from);
      const { own, wanted } = await ownOf(read.events, query);
      while (wanted.length > 0) {
        const nextEvents = wanted.splice(0, Math.min(limit - items.length, SHOWN_AT_ONCE));
        const changed = await changesIn(nextEvents);
        items.push(...changed.items);
        for (const item of changed.items) bytes += bytesOf(item);
        if (changed.broken) {
          const { event, since } = changed.broken;
          const before = own[own.indexOf(event) - 1];
          const blocked = { ticketId: keyOf(event.stream), since };
          return { items, next: before?.position ?? next, end: false, blocked };
        }
        const isFull = items.length === limit || bytes >= CHANGES_PAGE_BYTES_MAX;
        if (isFull && wanted.length > 0)
          return { items, next: nextEvents.at(-1)!.position, end: false, blocked: null };
      }
      next = own.at(-1)?.position ?? next;
      from = read.next;
      const done = items.length > 0 && events >= CHANGES_SEARCH_EVENTS_MAX;
      const isFull = items.length === limit || bytes >= CHANGES_PAGE_BYTES_MAX;
      if (read.end || isFull || done || performance.now() > giveUpAt) {
        if (from !== null) searched.set(placeOf(organisation, next), from);
        return { items, next, end: read.end, blocked: null };
      }
    }
  };

  /** The organisation's events, and of these the ones that the query asks for. */
  const ownOf = async (
    events: readonly StoredEvent[],
    { organisation, buildingId }: FeedQuery,
  ): Promise<{ own: readonly StoredEvent[]; wanted: StoredEvent[] }> => {
    const owners = await changes.ownersOf(events);
    const own = events.filter(({ stream }) => owners.get(stream)?.organisation === organisation);
    const wanted = own.filter(({ stream }) => {
      const lies = owners.get(stream)?.buildingId ?? null;
      return buildingId === undefined || lies === null || lies === buildingId;
    });
    return { own, wanted };
  };

  /** The changes in `events`, in the order of the log, up to the first that cannot be shown. */
  const changesIn = async (events: readonly StoredEvent[]) => {
    const stretches = await stretchesOf(events);
    const items: FeedItem[] = [];
    for (const event of events) {
      const { ended, broken, unreadable } = stretches.get(event.stream)!;
      if (broken && broken.revision <= event.revision && unreadable === null) {
        const { since, error } = broken;
        logger.warn({ err: error, stream: event.stream }, 'a change cannot be shown');
        onBlocked?.(event, broken);
        return { items, broken: { event, since } };
      }
      const change = ended.get(event.revision) ?? unreadable?.get(event.revision);
      if (change) items.push(change);
    }
    return { items, broken: null };
  };

  const stretchesOf = async (events: readonly StoredEvent[]) => {
    const stretches = new Map<string, StretchInFeed>();
    const streams = Map.groupBy(events, ({ stream }) => stream).entries();
    await severalAtOnce(streams, async ([stream, ofStream]) => {
      const [first, last] = [ofStream[0]!.revision, ofStream.at(-1)!.revision];
      const stretch = await changes.between(stream, first, last);
      const unreadable = await passedOver(stream, ofStream, stretch.broken);
      stretches.set(stream, { ...stretch, unreadable });
    });
    return stretches;
  };

  /** What is told in place of changes that an operator has had passed over. */
  const passedOver = async (
    stream: string,
    events: readonly StoredEvent[],
    broken: Broken | null,
  ): Promise<StretchInFeed['unreadable']> => {
    if (broken === null) return null;
    const skipped = await skips.of(keyOf(stream));
    return skipped.has(broken.revision) ? unreadableIn(log, events, broken.revision) : null;
  };

  return {
    page,

    async await(query, waitMs, signal) {
      const giveUpAt = performance.now() + waitMs;
      // Before the first look: what comes after that one must wake.
      const watching = await watch.join(query.organisation);
      try {
        for (let after = query.after; ;) {
          const { seen } = watching;
          const found = await page({ ...query, after });
          after = found.next;
          const leftMs = giveUpAt - performance.now();
          if (found.items.length > 0 || leftMs <= 0 || signal.aborted) return found;
          if (found.end || found.blocked) await watching.after(seen, signal, leftMs);
        }
      } finally {
        watching.leave();
      }
    },
  };
};

interface StretchInFeed extends StretchOfChanges {
  /** By revision, from where `broken` is; `null` where nothing is passed over. */
  readonly unreadable: ReadonlyMap<number, UnreadableChange> | null;
}

const bytesOf = (item: FeedItem): number =>
  JSON.stringify(item.change === 'unreadable' ? item : [item.ticket, item.facts]).length;

/** Events whose changes are made at a time: a page is no longer than the last of them makes it. */
const SHOWN_AT_ONCE = 20;

const placeOf = (organisation: string, after: Position | null): string =>
  JSON.stringify([organisation, after]);
