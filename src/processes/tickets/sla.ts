/**
 * The SLA timers of tickets: one per clock, for its warning and then for its breach. A row is
 * folded from the ticket's facts, so that it is as durable as the log; a firing only gives a
 * command, and the ticket decides. contract.md section 5.
 *
 * Each clock has its own table: a firing is identified by its row and due time, and both clocks of
 * a ticket may be due at the same instant.
 */
import { systemAuthority } from '../../domain/authority.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { TicketCommand } from '../../domain/tickets/commands.ts';
import { slaClocks, type SlaClock, type TicketEvent } from '../../domain/tickets/events.ts';
import { isTerminal } from '../../domain/tickets/graph.ts';
import type { SlaStanding } from '../../domain/tickets/sla.ts';
import {
  isSlaEvent,
  standingAtOpening,
  standingBy,
  warningsAtOpening,
  warningsBy,
} from '../../domain/tickets/sla-fold.ts';
import {
  nextOccasion,
  type SlaOccasion,
  type SlaWarnings,
} from '../../domain/tickets/sla-occasions.ts';
import type { Projection } from '../../engine/projections/projection.ts';
import type { TicketView } from '../../domain/tickets/view.ts';
import type { Aggregate } from '../../engine/aggregates/aggregate.ts';
import { ticketCodec } from '../../domain/tickets/codecs.ts';
import { keyOf } from '../../engine/log/streams.ts';
import { commandsTo, type CommandEffect } from '../../engine/processes/effects.ts';
import type { DueTable, TimerTable } from '../../engine/timers/timer-table.ts';

/** A clock that may yet warn or be breached. */
export interface SlaTimer extends SlaStanding, SlaWarnings {
  readonly ticketId: string;
  readonly organisationId: string;
  /** `null` while the clock is paused, and while a reopen may restart it. */
  readonly occasion: SlaOccasion['kind'] | null;
  readonly dueAt: Instant | null;
}

const nameOf = (clock: SlaClock) => `ticket-sla-${clock.replaceAll('_', '-')}`;

const timersOf = (clock: SlaClock): Projection<TicketEvent, SlaTimer> => ({
  name: nameOf(clock),
  version: 1,
  categories: ['ticket'],
  codec: ticketCodec,
  table: {
    name: 'clock',
    key: 'ticketId',
    columns: {
      ticketId: 'uuid not null',
      organisationId: 'text not null',
      state: 'text not null',
      slaFirstResponseDueAt: 'text',
      slaFirstResponseEndedAt: 'text',
      slaFirstResponseBreached: 'boolean not null',
      slaFirstResponseWarnsAt: 'text',
      slaResolutionDueAt: 'text',
      slaResolutionBreached: 'boolean not null',
      slaResolutionWarnsAt: 'text',
      slaPauses: 'boolean not null',
      slaPausedAt: 'text',
      occasion: 'text',
      dueAt: 'timestamptz',
    },
    indexes: ['create index on $table (due_at) where due_at is not null'],
  },
  keyOf: ({ stream }) => keyOf(stream),
  rowAfter: ({ event, at }, row) => {
    if (event.type === 'TicketOpened') {
      const { ticketId, organisation: organisationId } = event;
      const clocks = { ...standingAtOpening(event), ...warningsAtOpening(event, at) };
      return timed(clock, { ticketId, organisationId, ...clocks });
    }
    // Most events do not concern a clock, and most tickets have none left: no row is written.
    if (row === null || !isSlaEvent(event)) return row;
    return timed(clock, { ...row, ...standingBy(event, row, at), ...warningsBy(event) });
  },
});

const timed = (clock: SlaClock, ticket: Omit<SlaTimer, 'occasion' | 'dueAt'>): SlaTimer | null => {
  if (isOver(clock, ticket)) return null;
  const next = nextOccasion(ticket, clock);
  return { ...ticket, occasion: next?.kind ?? null, dueAt: next?.at ?? null };
};

/** No later event of the ticket can make this clock due again. */
const isOver = (clock: SlaClock, ticket: SlaStanding): boolean =>
  clock === 'first_response'
    ? ticket.slaFirstResponseDueAt === null ||
      ticket.slaFirstResponseEndedAt !== null ||
      ticket.slaFirstResponseBreached
    : ticket.slaResolutionDueAt === null ||
      ticket.slaResolutionBreached ||
      isTerminal(ticket.state);

const projections: Readonly<Record<SlaClock, Projection<TicketEvent, SlaTimer>>> = {
  first_response: timersOf('first_response'),
  resolution: timersOf('resolution'),
};

/** The timers of both clocks. Their names name schemas and commands: never changed. */
export const slaProjections: readonly Projection<TicketEvent, SlaTimer>[] =
  Object.values(projections);

const tableOf = (clock: SlaClock) =>
  ({ name: nameOf(clock), projection: projections[clock], dueAt: 'dueAt' }) as const;

export const slaTimers: readonly DueTable[] = slaClocks.map(tableOf);

interface AboutClock extends CommandEffect<TicketCommand> {
  readonly kind: 'ticket';
}

/** Both clocks' timers. */
export const ticketSla = (
  tickets: Pick<Aggregate<TicketCommand, TicketView>, 'give'>,
): readonly TimerTable<SlaTimer, AboutClock>[] =>
  slaClocks.map((clock) => ({
    ...tableOf(clock),
    origin: 'sla',
    fire: ({ ticketId, organisationId, occasion }) => ({
      kind: 'ticket',
      id: ticketId,
      organisation: organisationId,
      command: {
        type: occasion === 'warning' ? 'RaiseSlaWarning' : 'RecordSlaBreach',
        authority: systemAuthority,
        clock,
      },
    }),
    effects: { ticket: commandsTo(tickets) },
  }));
