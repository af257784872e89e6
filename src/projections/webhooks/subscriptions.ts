/** One row per webhook subscription, as long as it is not deleted: its view, and what it missed. */
import type { EventsSkipped } from '../../domain/delivery/events.ts';
import type { SubscriptionEvent } from '../../domain/subscription/events.ts';
import { subscriptionAfter, type SubscriptionView } from '../../domain/subscription/view.ts';
import type { Codec, Recorded } from '../../store/codec.ts';
import { deliveryCodec, subscriptionCodec } from '../../store/codecs.ts';
import { partialCodec, type Unread } from '../../store/partial-codec.ts';
import { categoryOf, keyOf } from '../../store/streams.ts';
import type { Projection } from '../projection.ts';

export interface SubscriptionRow extends SubscriptionView {
  /** Events that were left out since it was paused last. */
  readonly skippedEvents: number;
}

/** Of deliveries only one fact is of interest here; the others come by the thousand. */
type Followed = SubscriptionEvent | EventsSkipped | Unread;

const deliveries = partialCodec(deliveryCodec, ({ type }) => type === 'EventsSkipped');

const codec: Pick<Codec<Followed>, 'decode'> = {
  decode: (stored) =>
    categoryOf(stored.stream) === 'subscription'
      ? subscriptionCodec.decode(stored)
      : (deliveries.decode(stored) as Recorded<EventsSkipped | Unread>),
};

export const webhookSubscriptions: Projection<Followed, SubscriptionRow> = {
  name: 'webhook-subscriptions',
  version: 2,
  categories: ['subscription', 'delivery'],
  codec,
  keyOf: ({ stream, event }) => {
    if (event.type === 'Unread') return null;
    return event.type === 'EventsSkipped' ? event.webhookId : keyOf(stream);
  },
  rowAfter: (recorded, row) => {
    const { event } = recorded;
    if (event.type === 'Unread') return row;
    if (event.type === 'EventsSkipped') {
      return row && { ...row, skippedEvents: row.skippedEvents + event.count };
    }
    const view = subscriptionAfter({ ...recorded, event }, row);
    if (view === null || view.deletedAt !== null) return null;
    const began = event.type === 'SubscriptionPaused' || row === null;
    return { ...view, skippedEvents: began ? 0 : row.skippedEvents };
  },
  table: {
    name: 'subscription',
    key: 'webhookId',
    columns: {
      webhookId: 'uuid not null',
      organisationId: 'text not null',
      url: 'text not null',
      events: 'json not null',
      buildingId: 'uuid',
      description: 'text',
      sealedSecret: 'text not null',
      previousSecrets: 'json not null',
      consecutiveFailures: 'integer not null',
      pausedAt: 'text',
      lastFailureAt: 'text',
      probe: 'uuid',
      resetAt: 'text',
      createdAt: 'text not null',
      createdBy: 'json not null',
      registeredAt: 'text not null',
      deletedAt: 'text',
      skippedEvents: 'bigint not null',
    },
    indexes: ['create index on $table (organisation_id, created_at, webhook_id)'],
  },
};
