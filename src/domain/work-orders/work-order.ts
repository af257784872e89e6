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
import {
  refuse,
  tableOf,
  type Decider,
  type Instant,
  type Refusal,
} from '../../engine/aggregates/decider.ts';
import type { HoldReason, WorkOrderEvent, WorkOrderFact } from './events.ts';
import {
  WORK_ORDER_APPENDED_MAX,
  WORK_ORDER_CHARACTERS_MAX,
  WORK_ORDER_TICKETS_MAX,
} from './limits.ts';

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
  /** Of all events in the inbox. */
  readonly characters: number;
}

interface Received {
  readonly event: WorkOrderEvent;
  /** The tickets it was applied to. */
  readonly ticketIds: readonly string[];
  readonly held: HoldReason | null;
}

/**
 * Decides on an event, or on what earlier portions of its decision have left. At most
 * {@link WORK_ORDER_APPENDED_MAX} facts, because each has all texts of an event.
 */
const decide: Decider<WorkOrderCommand, WorkOrder, WorkOrderFact>['decide'] = (
  { event, ticket },
  order,
) => {
  const received = order.inbox.get(event.eventId);
  // Redelivered: the first event with this id counts.
  if (received) return received.held === null ? portionOf(leftOf(order, received)) : [];
  const { ticketId } = event;
  // An order is created once for a ticket: a second `created` event is dropped.
  const isAgain = [...order.inbox.values()].some((one) => isCreatedAgain(event, one.event));
  const fresh = isAgain ? [] : [event];
  if (fresh.length > 0 && order.characters + charactersOf(event) > WORK_ORDER_CHARACTERS_MAX)
    return full;
  if (ticketId === null) {
    return order.ticketIds.length === 0
      ? [held(event, 'TICKET_NOT_NAMED')]
      : portionOf(leftOf(order, { event, ticketIds: [] }));
  }
  if (ticket === null) return fresh.map((received) => held(received, 'TICKET_UNKNOWN'));
  if (ticket.buildingId !== event.buildingId)
    return fresh.map((received) => held(received, 'TICKET_ELSEWHERE'));
  if (!order.ticketIds.includes(ticketId) && order.ticketIds.length >= WORK_ORDER_TICKETS_MAX)
    return full;
  return portionOf(directedTo(ticketId, [...fresh, ...waitingFor(ticketId, order)]));
};

/** What is still to be recorded of an event that is directed to these tickets. */
const leftOf = (
  order: WorkOrder,
  { event, ticketIds }: Pick<Received, 'event' | 'ticketIds'>,
): readonly WorkOrderFact[] =>
  event.ticketId === null
    ? order.ticketIds
        .filter((linked) => !ticketIds.includes(linked))
        .map((linked) => directed(event, linked))
    : directedTo(event.ticketId, waitingFor(event.ticketId, order));

/** The received events that apply to the ticket and are not directed to it yet. */
const waitingFor = (ticketId: string, { inbox }: WorkOrder): readonly WorkOrderEvent[] =>
  [...inbox.values()]
    .filter(
      ({ event, ticketIds }) =>
        !ticketIds.includes(ticketId) && (event.ticketId ?? ticketId) === ticketId,
    )
    .map(({ event }) => event);

const directedTo = (ticketId: string, events: readonly WorkOrderEvent[]) =>
  events.toSorted(byTime).map((event) => directed(event, ticketId));

const portionOf = (facts: readonly WorkOrderFact[]) => facts.slice(0, WORK_ORDER_APPENDED_MAX);

const full: Refusal = refuse(
  'PAYLOAD_TOO_LARGE',
  `A work order has at most ${WORK_ORDER_TICKETS_MAX} tickets and ` +
    `${WORK_ORDER_CHARACTERS_MAX} characters in its events.`,
);

const isCreatedAgain = (event: WorkOrderEvent, before: WorkOrderEvent): boolean =>
  event.kind === 'created' && before.kind === 'created' && event.ticketId === before.ticketId;

const evolve = tableOf<WorkOrderFact, [WorkOrder, Instant], WorkOrder>({
  WorkOrderEventHeld: ({ event, reason }, order) =>
    withReceived(order, { event, ticketIds: [], held: reason }),
  WorkOrderEventDirected: ({ event, ticketId }, order) => {
    const { inbox, ticketIds } = order;
    const before = inbox.get(event.eventId)?.ticketIds ?? [];
    return {
      ...withReceived(order, { event, ticketIds: [...before, ticketId], held: null }),
      ticketIds: ticketIds.includes(ticketId) ? ticketIds : [...ticketIds, ticketId],
    };
  },
});

const withReceived = (order: WorkOrder, received: Received): WorkOrder => {
  const { event } = received;
  const added = order.inbox.has(event.eventId) ? 0 : charactersOf(event);
  return {
    ...order,
    inbox: order.inbox.with(event.eventId, received),
    characters: order.characters + added,
  };
};

/** Approximate, with those of its ids and times. */
const charactersOf = ({ title, status, note }: WorkOrderEvent): number =>
  [title, status, note].reduce((sum, text) => sum + (text?.length ?? 0), EVENT_CHARACTERS);

const EVENT_CHARACTERS = 200;

/** Refuses `PAYLOAD_TOO_LARGE`, which parks the message. */
export const workOrderDecider: Decider<WorkOrderCommand, WorkOrder, WorkOrderFact> = {
  initial: { inbox: growingMap(), ticketIds: [], characters: 0 },
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
