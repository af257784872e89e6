/**
 * The personal data of one closed ticket expires. Each step may be repeated. contract.md section
 * 11, decision 0124.
 */
import { v5 as uuidFrom } from 'uuid';
import { systemAuthority } from '../../domain/authority.ts';
import type { Configuration } from '../../domain/service-desk/configuration.ts';
import { ticketCodec } from '../../domain/tickets/codecs.ts';
import type { TicketCommand } from '../../domain/tickets/commands.ts';
import { expiryOf, termAfter, type Term } from '../../domain/tickets/expiry.ts';
import { subjectOfTicket } from '../../domain/tickets/personal.ts';
import type { TicketView } from '../../domain/tickets/view.ts';
import type { Aggregate } from '../../engine/aggregates/aggregate.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import { historyOf } from '../../engine/log/history.ts';
import { streamOf } from '../../engine/log/streams.ts';
import type { PersonKeys } from '../../engine/personal/person-keys.ts';
import { monthsAfter, monthsBefore, startOfMonth } from '../../engine/time/calendar.ts';

export const EXPIRY_NAME = 'personal-data-expiry';

export interface ExpireTicketParts {
  readonly log: EventStore;
  readonly tickets: Pick<Aggregate<TicketCommand, TicketView>, 'give'>;
  readonly keys: Pick<PersonKeys, 'keysOf' | 'destroy'>;
  readonly configurationOf: (
    organisation: string,
  ) => Promise<Pick<Configuration, 'personalDataMonths'>>;
}

/** A ticket unchanged since then expires at `now`; `null`: the organisation keeps the data. */
export const unchangedSinceOf = async (
  { configurationOf }: Pick<ExpireTicketParts, 'configurationOf'>,
  organisation: string,
  now: Instant,
): Promise<Instant | null> => {
  const { personalDataMonths } = await configurationOf(organisation);
  return personalDataMonths === undefined ? null : monthsBefore(now, personalDataMonths);
};

/** When a ticket that is unchanged since `since` expires: the first time whose term reaches it. */
export const expiresAt = (since: Instant, months: number): Instant => {
  const at = monthsAfter(since, months);
  // The last day of a shorter month is too early by some days.
  return monthsBefore(at, months) < since ? startOfMonth(at, 1) : at;
};

/**
 * The ticket itself decides whether it is due, so that a concurrent change begins a new term. A
 * kill after the event is recorded leaves the ticket's own keys, which {@link forgetKeysOf}
 * destroys.
 *
 * @returns Whether this call made it expire.
 * @throws As the log and the keys do, and for events that cannot be read.
 */
export const expireTicket = async (
  parts: ExpireTicketParts,
  ticketId: string,
  now: Instant,
): Promise<boolean> => {
  const facts = await historyOf(parts.log, ticketCodec, streamOf('ticket', ticketId));
  const last = facts.at(-1);
  const [opening] = facts;
  if (!last || opening?.event.type !== 'TicketOpened') return false;
  const { organisation } = opening.event;
  const unchangedSince = await unchangedSinceOf(parts, organisation, now);
  if (unchangedSince === null) return false;
  const commandId = uuidFrom('personal-data-expiry', last.id);
  const { erased, attachments: removed } = expiryOf(facts);
  const { recorded } = await parts.tickets.give(
    ticketId,
    {
      commandId,
      organisation,
      command: {
        type: 'ErasePersonalData',
        authority: systemAuthority,
        erasureId: commandId,
        erased,
        removed,
        unchangedSince,
      },
    },
    { at: now, by: { kind: 'system', id: EXPIRY_NAME }, origin: 'system' },
  );
  if (recorded.length === 0) return false;
  await forgetKeysOf(parts, ticketId);
  return true;
};

/**
 * Destroys the keys of a reporter who has this ticket only, once it has expired. Does nothing if
 * the ticket has changed since. Throws as {@link expireTicket} does.
 */
export const forgetKeysOf = async (
  { log, keys }: Pick<ExpireTicketParts, 'log' | 'keys'>,
  ticketId: string,
): Promise<void> => {
  const facts = await historyOf(log, ticketCodec, streamOf('ticket', ticketId));
  const term = facts.reduce<Term | null>((before, fact) => termAfter(fact, before, fact.at), null);
  const [opening] = facts;
  if (!term?.isExpired || opening?.event.type !== 'TicketOpened') return;
  const own = await keys.keysOf(opening.event.organisation, [subjectOfTicket(ticketId)]);
  await keys.destroy(own.map(({ keyId }) => keyId));
};
