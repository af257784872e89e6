/** The last attempts at deliveries of each subscription: a ring of rows that go round. */
import type { DeliveryAttempted, DeliveryEvent } from '../../domain/delivery/events.ts';
import { idempotencyKey } from '../../domain/delivery/message.ts';
import type { Instant } from '../../domain/decider.ts';
import { deliveryCodec } from '../../store/codecs.ts';
import { partialCodec, type Unread } from '../../store/partial-codec.ts';
import type { Projection } from '../projection.ts';

export interface AttemptRow {
  /** `<webhookId>/<place in the ring>`. */
  readonly place: string;
  readonly webhookId: string;
  readonly ordinal: number;
  readonly deliveryId: string;
  readonly event: string;
  readonly idempotencyKey: string;
  readonly attempt: number;
  readonly succeeded: boolean;
  readonly httpCode: number | null;
  readonly error: string | null;
  readonly responseBody: string | null;
  readonly durationMs: number;
  readonly startedAt: Instant;
  readonly nextAttemptAt: Instant | null;
  readonly deadLettered: boolean;
  /** Where the delivery was queued. */
  readonly journal: string;
  readonly revision: number;
}

/** More than are shown: two owners may for a moment number theirs alike. */
const RING_PLACES = 64;

export const attemptRowOf = (attempted: DeliveryAttempted): AttemptRow => {
  const { webhookId, ordinal, deliveryId, event, attempt, succeeded, httpCode } = attempted;
  const { error, responseBody, durationMs, startedAt, nextAttemptAt, deadLettered } = attempted;
  const { journal, revision } = attempted;
  return {
    place: `${webhookId}/${ordinal % RING_PLACES}`,
    webhookId,
    ordinal,
    deliveryId,
    event,
    idempotencyKey: idempotencyKey(attempted),
    attempt,
    succeeded,
    httpCode,
    error,
    responseBody,
    durationMs,
    startedAt,
    nextAttemptAt,
    deadLettered,
    journal,
    revision,
  };
};

export const attemptColumns = {
  place: 'text not null',
  webhookId: 'uuid not null',
  ordinal: 'bigint not null',
  deliveryId: 'uuid not null',
  event: 'text not null',
  idempotencyKey: 'text not null',
  attempt: 'integer not null',
  succeeded: 'boolean not null',
  httpCode: 'integer',
  error: 'text',
  responseBody: 'text',
  durationMs: 'integer not null',
  startedAt: 'timestamptz not null',
  nextAttemptAt: 'timestamptz',
  deadLettered: 'boolean not null',
  journal: 'text not null',
  revision: 'bigint not null',
} as const;

export const webhookAttempts: Projection<DeliveryEvent | Unread, AttemptRow> = {
  name: 'webhook-attempts',
  version: 1,
  categories: ['delivery'],
  codec: partialCodec(deliveryCodec, ({ type }) => type === 'DeliveryAttempted'),
  keyOf: ({ event }) =>
    event.type === 'DeliveryAttempted' ? `${event.webhookId}/${event.ordinal % RING_PLACES}` : null,
  rowAfter: ({ event }, row) => {
    if (event.type !== 'DeliveryAttempted') return row;
    return row !== null && row.ordinal > event.ordinal ? row : attemptRowOf(event);
  },
  table: {
    name: 'attempt',
    key: 'place',
    columns: attemptColumns,
    storage: 'fillfactor = 80',
    indexes: ['create index on $table (webhook_id)'],
  },
};
