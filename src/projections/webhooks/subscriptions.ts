/** One row per webhook subscription, as long as it is not deleted: its view, and what it missed. */
import type { EventsSkipped } from '../../domain/delivery/events.ts';
import type { SubscriptionEvent } from '../../domain/subscription/events.ts';
import { subscriptionAfter, type SubscriptionView } from '../../domain/subscription/view.ts';
import type { Codec, Recorded } from '../../store/codec.ts';
import { deliveryCodec, subscriptionCodec } from '../../store/codecs.ts';
import { categoryOf, keyOf } from '../../store/streams.ts';
import type { Projection } from '../projection.ts';

export interface SubscriptionRow extends SubscriptionView {
  /** Events that were left out since it was paused last. */
  readonly skippedEvents: number;
}

/** Of deliveries only one fact is of interest here; the others, by the thousand, are not read. */
type Followed = SubscriptionEvent | EventsSkipped | { readonly type: 'Other' };

const codec: Pick<Codec<Followed>, 'decode'> = {
  decode: (stored) => {
    if (categoryOf(stored.stream) === 'subscription') return subscriptionCodec.decode(stored);
    if (stored.type === 'EventsSkipped') {
      return deliveryCodec.decode(stored) as Recorded<EventsSkipped>;
    }
    const { id, stream, revision, position, recordedAt } = stored;
    const place = { id, stream, revision, position, recordedAt };
    return { ...place, ...NOBODY, at: recordedAt, event: { type: 'Other' } };
  },
};

const NOBODY = {
  commandId: '',
  by: { kind: 'system', id: 'deliveries' },
  origin: 'system',
} as const;

export const webhookSubscriptions: Projection<Followed, SubscriptionRow> = {
  name: 'webhook-subscriptions',
  version: 1,
  categories: ['subscription', 'delivery'],
  codec,
  keyOf: ({ stream, event }) => {
    if (event.type === 'Other') return null;
    return event.type === 'EventsSkipped' ? event.webhookId : keyOf(stream);
  },
  rowAfter: (recorded, row) => {
    const { event } = recorded;
    if (event.type === 'Other') return row;
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
      previousSecret: 'text',
      previousUntil: 'text',
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
