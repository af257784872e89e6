/** The two SLA clocks of a ticket. */
import type { components } from '../../../../sdk/src/index.ts';

type Ticket = components['schemas']['Ticket'];

export interface Clock {
  readonly name: string;
  readonly dueAt: string | null;
  /** When it stopped; `null` while it runs. */
  readonly endedAt: string | null;
  readonly isBreached: boolean;
  /** When it was paused; `null` while it runs, and for one that was overdue before the pause. */
  readonly pausedAt: string | null;
}

const ENDED: ReadonlySet<Ticket['state']> = new Set(['resolved', 'closed', 'cancelled']);

const pausedAtOf = (
  { slaPausedAt }: Ticket,
  { dueAt, endedAt, isBreached }: Omit<Clock, 'pausedAt'>,
): string | null =>
  slaPausedAt !== null &&
  endedAt === null &&
  !isBreached &&
  dueAt !== null &&
  Date.parse(slaPausedAt) < Date.parse(dueAt)
    ? slaPausedAt
    : null;

export const clocksOf = (ticket: Ticket): readonly Clock[] => {
  const end = ENDED.has(ticket.state) ? (ticket.resolvedAt ?? ticket.updatedAt) : null;
  const clocks = [
    {
      name: 'First response',
      dueAt: ticket.slaFirstResponseDueAt,
      endedAt: ticket.firstRespondedAt ?? end,
      isBreached: ticket.slaFirstResponseBreached,
    },
    {
      name: 'Resolution',
      dueAt: ticket.slaResolutionDueAt,
      endedAt: end,
      isBreached: ticket.slaResolutionBreached,
    },
  ];
  return clocks.map((clock) => ({ ...clock, pausedAt: pausedAtOf(ticket, clock) }));
};

/** A clock that has not ended, paused or not. */
export interface OpenClock extends Clock {
  readonly dueAt: string;
}

export const openClocksOf = (ticket: Ticket): readonly OpenClock[] =>
  clocksOf(ticket).flatMap((clock) => {
    const { dueAt, endedAt } = clock;
    return dueAt !== null && endedAt === null ? [{ ...clock, dueAt }] : [];
  });
