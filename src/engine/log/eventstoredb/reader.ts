import {
  BACKWARDS,
  END,
  FORWARDS,
  START,
  UnknownError,
  type Credentials,
  type EventStoreDBClient,
  type ResolvedEvent,
  type StreamingRead,
} from '@eventstore/db-client';
import { LOG_SEARCH_POSITIONS } from '../../limits.ts';
import {
  READ_PAGE_EVENTS,
  UnknownPosition,
  type AllPage,
  type AllRange,
  type Head,
  type Position,
  type StoredEvent,
  type StreamRange,
} from '../event-store.ts';
import { PageBytes } from '../page-bytes.ts';
import { retried, collected, isFinal } from './calls.ts';
import { isIn, isSystem, sizeOf, storedOf } from './events.ts';
import type { ClientFailover } from './client-failover.ts';
import { logPositionOf, positionText } from './positions.ts';

/**
 * Reads, answered by the leader, so that a reader sees every acknowledged event. Each is bounded in
 * count and in time, and repeated after a lost connection.
 */
export class EventStoreDbReader {
  readonly #clients: Pick<ClientFailover, 'ask'>;
  readonly #options: { readonly credentials: Credentials; readonly requiresLeader: true };

  constructor(clients: Pick<ClientFailover, 'ask'>, credentials: Credentials) {
    this.#clients = clients;
    this.#options = { credentials, requiresLeader: true };
  }

  async stream(stream: string, range: StreamRange = {}): Promise<StoredEvent[]> {
    return retried(`reading ${stream}`, (leftMs) => this.page(stream, range, leftMs));
  }

  /** As {@link stream}, tried once. */
  async page(
    stream: string,
    { from, limit = READ_PAGE_EVENTS, backwards = false }: StreamRange,
    leftMs: number,
  ): Promise<StoredEvent[]> {
    if (limit <= 0 || isSystem(stream)) return [];
    const events = await this.#collected(
      (client) =>
        client.readStream(stream, {
          ...this.#options,
          maxCount: limit,
          direction: backwards ? BACKWARDS : FORWARDS,
          fromRevision: from === undefined ? (backwards ? END : START) : BigInt(from),
        }),
      leftMs,
    );
    return events.flatMap((event) => storedOf(event) ?? []);
  }

  /**
   * The last event of any stream, the server's own included. Tried once: the caller decides whether
   * to retry.
   */
  async lastOf(stream: string, leftMs: number): Promise<ResolvedEvent['event']> {
    const end = { maxCount: 1, direction: BACKWARDS, fromRevision: END } as const;
    const [last] = await this.#collected(
      (client) => client.readStream(stream, { ...this.#options, ...end }),
      leftMs,
    );
    return last?.event;
  }

  /** The last revision of a stream; `null`: it does not exist. Tried once, as {@link lastOf}. */
  async revisionOf(stream: string, leftMs: number): Promise<number | null> {
    const last = await this.lastOf(stream, leftMs);
    return last ? Number(last.revision) : null;
  }

  /**
   * The server filters subscriptions and no reads, so that events of other categories are read and
   * left out here. Meant for single pages: a whole log is read by a subscription.
   */
  async all(after: Position | null, { limit, categories }: AllRange): Promise<AllPage> {
    const events: StoredEvent[] = [];
    const bytes = new PageBytes();
    let next = after;
    // Without a filter, only the server's own events are between the first of them.
    let size = categories ? READ_PAGE_EVENTS : Math.min(limit + 1, READ_PAGE_EVENTS);
    for (let searched = 0; searched < LOG_SEARCH_POSITIONS;) {
      const page = await this.#after(next, size);
      size = READ_PAGE_EVENTS;
      searched += page.events.length;
      for (const resolved of page.events) {
        if (events.length === limit) return { events, next, end: false };
        const event = storedOf(resolved);
        if (event && isIn(event.stream, categories)) {
          if (!bytes.fits(sizeOf(resolved))) return { events, next, end: false, isCut: true };
          events.push(event);
        }
        next = positionOf(resolved);
      }
      if (page.end) return { events, next, end: true };
    }
    return { events, next, end: false };
  }

  /**
   * The last position after `after` up to which the log has no event of the categories, and whether
   * it is the end. Searches {@link LOG_SEARCH_POSITIONS} at most.
   */
  async foreignUpTo(
    after: Position | null,
    categories: readonly string[] | undefined,
  ): Promise<{ position: Position | null; end: boolean }> {
    let position = after;
    for (let searched = 0; searched < LOG_SEARCH_POSITIONS;) {
      const page = await this.#after(position, READ_PAGE_EVENTS);
      searched += page.events.length;
      for (const resolved of page.events) {
        const stream = resolved.event?.streamId;
        if (stream !== undefined && !isSystem(stream) && isIn(stream, categories))
          return { position, end: false };
        position = positionOf(resolved);
      }
      if (page.end) return { position, end: true };
    }
    return { position, end: false };
  }

  async head(): Promise<Head> {
    const [last] = await retried('reading the head', (leftMs) =>
      this.#collected(
        (client) =>
          client.readAll({
            ...this.#options,
            maxCount: 1,
            direction: BACKWARDS,
            fromPosition: END,
          }),
        leftMs,
      ),
    );
    if (!last?.event) return { position: null, recordedAt: null };
    return { position: positionOf(last), recordedAt: last.event.created.toISOString() };
  }

  #collected(
    open: (client: EventStoreDBClient) => StreamingRead<ResolvedEvent>,
    leftMs: number,
    fits?: (event: ResolvedEvent) => boolean,
  ): Promise<ResolvedEvent[]> {
    return this.#clients.ask(({ client }) => collected(() => open(client), leftMs, fits), isFinal);
  }

  /**
   * At most `count` events that fit a page, the server's own included. The server includes the
   * position itself.
   */
  async #after(
    after: Position | null,
    count: number,
  ): Promise<{ events: ResolvedEvent[]; end: boolean }> {
    const from = after === null ? START : logPositionOf(after);
    const open = (client: EventStoreDBClient) =>
      client.readAll({
        ...this.#options,
        maxCount: after === null ? count : count + 1,
        fromPosition: from,
      });
    const isFirst = (resolved: ResolvedEvent) => positionOf(resolved) === after;
    let misplaced = 0;
    const { events, isCut } = await retried('reading the log', async (leftMs) => {
      const bytes = new PageBytes();
      const fits = (resolved: ResolvedEvent) => isFirst(resolved) || bytes.fits(sizeOf(resolved));
      try {
        return { events: await this.#collected(open, leftMs, fits), isCut: bytes.isCut };
      } catch (error) {
        if (after !== null && isMisplaced(error) && (misplaced += 1) === MISPLACED_MAX)
          throw new UnknownPosition(`nothing begins at ${after} in this log`, error);
        throw error;
      }
    });
    const following = events[0] && isFirst(events[0]) ? events.slice(1) : events.slice(0, count);
    return { events: following, end: !isCut && following.length < count };
  }
}

/** The server's answer to a read from where no record begins; rarely a temporary fault. */
const isMisplaced = (error: unknown): boolean =>
  error instanceof UnknownError && /\bReadAllResult\b/.test(error.message);

/** After so many such answers the position is at fault. */
const MISPLACED_MAX = 3;

const positionOf = ({ event, commitPosition }: ResolvedEvent): Position => {
  const position = event?.position;
  if (position) return positionText(position);
  if (commitPosition === undefined) throw new Error('an event of the log without a position');
  return positionText({ commit: commitPosition, prepare: commitPosition });
};
