/**
 * Attempts at queued deliveries, one row each. Direct deliveries that succeeded are only in their
 * journals, not in a table.
 */
import type { DeliveryAttempted, DeliveryEvent } from '../../domain/webhooks/delivery/events.ts';
import { idempotencyKey } from '../../domain/webhooks/delivery/message.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { deliveryCodec } from '../../domain/webhooks/codecs.ts';
import { partialCodec, type Unread } from '../../engine/log/partial-codec.ts';
import type { Projection } from '../../engine/projections/projection.ts';

export interface AttemptRow {
  readonly webhookId: string;
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
  /** Where the log holds the body. */
  readonly journal: string;
  readonly revision: number;
}

export const attemptRowOf = (attempted: DeliveryAttempted): AttemptRow => {
  const { webhookId, deliveryId, event, attempt, succeeded, httpCode } = attempted;
  const { error, responseBody, durationMs, startedAt, nextAttemptAt, deadLettered } = attempted;
  const { journal, revision } = attempted;
  return {
    webhookId,
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
  webhookId: 'uuid not null',
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

export interface RecordedAttemptRow extends AttemptRow {
  readonly factId: string;
}

export const webhookAttempts: Projection<DeliveryEvent | Unread, RecordedAttemptRow> = {
  name: 'webhook-attempts',
  version: 2,
  categories: ['delivery'],
  codec: partialCodec(deliveryCodec, ({ type }) => type === 'DeliveryAttempted'),
  keyOf: ({ id, event }) => (event.type === 'DeliveryAttempted' ? id : null),
  rowAfter: ({ id, event }, row) =>
    event.type === 'DeliveryAttempted' ? { factId: id, ...attemptRowOf(event) } : row,
  table: {
    name: 'attempt',
    key: 'factId',
    columns: { factId: 'uuid not null', ...attemptColumns },
    indexes: ['create index on $table (webhook_id, started_at desc)'],
    partitions: { by: 'startedAt', keptMonths: 1 },
  },
};
