/**
 * Parked bus messages: events of work orders that wait for a ticket or name a wrong or a full one,
 * and messages that a consumer could not use. None is lost; a row is deleted when its event is
 * applied to a ticket, or an operator has settled it. All events that a full ticket refused are one
 * row, so that they cannot flood the list.
 */
import type { ParkedEvent, Payload } from '../../domain/bus/events.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { HoldReason, WorkOrderFact } from '../../domain/work-orders/events.ts';
import type { Codec } from '../../engine/log/codec.ts';
import { parkedCodec } from '../../domain/bus/codecs.ts';
import { workOrderCodec } from '../../domain/work-orders/codecs.ts';
import { categoryOf } from '../../engine/log/streams.ts';
import type { Projection } from '../../engine/projections/projection.ts';

export type ParkReason = HoldReason | 'TICKET_FULL' | 'UNUSABLE';

export interface ParkedMessage {
  readonly id: string;
  readonly consumer: string;
  readonly buildingId: string;
  /** `cafm.work-order.created`. */
  readonly type: string;
  readonly eventId: string;
  readonly reason: ParkReason;
  /** For people. */
  readonly detail: string;
  /** Messages of this row: the others of a full ticket came after this one. */
  readonly messages: number;
  readonly data: Payload;
  readonly parkedAt: Instant;
}

const codec: Codec<WorkOrderFact | ParkedEvent> = {
  encode: (id, event, record) =>
    event.type === 'MessageParked' || event.type === 'ParkedMessageSettled'
      ? parkedCodec.encode(id, event, record)
      : workOrderCodec.encode(id, event, record),
  decode: (stored) =>
    categoryOf(stored.stream) === 'workOrder'
      ? workOrderCodec.decode(stored)
      : parkedCodec.decode(stored),
};

export const parkedMessages: Projection<WorkOrderFact | ParkedEvent, ParkedMessage> = {
  name: 'parked-messages',
  version: 2,
  categories: ['workOrder', 'busParked'],
  codec,
  table: {
    name: 'message',
    key: 'id',
    columns: {
      id: 'text collate "C" not null',
      consumer: 'text not null',
      buildingId: 'uuid not null',
      type: 'text not null',
      eventId: 'text not null',
      reason: 'text not null',
      detail: 'text not null',
      messages: 'integer not null',
      data: 'json not null',
      parkedAt: 'text not null',
    },
    indexes: ['create index on $table (parked_at, id)'],
  },
  keyOf: ({ id, stream, event }) => {
    if (event.type === 'MessageParked')
      return event.fullTicketId === undefined ? id : fullTicketKey(event.fullTicketId);
    if (event.type === 'ParkedMessageSettled') return event.parkedId;
    return JSON.stringify([stream, event.event.eventId]);
  },
  rowAfter: ({ id, stream, at, event: fact }, before) => {
    if (fact.type === 'WorkOrderEventDirected' || fact.type === 'ParkedMessageSettled') return null;
    if (fact.type === 'MessageParked') {
      const { consumer, buildingId, subjectType: type, eventId, data, error: detail } = fact;
      const { fullTicketId } = fact;
      if (fullTicketId !== undefined && before) return { ...before, messages: before.messages + 1 };
      const row = { consumer, buildingId, type, eventId, data, detail, messages: 1, parkedAt: at };
      return fullTicketId === undefined
        ? { ...row, id, reason: 'UNUSABLE' }
        : { ...row, id: fullTicketKey(fullTicketId), reason: 'TICKET_FULL' };
    }
    const { kind, buildingId, eventId, ...members } = fact.event;
    return {
      id: JSON.stringify([stream, eventId]),
      consumer: 'work-order-intake',
      buildingId,
      type: `cafm.work-order.${kind}`,
      eventId,
      reason: fact.reason,
      detail: details[fact.reason],
      messages: 1,
      data: { eventId, buildingId, ...members },
      parkedAt: at,
    };
  },
};

const fullTicketKey = (ticketId: string): string => JSON.stringify(['TICKET_FULL', ticketId]);

const details: Readonly<Record<HoldReason, string>> = {
  TICKET_NOT_NAMED: 'No event of this work order has named a ticket yet.',
  TICKET_UNKNOWN: 'There is no ticket with this id.',
  TICKET_ELSEWHERE: 'The ticket is in another building than the work order.',
};
