/**
 * A work order of a foreign system: the inbox of its events, keyed by their ids, its links to
 * tickets, and the home of those that are for no ticket yet.
 *
 * What comes out does not depend on the order in which events come: one that names a ticket is for
 * that ticket, one that names none is for every ticket that any event of its work order names,
 * before it or after it.
 */
import { compareText } from '../compare-text.ts';
import { tableOf, type Decider, type Instant } from '../../engine/aggregates/decider.ts';
import type { HoldReason, WorkOrderEvent, WorkOrderFact } from './events.ts';

export interface WorkOrderCommand {
  readonly type: 'ReceiveWorkOrderEvent';
  readonly event: WorkOrderEvent;
  /** The ticket that the event names, where there is one. Its building never changes. */
  readonly ticket: { readonly buildingId: string } | null;
}

export interface WorkOrder {
  readonly inbox: ReadonlyMap<string, Received>;
  /** Every ticket that an event has named and that is in the building. */
  readonly ticketIds: readonly string[];
}

interface Received {
  readonly event: WorkOrderEvent;
  /** The tickets it was handed to. */
  readonly ticketIds: readonly string[];
  readonly held: HoldReason | null;
}

const decide: Decider<WorkOrderCommand, WorkOrder, WorkOrderFact>['decide'] = (
  { event, ticket },
  { inbox, ticketIds },
) => {
  // Redelivered. What came first under this id is the event.
  if (inbox.has(event.eventId)) return [];
  const { ticketId } = event;
  const received = [...inbox.values()];
  // An order is created once for a ticket, whatever its system calls that.
  const news = received.some((one) => isCreatedAgain(event, one.event)) ? [] : [event];
  if (ticketId === null) {
    return ticketIds.length === 0
      ? [held(event, 'TICKET_NOT_NAMED')]
      : ticketIds.map((linked) => directed(event, linked));
  }
  if (ticket === null) return news.map((one) => held(one, 'TICKET_UNKNOWN'));
  if (ticket.buildingId !== event.buildingId)
    return news.map((one) => held(one, 'TICKET_ELSEWHERE'));
  const waited = received.filter(
    (one) => !one.ticketIds.includes(ticketId) && (one.event.ticketId ?? ticketId) === ticketId,
  );
  return [...news, ...waited.map((one) => one.event)]
    .toSorted(byTime)
    .map((one) => directed(one, ticketId));
};

const isCreatedAgain = (event: WorkOrderEvent, before: WorkOrderEvent): boolean =>
  event.kind === 'created' && before.kind === 'created' && event.ticketId === before.ticketId;

const evolve = tableOf<WorkOrderFact, [WorkOrder, Instant], WorkOrder>({
  WorkOrderEventHeld: ({ event, reason }, { inbox, ticketIds }) => ({
    inbox: new Map(inbox).set(event.eventId, { event, ticketIds: [], held: reason }),
    ticketIds,
  }),
  WorkOrderEventDirected: ({ event, ticketId }, { inbox, ticketIds }) => {
    const before = inbox.get(event.eventId)?.ticketIds ?? [];
    const received = { event, ticketIds: [...before, ticketId], held: null };
    return {
      inbox: new Map(inbox).set(event.eventId, received),
      ticketIds: ticketIds.includes(ticketId) ? ticketIds : [...ticketIds, ticketId],
    };
  },
});

/** Refuses nothing: what comes has happened elsewhere, and is kept whatever it says. */
export const workOrderDecider: Decider<WorkOrderCommand, WorkOrder, WorkOrderFact> = {
  initial: { inbox: new Map(), ticketIds: [] },
  decide,
  evolve,
};

/** The key of its stream. Ids of the other system are its own; a building is ours. */
export const workOrderKey = ({
  buildingId,
  workOrderId,
}: Pick<WorkOrderEvent, 'buildingId' | 'workOrderId'>): string => `${buildingId}.${workOrderId}`;

const held = (event: WorkOrderEvent, reason: HoldReason): WorkOrderFact => ({
  type: 'WorkOrderEventHeld',
  event,
  reason,
});

const directed = (event: WorkOrderEvent, ticketId: string): WorkOrderFact => ({
  type: 'WorkOrderEventDirected',
  event,
  ticketId,
});

/** As it went in the other system, as far as its clock can tell. */
const byTime = (a: WorkOrderEvent, b: WorkOrderEvent): number =>
  compareText(a.occurredAt, b.occurredAt) || compareText(a.eventId, b.eventId);

/** What its process needs to know of it. */
export interface WorkOrderView {
  /** Of its tickets; `null` while it has none. */
  readonly organisation: string | null;
}

export const workOrderAfter = (
  { organisation }: { readonly organisation?: string },
  view: WorkOrderView | null,
): WorkOrderView => ({ organisation: organisation ?? view?.organisation ?? null });
