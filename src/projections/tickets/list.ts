import type { Instant } from '../../engine/aggregates/decider.ts';
import type { TicketEvent } from '../../domain/tickets/events.ts';
import { nextDueAt, viewAfter, viewChange, type TicketView } from '../../domain/tickets/view.ts';
import { ticketCodec } from '../../domain/tickets/codecs.ts';
import { keyOf } from '../../engine/log/streams.ts';
import type { Projection } from '../../engine/projections/projection.ts';

/** One row per ticket, for `GET /api/service-desk/requests`: the ticket's view, as columns. */
export interface TicketListRow extends TicketView {
  /** The least due time of a clock that runs; the ticket is overdue once that has passed. */
  readonly nextDueAt: Instant | null;
}

/**
 * Instants are kept as text: their form sorts in time order in every collation, and what the fold
 * reads back is what it wrote. Objects are `json`, not `jsonb`, for the same reason.
 *
 * Every list starts from one index that already has its order, `(created_at, id)`, and tests the
 * other filters on columns which that index includes; the rows themselves are fetched for the page
 * alone. An index holds at most the category, the person and the team of a caller's free text: as
 * long as they may be, they still fit into what a B-tree takes.
 */
export const ticketList: Projection<TicketEvent, TicketListRow> = {
  name: 'ticket-list',
  version: 4,
  categories: ['ticket'],
  codec: ticketCodec,
  keyOf: ({ stream }) => keyOf(stream),
  rowAfter: (recorded, row, inPlace = false) => {
    const { event } = recorded;
    // A row is a view and more. A view that is a new one takes what is more, and is not copied.
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
    // Notes and other changes that touch no index are then written beside the old version.
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
      // Totals of lists that may be long: all but those of a person or a place.
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
      // Where in time the pages lie, so that a deep page is found without walking there.
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

/** The ticket as the API shows it, out of its row. */
export const viewOfRow = (row: TicketListRow): TicketView => {
  const { nextDueAt: _, ...view } = row;
  return view;
};

/** `2026-03`: sorts before every instant of that month and after those of the month before. */
const monthOf = (instant: Instant): string => instant.slice(0, 7);
