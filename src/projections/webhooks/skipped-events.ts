/**
 * Number of events that each subscription missed since its last pause. Separate from
 * `webhook-subscriptions`, which dispatch waits for: that read model must not follow deliveries.
 */
import type { EventsSkipped } from '../../domain/webhooks/delivery/events.ts';
import type { SubscriptionEvent } from '../../domain/webhooks/subscription/events.ts';
import type { Codec, Recorded } from '../../engine/log/codec.ts';
import { deliveryCodec, subscriptionCodec } from '../../domain/webhooks/codecs.ts';
import { partialCodec, type Unread } from '../../engine/log/partial-codec.ts';
import { categoryOf, keyOf } from '../../engine/log/streams.ts';
import type { Projection } from '../../engine/projections/projection.ts';

export interface SkippedEventsRow {
  readonly webhookId: string;
  readonly skippedEvents: number;
}

type Followed = SubscriptionEvent | EventsSkipped | Unread;

const COUNTS_ANEW: ReadonlySet<string> = new Set<SubscriptionEvent['type']>([
  'SubscriptionRegistered',
  'SubscriptionPaused',
  'SubscriptionDeleted',
]);

const subscriptions = partialCodec(subscriptionCodec, ({ type }) => COUNTS_ANEW.has(type));
const deliveries = partialCodec(deliveryCodec, ({ type }) => type === 'EventsSkipped');

const codec: Pick<Codec<Followed>, 'decode'> = {
  decode: (stored) =>
    categoryOf(stored.stream) === 'subscription'
      ? subscriptions.decode(stored)
      : (deliveries.decode(stored) as Recorded<EventsSkipped | Unread>),
};

export const webhookSkippedEvents: Projection<Followed, SkippedEventsRow> = {
  name: 'webhook-skipped-events',
  version: 1,
  categories: ['subscription', 'delivery'],
  codec,
  keyOf: ({ stream, event }) => {
    if (event.type === 'Unread') return null;
    return event.type === 'EventsSkipped' ? event.webhookId : keyOf(stream);
  },
  rowAfter: ({ stream, event }, row) => {
    if (event.type === 'SubscriptionRegistered')
      return { webhookId: keyOf(stream), skippedEvents: 0 };
    if (row === null || event.type === 'SubscriptionDeleted') return null;
    if (event.type === 'SubscriptionPaused') return { ...row, skippedEvents: 0 };
    if (event.type === 'EventsSkipped')
      return { ...row, skippedEvents: row.skippedEvents + event.count };
    return row;
  },
  table: {
    name: 'skipped',
    key: 'webhookId',
    columns: { webhookId: 'uuid not null', skippedEvents: 'bigint not null' },
    indexes: [],
  },
};
