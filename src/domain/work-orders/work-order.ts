/**
 * A work order of an external system: the inbox of its events, keyed by their ids, its links to
 * tickets, and the store of events without a ticket.
 *
 * The result does not depend on the order of arrival: an event that names a ticket applies to that
 * ticket, one that names none to every ticket that any event of its work order names, before or
 * after it.
 */
import { compareText } from '../compare-text.ts';
import { growingMap, type GrowingMap } from '../growing-map.ts';
import { tableOf, type Decider, type Instant } from '../../engine/aggregates/decider.ts';
import type { HoldReason, WorkOrderEvent, WorkOrderFact } from './events.ts';

export interface WorkOrderCommand {
  readonly type: 'ReceiveWorkOrderEvent';
  readonly event: WorkOrderEvent;
  /** The ticket that the event names, if its organisation has it. Its building never changes. */
  readonly ticket: { readonly buildingId: string } | null;
}

export interface WorkOrder {
  readonly inbox: GrowingMap<Received>;
  /** Every ticket that an event has named and that is in the building. */
  readonly ticketIds: readonly string[];
}

interface Received {
  readonly event: WorkOrderEvent;
  /** The tickets it was applied to. */
  readonly ticketIds: readonly string[];
  readonly held: HoldReason | null;
}

const decide: Decider<WorkOrderCommand, WorkOrder, WorkOrderFact>['decide'] = (
  { event, ticket },
  { inbox, ticketIds },
) => {
  // Redelivered: the first event with this id counts.
  if (inbox.has(event.eventId)) return [];
  const { ticketId } = event;
  const received = [...inbox.values()];
  // An order is created once for a ticket: a second `created` event is dropped.
  const fresh = received.some((earlier) => isCreatedAgain(event, earlier.event)) ? [] : [event];
  if (ticketId === null) {
    return ticketIds.length === 0
      ? [held(event, 'TICKET_NOT_NAMED')]
      : ticketIds.map((linked) => directed(event, linked));
  }
  if (ticket === null) return fresh.map((received) => held(received, 'TICKET_UNKNOWN'));
  if (ticket.buildingId !== event.buildingId)
    return fresh.map((received) => held(received, 'TICKET_ELSEWHERE'));
  const waited = received.filter(
    (earlier) =>
      !earlier.ticketIds.includes(ticketId) && (earlier.event.ticketId ?? ticketId) === ticketId,
  );
  return [...fresh, ...waited.map((earlier) => earlier.event)]
    .toSorted(byTime)
    .map((applied) => directed(applied, ticketId));
};

const isCreatedAgain = (event: WorkOrderEvent, before: WorkOrderEvent): boolean =>
  event.kind === 'created' && before.kind === 'created' && event.ticketId === before.ticketId;

const evolve = tableOf<WorkOrderFact, [WorkOrder, Instant], WorkOrder>({
  WorkOrderEventHeld: ({ event, reason }, { inbox, ticketIds }) => ({
    inbox: inbox.with(event.eventId, { event, ticketIds: [], held: reason }),
    ticketIds,
  }),
  WorkOrderEventDirected: ({ event, ticketId }, { inbox, ticketIds }) => {
    const before = inbox.get(event.eventId)?.ticketIds ?? [];
    const received = { event, ticketIds: [...before, ticketId], held: null };
    return {
      inbox: inbox.with(event.eventId, received),
      ticketIds: ticketIds.includes(ticketId) ? ticketIds : [...ticketIds, ticketId],
    };
  },
});

/** Refuses nothing: the event has happened elsewhere, and is always stored. */
export const workOrderDecider: Decider<WorkOrderCommand, WorkOrder, WorkOrderFact> = {
  initial: { inbox: growingMap(), ticketIds: [] },
  decide,
  evolve,
};

/** The key of its stream. Order ids are unique per building only, because they are external. */
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

/** In the order of the external system's clock. */
const byTime = (a: WorkOrderEvent, b: WorkOrderEvent): number =>
  compareText(a.occurredAt, b.occurredAt) || compareText(a.eventId, b.eventId);

/** The state that the intake process reads. */
export interface WorkOrderView {
  /** The organisation of its tickets; `null` without tickets. */
  readonly organisation: string | null;
}

export const workOrderAfter = (
  { organisation }: { readonly organisation?: string },
  view: WorkOrderView | null,
): WorkOrderView => ({ organisation: organisation ?? view?.organisation ?? null });
