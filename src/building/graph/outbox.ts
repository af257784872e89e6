/**
 * The transactional outbox of the graph: announcements are written in the transaction of the change
 * itself. After a crash between that commit and the append, the next relay finds the row.
 */
import type { ClientBase } from 'pg';
import { v7 as newId } from 'uuid';
import { lockName } from '../../engine/postgres/advisory-lock.ts';
import { journalKeyOf, type BuildingEvent } from '../../domain/buildings/events.ts';
import { type TelemetryEvent } from '../../domain/telemetry/events.ts';
import {
  FAULT_TICKET_CATEGORY,
  type FaultTicketEvent,
} from '../../domain/telemetry/fault-events.ts';
import type { Instant, Occasion } from '../../engine/aggregates/decider.ts';
import { streamOf } from '../../engine/log/streams.ts';

/** The event's metadata in the log. */
export interface AnnouncementRecord extends Occasion {
  readonly commandId: string;
  readonly organisation: string;
  /** The causing span: the event is appended later, outside any span. */
  readonly traceparent?: string | undefined;
}

export type Announced = BuildingEvent | TelemetryEvent | FaultTicketEvent;

/** An event to be appended to the log. */
export interface Announcement {
  readonly id: string;
  readonly stream: string;
  readonly event: Announced;
  readonly record: AnnouncementRecord;
}

/** An announcement in the outbox. */
export interface WaitingAnnouncement extends Announcement {
  /** Size of its event in bytes. */
  readonly size: number;
  /** Announcements in the outbox when it was read. */
  readonly waiting: number;
}

/** The journal of a building's samples. Announcements are written together with the samples. */
export const telemetryStream = (buildingId: string, at: Instant): string =>
  streamOf('telemetry', journalKeyOf(buildingId, at));

/** Puts an announcement into the outbox, in the caller's transaction. */
export const announce = (
  client: ClientBase,
  event: Announced,
  record: AnnouncementRecord,
): Promise<void> => announceAll(client, [event], record);

/** Stores several announcements, to be appended in this order. */
export const announceAll = async (
  client: ClientBase,
  events: readonly Announced[],
  record: AnnouncementRecord,
): Promise<void> => {
  await client.query(
    `insert into graph.announcement (id, stream, event, record)
     select id, stream, event, $4
     from unnest($1::uuid[], $2::text[], $3::json[]) with ordinality as n (id, stream, event, place)
     order by place`,
    [
      events.map(() => newId()),
      events.map((event) => streamFor(event, record.at)),
      events.map((event) => JSON.stringify(event)),
      JSON.stringify(record),
    ],
  );
};

const streamFor = (event: Announced, at: Instant): string => {
  switch (event.type) {
    case 'BuildingImported':
      return streamOf('building', journalKeyOf(event.buildingId, at));
    case 'PointsUpdated':
    case 'AlarmTriggered':
    case 'FaultCreated':
      return telemetryStream(event.buildingId, at);
    case 'FaultTicketDue':
    case 'FaultClosed':
    case 'FaultReopened':
      return streamOf(FAULT_TICKET_CATEGORY, event.faultId);
  }
};

/** A mutex of all relays, held until the transaction ends. */
export const lockRelays = (client: ClientBase) => lockName(client, 'atrium/announcements');

/** Whether the outbox has an announcement; without {@link lockRelays} a relay may be moving it. */
export const hasAnnouncements = async (db: Pick<ClientBase, 'query'>): Promise<boolean> => {
  const { rows } = await db.query<{ waits: boolean }>({
    name: 'announcements exist',
    text: 'select exists (select from graph.announcement) as waits',
  });
  return rows[0]!.waits;
};

/**
 * The next announcements, each journal's oldest first and round-robin between journals, so that a
 * large backlog of one journal does not delay another. Their rows are locked for relays of earlier
 * releases, which do not use {@link lockRelays}.
 *
 * @param bounds At most `count` announcements, and `storedBytes` of their events as stored, except
 *   that a single larger event is returned.
 */
export const waitingAnnouncements = async (
  client: ClientBase,
  bounds: { readonly count: number; readonly storedBytes: number },
): Promise<readonly WaitingAnnouncement[]> => {
  const { rows } = await client.query<WaitingAnnouncement>({
    name: 'announcements waiting',
    // The stored size is known without reading the event; the length of its text is not.
    text: `with line as (
             select id, place, pg_column_size(event) as size,
               row_number() over (partition by stream order by place) as turn
             from graph.announcement
           ), first as materialized (
             select id, turn, sum(size) over (order by turn, place) - size as before
             from line order by turn, place limit $1
           )
           select id, stream, event, record, octet_length(event::text) as size,
             (select count(*) from line)::int as waiting
           from first join graph.announcement using (id)
           where before < $2
           order by turn, place for update of announcement`,
    values: [bounds.count, bounds.storedBytes],
  });
  return rows;
};

/** The ids that are still in the outbox. */
export const waitingOf = async (
  client: ClientBase,
  ids: readonly string[],
): Promise<readonly string[]> => {
  const { rows } = await client.query<{ id: string }>(
    'select id from graph.announcement where id = any($1::uuid[])',
    [ids],
  );
  return rows.map(({ id }) => id);
};

export const forgetAnnouncements = (client: ClientBase, ids: readonly string[]) =>
  client.query('delete from graph.announcement where id = any($1::uuid[])', [ids]);
