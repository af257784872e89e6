/**
 * The unreadable tickets that block a change feed, and the operators' skips of them. contract.md
 * sections 5 and 10.
 *
 * The process that serves a reader of the feed stores the block in a row, so that every process
 * reports it, also after a restart. Each report checks the log: a newer release may read the event,
 * and a skip is a fact in the log.
 */
import type { Pool } from 'pg';
import { checkpoints } from '../../engine/consumers/checkpoints.ts';
import { errorLine } from '../../engine/postgres/errors.ts';
import type { SkippedEvent } from '../../domain/tickets/feed-skips.ts';
import type { Actor, Instant } from '../../engine/aggregates/decider.ts';
import {
  severalAtOnce,
  ticketChanges,
  type Broken,
  type TicketChanges,
} from '../../projections/tickets/feed/changes.ts';
import type { Clock } from '../../engine/time/clock.ts';
import type { Report } from '../../engine/observe/report.ts';
import type { EventStore, Position, StoredEvent } from '../../engine/log/event-store.ts';
import { feedSkips } from '../../use-cases/tickets/feed-skips.ts';
import { keyOf, streamOf } from '../../engine/log/streams.ts';

export interface FeedControl {
  /** Records that a feed is blocked by this event. Returns at once; a failure is logged. */
  note(event: StoredEvent, why: Broken): void;
  /**
   * The tickets that block a feed for this release.
   *
   * @throws `LogUnavailable`; as the database does.
   */
  blocked(): Promise<readonly BlockedTicket[]>;
  /**
   * The event of a ticket that a skip would skip; `null` if the ticket does not exist, or does not
   * block the feed.
   *
   * @throws `LogUnavailable`.
   */
  unreadable(ticketId: string): Promise<BlockedTicket | null>;
  /**
   * From now on the feed skips the ticket's unreadable events, and reports that to its readers.
   * Recorded in the log, once.
   *
   * @returns `null` if the ticket does not exist, or this release can read all of it.
   * @throws `LogUnavailable`.
   */
  skip(ticketId: string, by: Actor): Promise<SkippedTicket | null>;
}

export interface BlockedTicket {
  readonly ticketId: string;
  /** `null`: unknown. */
  readonly organisation: string | null;
  /** The event that cannot be read. */
  readonly eventId: string;
  readonly revision: number;
  readonly position: Position;
  /** When it happened. */
  readonly since: Instant;
  readonly error: string;
}

export interface SkippedTicket extends SkippedEvent {
  readonly ticketId: string;
}

export interface FeedControlParts {
  readonly log: EventStore;
  /** Default: an own instance on `log`. */
  readonly changes?: TicketChanges;
  readonly pool: Pool;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Report, 'warn'>;
}

/** Its name among the consumers that park streams. */
const FEED = 'feed/ticket-changes';

export const feedControl = (parts: FeedControlParts): FeedControl => {
  const { log, changes = ticketChanges(log), pool, clock, logger } = parts;
  const skips = feedSkips(log);

  const noted = ({ id, stream, revision, position }: StoredEvent, { error }: Broken) =>
    pool.query(
      `insert into consumers.parked as p
         (consumer, lane, stream, event_id, revision, position, reason, parked_at)
       values ($1, $2, $2, $3, $4, $5, $6, $7)
       on conflict (consumer, lane) do update
         set event_id = excluded.event_id, revision = excluded.revision,
             position = excluded.position, reason = excluded.reason,
             parked_at = excluded.parked_at
         where p.event_id <> excluded.event_id`,
      [FEED, stream, id, revision, position, errorLine(error), clock.now()],
    );

  const forget = (stream: string, revision: number) =>
    pool.query('delete from consumers.parked where consumer = $1 and lane = $2 and revision = $3', [
      FEED,
      stream,
      revision,
    ]);

  /** The first event at or before `revision` that this release cannot read. */
  const brokenAt = async (stream: string, revision: number) => {
    const { broken } = await changes.between(stream, revision, revision);
    if (broken === null) return null;
    const [event] = await log.readStream(stream, { from: broken.revision, limit: 1 });
    return { ...broken, event: event! };
  };

  /** `null`: no longer blocked. */
  const stillBlocked = async (stream: string, revision: number): Promise<BlockedTicket | null> => {
    const broken = await brokenAt(stream, revision);
    if (broken === null) return null;
    const ticketId = keyOf(stream);
    if ((await skips.of(ticketId)).has(broken.revision)) return null;
    const { event, since, error } = broken;
    const { id: eventId, position } = event;
    const organisation = (await changes.ownersOf([event])).get(stream)?.organisation ?? null;
    const at = { eventId, revision: broken.revision, position };
    return { ticketId, organisation, ...at, since, error: errorLine(error) };
  };

  const lastOf = async (stream: string): Promise<StoredEvent | null> =>
    (await log.readStream(stream, { backwards: true, limit: 1 }))[0] ?? null;

  return {
    note(event, why) {
      noted(event, why).catch((error: unknown) =>
        logger.warn({ err: error, stream: event.stream }, 'a blocked ticket was not noted'),
      );
    },

    async blocked() {
      const rows = await checkpoints(pool).parked([FEED]);
      const blockedOf = new Map<string, BlockedTicket>();
      await severalAtOnce(rows.values(), async ({ stream, revision }) => {
        const blocked = await stillBlocked(stream, revision);
        if (blocked) blockedOf.set(stream, blocked);
        else await forget(stream, revision);
      });
      return rows.flatMap(({ stream }) => blockedOf.get(stream) ?? []);
    },

    async unreadable(ticketId) {
      const stream = streamOf('ticket', ticketId);
      const last = await lastOf(stream);
      return last && stillBlocked(stream, last.revision);
    },

    async skip(ticketId, by) {
      const stream = streamOf('ticket', ticketId);
      const last = await lastOf(stream);
      const broken = last && (await brokenAt(stream, last.revision));
      if (broken === null) return null;
      const { event, revision, error } = broken;
      const organisation = (await changes.ownersOf([event])).get(stream)?.organisation ?? null;
      const skipped = { eventId: event.id, revision, reason: errorLine(error) };
      const skip = { ticketId, organisation, ...skipped, at: clock.now(), by };
      return { ticketId, ...(await skips.skip(skip)) };
    },
  };
};
