/** The view of each webhook subscription that is not deleted. */
import type { SubscriptionEvent } from '../../domain/webhooks/subscription/events.ts';
import {
  subscriptionAfter,
  type SubscriptionView,
} from '../../domain/webhooks/subscription/view.ts';
import { subscriptionCodec } from '../../domain/webhooks/codecs.ts';
import { keyOf } from '../../engine/log/streams.ts';
import type { Projection } from '../../engine/projections/projection.ts';

export const webhookSubscriptions: Projection<SubscriptionEvent, SubscriptionView> = {
  name: 'webhook-subscriptions',
  version: 3,
  categories: ['subscription'],
  codec: subscriptionCodec,
  keyOf: ({ stream }) => keyOf(stream),
  rowAfter: (recorded, row) => {
    const view = subscriptionAfter(recorded, row);
    return view === null || view.deletedAt !== null ? null : view;
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
    },
    indexes: ['create index on $table (organisation_id, created_at, webhook_id)'],
  },
};
