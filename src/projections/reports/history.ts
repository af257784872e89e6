import { daysOf, historyAfter, type TicketHistory } from '../../domain/reports/history.ts';
import { ticketCodec } from '../../domain/tickets/codecs.ts';
import type { TicketEvent } from '../../domain/tickets/events.ts';
import { keyOf } from '../../engine/log/streams.ts';
import type { Projection } from '../../engine/projections/projection.ts';

/** The history of one ticket. */
export interface TicketReportRow extends TicketHistory {
  /** The days on which a report may count it, in UTC, from 1970-01-01. */
  readonly days: readonly number[];
}

/**
 * One row per ticket with everything that reports count, because percentiles cannot be added up
 * from counters. A row is written only when a reported member changes.
 *
 * A report reads the tickets of its days by an index of `days`, so its cost depends on the activity
 * in its period, not on the size of the table. Times are milliseconds since 1970, which a double
 * holds exactly, because queries compute with them.
 */
export const ticketReports: Projection<TicketEvent, TicketReportRow> = {
  name: 'ticket-reports',
  version: 2,
  categories: ['ticket'],
  codec: ticketCodec,
  keyOf: ({ stream }) => keyOf(stream),
  rowAfter: (recorded, row) => {
    const history = historyAfter(recorded, row);
    return history === row ? row : { ...history, days: daysOf(history) };
  },
  table: {
    name: 'ticket_history',
    key: 'id',
    columns: {
      id: 'uuid not null',
      organisationId: 'text not null',
      buildingId: 'uuid not null',
      storeyId: 'uuid',
      spaceId: 'uuid',
      elementId: 'uuid',
      category: 'text',
      assignedTeamId: 'text',
      priority: 'text not null',
      createdAt: 'double precision not null',
      states: 'text[] not null',
      since: 'double precision[] not null',
      openUntil: 'double precision',
      respondedAt: 'double precision',
      hasFirstResponseClock: 'boolean not null',
      firstResponseMetAt: 'double precision',
      firstResponseMissedAt: 'double precision',
      hasResolutionClock: 'boolean not null',
      resolutionMissedAt: 'double precision',
      days: 'integer[] not null',
    },
    extensions: ['btree_gin'],
    storage: `fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02,
      autovacuum_vacuum_insert_scale_factor = 0.02`,
    indexes: [
      `create index on $table using gin (organisation_id, days)`,
      // The backlog at the beginning of a period.
      `create index on $table (organisation_id, open_until, created_at)`,
    ],
  },
};
