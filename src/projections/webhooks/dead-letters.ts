/** Dead letters, by month: failed deliveries, kept for inspection and redelivery. */
import type { DeliveryAttempted, DeliveryEvent } from '../../domain/webhooks/delivery/events.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { deliveryCodec } from '../../domain/webhooks/codecs.ts';
import { partialCodec, type Unread } from '../../engine/log/partial-codec.ts';
import type { Projection } from '../../engine/projections/projection.ts';
import { attemptColumns, attemptRowOf, type AttemptRow } from './attempts.ts';

/** Its last attempt. */
export interface DeadLetterRow extends AttemptRow {
  readonly finishedAt: Instant;
}

export const webhookDeadLetters: Projection<DeliveryEvent | Unread, DeadLetterRow> = {
  name: 'webhook-dead-letters',
  version: 2,
  categories: ['delivery'],
  codec: partialCodec(
    deliveryCodec,
    ({ data }) => (data as Partial<DeliveryAttempted>).deadLettered === true,
  ),
  keyOf: ({ event }) =>
    event.type === 'DeliveryAttempted' && event.deadLettered ? event.deliveryId : null,
  rowAfter: ({ event }, row) =>
    event.type === 'DeliveryAttempted'
      ? { ...attemptRowOf(event), finishedAt: event.finishedAt }
      : row,
  table: {
    name: 'dead_letter',
    key: 'deliveryId',
    columns: { ...attemptColumns, finishedAt: 'timestamptz not null' },
    indexes: ['create index on $table (webhook_id, finished_at desc)'],
    partitions: { by: 'finishedAt', keptMonths: 1 },
  },
};
