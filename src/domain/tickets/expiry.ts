/**
 * Retention: the personal data of a closed ticket expires after a term. The keys of its persons may
 * still be in use and are kept, so earlier events are shown as if they were destroyed. contract.md
 * section 11, docs/decisions/0124.
 */
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { ErasedPart } from '../../engine/log/codec.ts';
import { daysAfter } from '../../engine/time/calendar.ts';
import { erasedIn, type ErasedTicket } from './erased-in.ts';
import { ERASED_FILE, erasedActor } from './erasure.ts';
import type { TicketEvent } from './events.ts';
import { isTerminal, type TicketState } from './graph.ts';
import { ticketEventTypes } from './personal.ts';
import type { RecordedTicketEvent } from './view.ts';

export const isExpiry = (event: TicketEvent): boolean =>
  event.type === 'TicketPersonalDataErased' && event.expired === true;

/** Pure, idempotent. The event with placeholders for all personal members. */
export const asExpired = <Fact extends RecordedTicketEvent>(fact: Fact): Fact => {
  const { event, by, origin } = fact;
  const { type, ...data } = event;
  const shown = { stream: '', data, actor: by, origin };
  const parts = ticketEventTypes[type].personal?.partsOf(shown) ?? [];
  const erased = new Set<ErasedPart>(fact.erased);
  for (const { purpose } of parts) erased.add(purpose);
  if (by.kind === 'user') erased.add('actor');
  if (erased.size === 0) return fact;
  const standIns = Object.assign({}, ...parts.map((part) => part.standIns)) as Partial<TicketEvent>;
  return {
    ...fact,
    by: by.kind === 'user' ? erasedActor : by,
    event: { ...event, ...standIns } as TicketEvent,
    erased: [...erased],
  };
};

/** What a replayed command may still show. */
export const ticketExpiry = { isExpiry, asExpired };

/** All events of a ticket; events up to its last expiry are returned without personal data. */
export const shownFacts = <Fact extends RecordedTicketEvent>(
  facts: readonly Fact[],
): readonly Fact[] => {
  const last = facts.findLastIndex(({ event }) => isExpiry(event));
  return last === -1 ? facts : facts.map((fact, at) => (at <= last ? asExpired(fact) : fact));
};

/** The members that a ticket loses when its personal data expires, by all its events. */
export const expiryOf = (facts: readonly RecordedTicketEvent[]): ErasedTicket =>
  erasedIn(facts.map(asExpired));

/** An event, and its members that were erased since. */
export type ShownEvent = Pick<RecordedTicketEvent, 'event' | 'erased'>;

/**
 * Whether the event restarts the term until the next expiry. The removals of an expiry itself do
 * not: they are recorded without a file name. A removal whose name was erased later does.
 */
export const restartsTerm = ({ event, erased = [] }: ShownEvent): boolean =>
  event.type !== 'TicketPersonalDataErased' &&
  !(event.type === 'AttachmentRemoved' && event.name === ERASED_FILE && !erased.includes('texts'));

export interface Term {
  /** When the term began: the time of the last event that restarts it. */
  readonly changedAt: Instant;
  /** The personal data has expired, and none was added since. */
  readonly isExpired: boolean;
}

export const termAfter = (shown: ShownEvent, before: Term | null, at: Instant): Term => {
  if (before === null || restartsTerm(shown)) return { changedAt: at, isExpired: false };
  return isExpiry(shown.event) ? { ...before, isExpired: true } : before;
};

/** Whether the ticket's personal data expires: it is closed, and unchanged since then. */
export const expires = (
  { state, term }: { readonly state: TicketState; readonly term: Term },
  unchangedSince: Instant,
): boolean => isTerminal(state) && !term.isExpired && term.changedAt <= unchangedSince;

/** Whether data recorded at `at` may have expired: no term is shorter than the shortest month. */
export const mayHaveExpired = (at: Instant, now: Instant): boolean =>
  daysAfter(at, EXPIRY_DAYS_MIN) <= now;

const EXPIRY_DAYS_MIN = 28;
