import type { Instant } from '../../engine/aggregates/decider.ts';
import type { TicketEvent } from '../../domain/tickets/events.ts';
import { nextDueAt, viewAfter, viewChange, type TicketView } from '../../domain/tickets/view.ts';
import { ticketCodec } from '../../domain/tickets/codecs.ts';
import { keyOf } from '../../engine/log/streams.ts';
import type { Projection } from '../../engine/projections/projection.ts';

/** One row per ticket, for `GET /api/service-desk/requests`: the ticket's view as columns. */
export interface TicketListRow extends TicketView {
  /** The earliest due time of a running clock; the ticket is overdue after it. */
  readonly nextDueAt: Instant | null;
}

/**
 * Instants are stored as text: their form sorts by time in every collation, and the fold reads
 * exactly what it wrote. Objects are `json`, not `jsonb`, for the same reason.
 *
 * Every list starts from one index in its order, `(created_at, id)`, and tests the other filters on
 * columns included in that index; rows are fetched for the page only. An index has at most the
 * category, the person and the team of a caller's free text, whose longest values still fit into a
 * B-tree entry.
 */
export const ticketList: Projection<TicketEvent, TicketListRow> = {
  name: 'ticket-list',
  version: 4,
  categories: ['ticket'],
  codec: ticketCodec,
  keyOf: ({ stream }) => keyOf(stream),
  rowAfter: (recorded, row, inPlace = false) => {
    const { event } = recorded;
    // A row extends a view. A newly created view gets the further members without a copy.
    const view =
      inPlace && row !== null && event.type !== 'TicketOpened'
        ? Object.assign(row, viewChange(event, recorded, row))
        : viewAfter(recorded, row);
    return Object.assign(view, { nextDueAt: nextDueAt(view) });
  },
  table: {
    name: 'ticket_list',
    key: 'id',
    columns: {
      id: 'uuid not null',
      organisationId: 'text not null',
      number: 'text not null',
      buildingId: 'uuid not null',
      storeyId: 'uuid',
      spaceId: 'uuid',
      elementId: 'uuid',
      requestType: 'text not null',
      subject: 'text',
      description: 'text not null',
      priority: 'text not null',
      category: 'text',
      channel: 'text not null',
      reporterName: 'text',
      reporterEmail: 'text',
      reporterPhone: 'text',
      formData: 'json not null',
      metadata: 'json not null',
      state: 'text not null',
      slaFirstResponseDueAt: 'text',
      slaFirstResponseEndedAt: 'text',
      slaFirstResponseBreached: 'boolean not null',
      slaResolutionDueAt: 'text',
      slaResolutionBreached: 'boolean not null',
      slaPauses: 'boolean not null',
      slaPausedAt: 'text',
      firstRespondedAt: 'text',
      resolvedAt: 'text',
      closedAt: 'text',
      assignedUserId: 'text',
      assignedTeamId: 'text',
      workOrderId: 'text',
      workOrderIds: 'json not null',
      workOrderLinks: 'json not null',
      createdAt: 'text not null',
      createdBy: 'json not null',
      updatedAt: 'text not null',
      revision: 'integer not null',
      nextDueAt: 'text',
    },
    // Notes and other changes outside the indexes become heap-only updates on the same page.
    storage: `fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02,
      autovacuum_vacuum_insert_scale_factor = 0.02`,
    indexes: [
      `create index on $table (organisation_id, created_at, id)
         include (building_id, state, priority, category, next_due_at)`,
      `create index on $table (organisation_id, building_id, created_at, id)
         include (state, priority, category, next_due_at)`,
      `create index on $table
         (organisation_id, building_id, state, priority, category, created_at, id)
         include (next_due_at)`,
      `create index on $table (organisation_id, assigned_user_id, created_at, id)
         include (building_id, state, priority, category, next_due_at, assigned_team_id, storey_id)
         where assigned_user_id is not null`,
      `create index on $table (organisation_id, assigned_team_id, created_at, id)
         include (building_id, state, priority, category, next_due_at)
         where assigned_team_id is not null`,
      `create index on $table (organisation_id, storey_id, created_at, id)
         include (building_id, state, priority, category, next_due_at, assigned_team_id)
         where storey_id is not null`,
      `create index on $table (organisation_id, space_id, created_at, id)
         include (building_id, state, priority, category, next_due_at, assigned_team_id)
         where space_id is not null`,
      `create index on $table (organisation_id, element_id, created_at, id)
         where element_id is not null`,
      `create index on $table (organisation_id, next_due_at)
         include (created_at, id, building_id, state, priority, category, assigned_team_id)
         where next_due_at is not null`,
    ],
  },
  tallies: [
    {
      // Totals of lists that may be long: all except those of a person or a location.
      name: 'ticket_count',
      columns: {
        organisationId: 'text not null',
        category: 'text',
        buildingId: 'uuid not null',
        state: 'text not null',
        priority: 'text not null',
      },
      keysOf: ({ organisationId, category, buildingId, state, priority }) => [
        [organisationId, category, buildingId, state, priority],
      ],
    },
    {
      name: 'ticket_count_by_team',
      columns: {
        organisationId: 'text not null',
        assignedTeamId: 'text not null',
        category: 'text',
        buildingId: 'uuid not null',
        state: 'text not null',
        priority: 'text not null',
      },
      keysOf: ({ organisationId, assignedTeamId, category, buildingId, state, priority }) =>
        assignedTeamId === null
          ? []
          : [[organisationId, assignedTeamId, category, buildingId, state, priority]],
    },
    {
      // Totals by month, to find a deep page without scanning up to it.
      name: 'ticket_count_by_month',
      columns: {
        organisationId: 'text not null',
        buildingId: 'uuid not null',
        month: 'text not null',
        state: 'text not null',
        priority: 'text not null',
      },
      keysOf: ({ organisationId, buildingId, createdAt, state, priority }) => [
        [organisationId, buildingId, monthOf(createdAt), state, priority],
      ],
    },
  ],
};

/** The ticket's view from its row. */
export const viewOfRow = (row: TicketListRow): TicketView => {
  const { nextDueAt: _, ...view } = row;
  return view;
};

/** `2026-03`: sorts before every instant of that month and after those of the month before. */
const monthOf = (instant: Instant): string => instant.slice(0, 7);
