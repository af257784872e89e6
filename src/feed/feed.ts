/**
 * Every change of an organisation's tickets, in the order of the log, each once and none left out,
 * read from the log itself. contract.md section 5.
 *
 * A change stands where its command's last fact stands, so that a page never holds half a command,
 * wherever its reader goes on from.
 */
import type { Instant } from '../domain/decider.ts';
import {
  CHANGES_PAGE_DEFAULT,
  CHANGES_SEARCH_EVENTS_MAX,
  CHANGES_SEARCH_MAX_MS,
} from '../limits.ts';
import type { Logger } from '../ops/logging.ts';
import {
  mustLieIn,
  type EventStore,
  type Position,
  type StoredEvent,
} from '../store/event-store.ts';
import { keyOf } from '../store/streams.ts';
import {
  severalAtOnce,
  ticketChanges,
  type StretchOfChanges,
  type TicketChange,
  type TicketChanges,
} from './ticket-changes.ts';
import { ticketWatch, type TicketWatchParts } from './ticket-watch.ts';

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
   * @throws `UnknownPosition`; `TooManyWaiting`; `LogUnavailable`.
   */
  await(query: FeedQuery, waitMs: number, signal: AbortSignal): Promise<FeedPage>;
}

export interface FeedQuery {
  readonly organisation: string;
  /** `null`: from the beginning. */
  readonly after: Position | null;
  readonly limit: number;
}

export interface FeedPage {
  readonly items: readonly TicketChange[];
  /** Everything up to here was looked at; `null` where the log is empty. */
  readonly next: Position | null;
  /** The end of the log was reached. */
  readonly end: boolean;
  /** The feed stands still before a change that this release cannot show. */
  readonly blocked: { readonly ticketId: string; readonly since: Instant } | null;
}

export interface ChangeFeedParts extends Pick<TicketWatchParts, 'waitingMax'> {
  readonly log: EventStore;
  /** What tells of new events. Default: `log` itself. */
  readonly reader?: Pick<EventStore, 'subscribe'>;
  /** Default: of `log`, for this feed alone. */
  readonly changes?: TicketChanges;
  readonly logger: Logger;
}

export const changeFeed = (parts: ChangeFeedParts): ChangeFeed => {
  const { log, reader = log, changes = ticketChanges(log), logger, ...bounds } = parts;
  const { organisationsOf } = changes;
  const watch = ticketWatch({ log, reader, logger, organisationsOf, ...bounds });

  const page = async ({ organisation, after, limit }: FeedQuery): Promise<FeedPage> => {
    const giveUpAt = performance.now() + CHANGES_SEARCH_MAX_MS;
    const readAtOnce = Math.max(limit, CHANGES_PAGE_DEFAULT);
    const items: TicketChange[] = [];
    let next = after;
    for (let searched = 0; ;) {
      const read = await log.readAll(next, { categories: ['ticket'], limit: readAtOnce });
      searched += read.events.length;
      if (read.end && read.events.length === 0 && next !== null) await mustLieIn(log, next);
      const ownEvents = await ownOf(read.events, organisation);
      while (ownEvents.length > 0) {
        const nextEvents = ownEvents.splice(0, limit - items.length);
        const changed = await changesIn(nextEvents);
        items.push(...changed.items);
        if (changed.broken) {
          const { event, since } = changed.broken;
          const before = read.events[read.events.indexOf(event) - 1];
          const blocked = { ticketId: keyOf(event.stream), since };
          return { items, next: before?.position ?? next, end: false, blocked };
        }
        if (items.length === limit && ownEvents.length > 0)
          return { items, next: nextEvents.at(-1)!.position, end: false, blocked: null };
      }
      next = read.next;
      const done = items.length > 0 && searched >= CHANGES_SEARCH_EVENTS_MAX;
      if (read.end || items.length === limit || done || performance.now() > giveUpAt)
        return { items, next, end: read.end, blocked: null };
    }
  };

  const ownOf = async (events: readonly StoredEvent[], organisation: string) => {
    const owners = await changes.organisationsOf(events);
    return events.filter(({ stream }) => owners.get(stream) === organisation);
  };

  /** The changes in `events`, in the order of the log, up to the first that cannot be shown. */
  const changesIn = async (events: readonly StoredEvent[]) => {
    const stretches = await stretchesOf(events);
    const items: TicketChange[] = [];
    for (const event of events) {
      const { ended, broken } = stretches.get(event.stream)!;
      if (broken && broken.revision <= event.revision) {
        const { since, error } = broken;
        logger.warn({ err: error, stream: event.stream }, 'a change cannot be shown');
        return { items, broken: { event, since } };
      }
      const change = ended.get(event.revision);
      if (change) items.push(change);
    }
    return { items, broken: null };
  };

  const stretchesOf = async (events: readonly StoredEvent[]) => {
    const stretches = new Map<string, StretchOfChanges>();
    const streams = Map.groupBy(events, ({ stream }) => stream).entries();
    await severalAtOnce(streams, async ([stream, ofStream]) => {
      const [first, last] = [ofStream[0]!.revision, ofStream.at(-1)!.revision];
      stretches.set(stream, await changes.between(stream, first, last));
    });
    return stretches;
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
