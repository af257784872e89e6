import type { Instant } from '../../engine/aggregates/decider.ts';
import type { TicketEvent } from '../../domain/tickets/events.ts';
import {
  nextDueAt,
  reporterOf,
  viewAfter,
  viewChange,
  type TicketView,
} from '../../domain/tickets/view.ts';
import { ticketCodec } from '../../domain/tickets/codecs.ts';
import { publicTicket, type PublicTicket } from '../../domain/tickets/public-ticket.ts';
import { keyOf } from '../../engine/log/streams.ts';
import type { Projection } from '../../engine/projections/projection.ts';

/** One row per ticket, for `GET /api/service-desk/requests`: the ticket's view. */
export interface TicketListRow extends TicketView {
  /** The earliest due time of a running clock; the ticket is overdue after it. */
  readonly nextDueAt: Instant | null;
  /** The user who raised it; `null` if a program or the platform did. */
  readonly reporterUserId: string | null;
}

/**
 * The document is the ticket as the API prints it, so that a page of a list concatenates the texts
 * of its rows: docs/decisions/0019. Columns hold the members that queries filter and sort by, and
 * those that are not public.
 *
 * Instants are stored as text: their form sorts by time in every collation, and the fold reads
 * exactly what it wrote. Objects are `json`, not `jsonb`, for the same reason.
 *
 * A list in another order (`updated_at`, `next_due_at`, `priority`) either walks the index of that
 * order, or sorts the result of a selective filter; both read included columns only, and rows are
 * fetched for the page. Of free text, an index includes at most the category, the person and the
 * team, whose longest values still fit into a B-tree entry.
 */
export const ticketList: Projection<TicketEvent, TicketListRow> = {
  name: 'ticket-list',
  version: 9,
  categories: ['ticket'],
  codec: ticketCodec,
  keyOf: ({ stream }) => keyOf(stream),
  rowAfter: (recorded, row, inPlace = false) => {
    const { event } = recorded;
    // A row extends a view: a newly created view is extended in place, without a copy.
    const view =
      inPlace && row !== null && event.type !== 'TicketOpened'
        ? Object.assign(row, viewChange(event, recorded, row))
        : viewAfter(recorded, row);
    return Object.assign(view, { nextDueAt: nextDueAt(view), reporterUserId: reporterOf(view) });
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
      priority: 'text not null',
      category: 'text',
      reporterEmail: 'text',
      state: 'text not null',
      slaFirstResponseEndedAt: 'text',
      slaPauses: 'boolean not null',
      assignedUserId: 'text',
      assignedTeamId: 'text',
      workOrderLinks: 'json not null',
      createdAt: 'text not null',
      updatedAt: 'text not null',
      nextDueAt: 'text',
      reporterUserId: 'text',
    },
    document: { column: 'ticket', of: publicTicket },
    // Leaves room on each page, so that a changed row stays on it.
    storage: `fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02,
      autovacuum_vacuum_insert_scale_factor = 0.02`,
    indexes: [
      `create index on $table (organisation_id, created_at, id)
         include (building_id, state, priority, category, next_due_at)`,
      `create index on $table (organisation_id, building_id, created_at, id)
         include (state, priority, category, next_due_at)`,
      `create index on $table
         (organisation_id, building_id, state, priority, category, created_at, id)
         include (next_due_at, updated_at)`,
      `create index on $table (organisation_id, assigned_user_id, created_at, id)
         include (building_id, state, priority, category, next_due_at, updated_at,
           assigned_team_id, storey_id)
         where assigned_user_id is not null`,
      `create index on $table (organisation_id, assigned_team_id, created_at, id)
         include (building_id, state, priority, category, next_due_at, updated_at)
         where assigned_team_id is not null`,
      `create index on $table (organisation_id, storey_id, created_at, id)
         include (building_id, state, priority, category, next_due_at, updated_at,
           assigned_team_id)
         where storey_id is not null`,
      `create index on $table (organisation_id, space_id, created_at, id)
         include (building_id, state, priority, category, next_due_at, updated_at,
           assigned_team_id)
         where space_id is not null`,
      `create index on $table (organisation_id, element_id, created_at, id)
         where element_id is not null`,
      `create index on $table (organisation_id, reporter_user_id, created_at, id)
         include (building_id, state, priority, category, next_due_at, updated_at)
         where reporter_user_id is not null`,
      `create index on $table (organisation_id, next_due_at, id)
         include (created_at, building_id, state, priority, category, assigned_team_id, storey_id)
         where next_due_at is not null`,
      `create index on $table (organisation_id, id)
         include (building_id, state, priority, category, assigned_team_id, storey_id)
         where next_due_at is null`,
      'create index on $table (organisation_id, number)',
      `create index on $table (organisation_id, updated_at, id)
         include (building_id, state, priority, category, next_due_at, assigned_team_id,
           storey_id)`,
      `create index on $table (organisation_id, priority, id)
         include (building_id, state, category, next_due_at, assigned_team_id, storey_id)`,
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
        clock: 'text not null',
      },
      keysOf: (row) => {
        const { organisationId, category, buildingId, state, priority } = row;
        return [[organisationId, category, buildingId, state, priority, clockOf(row)]];
      },
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
        clock: 'text not null',
      },
      keysOf: (row) => {
        const { organisationId, assignedTeamId, category, buildingId, state, priority } = row;
        if (assignedTeamId === null) return [];
        const clock = clockOf(row);
        return [[organisationId, assignedTeamId, category, buildingId, state, priority, clock]];
      },
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

/** A ticket's members in the table. */
export interface StoredTicket extends Pick<
  TicketView,
  Exclude<keyof TicketView, keyof PublicTicket>
> {
  /** {@link PublicTicket} as JSON. */
  readonly ticket: string;
}

export const viewOfStored = ({ ticket, ...others }: StoredTicket): TicketView => ({
  ...(JSON.parse(ticket) as PublicTicket),
  ...others,
});

/** Whether a clock runs: the tickets that a list by due time begins with. */
const clockOf = ({ nextDueAt: dueAt }: TicketListRow) => (dueAt === null ? 'none' : 'running');

/** `2026-03`: sorts before every instant of that month and after those of the month before. */
const monthOf = (instant: Instant): string => instant.slice(0, 7);
