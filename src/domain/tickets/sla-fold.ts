/** The effect of facts on the clocks and their warnings: shared by rules, views and timers. */
import { tableOf, type Instant } from '../../engine/aggregates/decider.ts';
import type { SlaClock, TicketEvent, TicketFact } from './events.ts';
import { isWorkOver, type SlaStanding } from './sla.ts';
import type { SlaWarnings } from './sla-occasions.ts';

/** The facts that affect the clocks of an opened ticket. */
export type SlaEvent = TicketFact<keyof typeof slaEventTypes>;

const slaEventTypes = {
  TicketTransitioned: true,
  FirstResponseMade: true,
  SlaClockBreached: true,
  SlaWarningRaised: true,
  SlaDuesMoved: true,
} as const;

export const isSlaEvent = (event: TicketEvent): event is SlaEvent =>
  Object.hasOwn(slaEventTypes, event.type);

/** The clocks of a ticket at its opening. */
export const standingAtOpening = ({
  slaFirstResponseDueAt,
  slaResolutionDueAt,
  slaPause,
}: TicketFact<'TicketOpened'>): SlaStanding => ({
  state: 'new',
  slaFirstResponseDueAt,
  slaFirstResponseEndedAt: null,
  slaFirstResponseBreached: false,
  slaResolutionDueAt,
  slaResolutionBreached: false,
  slaPauses: slaPause !== undefined,
  slaPausedAt: null,
});

export const standingBy = tableOf<SlaEvent, [SlaStanding, Instant], Partial<SlaStanding>>({
  TicketTransitioned: ({ to }, { slaFirstResponseEndedAt: endedAt, slaPauses }, at) => ({
    state: to,
    slaFirstResponseEndedAt: endedAt ?? (isWorkOver(to) ? at : null),
    slaPausedAt: slaPauses && to === 'waiting' ? at : null,
  }),
  FirstResponseMade: (_, { slaFirstResponseEndedAt: endedAt }, at) => ({
    slaFirstResponseEndedAt: endedAt ?? at,
  }),
  SlaClockBreached: ({ clock }) =>
    clock === 'first_response'
      ? { slaFirstResponseBreached: true }
      : { slaResolutionBreached: true },
  SlaWarningRaised: () => ({}),
  SlaDuesMoved: ({ slaFirstResponseDueAt, slaResolutionDueAt }) => ({
    slaFirstResponseDueAt,
    slaResolutionDueAt,
  }),
});

/** The warnings of a ticket opened at `at`. */
export const warningsAtOpening = (
  { slaWarning, slaFirstResponseDueAt, slaResolutionDueAt }: TicketFact<'TicketOpened'>,
  at: Instant,
): SlaWarnings =>
  slaWarning
    ? {
        slaFirstResponseWarnsAt: slaWarning.firstResponseAt,
        slaResolutionWarnsAt: slaWarning.resolutionAt,
      }
    : {
        slaFirstResponseWarnsAt: defaultWarning(at, slaFirstResponseDueAt),
        slaResolutionWarnsAt: defaultWarning(at, slaResolutionDueAt),
      };

export const warningsBy = tableOf<SlaEvent, [], Partial<SlaWarnings>>({
  TicketTransitioned: () => ({}),
  FirstResponseMade: () => ({}),
  // A breached clock no longer warns.
  SlaClockBreached: ({ clock }) => warned(clock),
  SlaWarningRaised: ({ clock }) => warned(clock),
  SlaDuesMoved: ({ warnings }) => ({
    slaFirstResponseWarnsAt: warnings.firstResponseAt,
    slaResolutionWarnsAt: warnings.resolutionAt,
  }),
});

const warned = (clock: SlaClock): Partial<SlaWarnings> =>
  clock === 'first_response' ? { slaFirstResponseWarnsAt: null } : { slaResolutionWarnsAt: null };

/** For tickets whose opening does not record their warnings. */
const DEFAULT_WARNING_PERCENT = 80;

const defaultWarning = (openedAt: Instant, dueAt: Instant | null): Instant | null => {
  if (dueAt === null) return null;
  const start = Date.parse(openedAt);
  const spanMs = Date.parse(dueAt) - start;
  return new Date(start + Math.floor((spanMs * DEFAULT_WARNING_PERCENT) / 100)).toISOString();
};
