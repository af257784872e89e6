/** Webhook subscriptions in the log: `subscription-<webhookId>`. */
import {
  subscriptionDecider,
  type SubscriptionCommand,
} from '../../domain/webhooks/subscription/subscription.ts';
import {
  subscriptionAfter,
  type SubscriptionView,
} from '../../domain/webhooks/subscription/view.ts';
import { aggregate, type Aggregate } from '../../engine/aggregates/aggregate.ts';
import { subscriptionCodec } from '../../domain/webhooks/codecs.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import { streamOf } from '../../engine/log/streams.ts';

export type Subscriptions = Aggregate<SubscriptionCommand, SubscriptionView>;

const CATEGORY = 'subscription';

/** The stream of a subscription, which its sealed secrets are bound to. */
export const subscriptionStream = (webhookId: string): string => streamOf(CATEGORY, webhookId);

export const subscriptionRepository = (log: EventStore): Subscriptions =>
  aggregate({
    log,
    category: CATEGORY,
    codec: subscriptionCodec,
    decider: subscriptionDecider,
    viewAfter: (recorded, before) => {
      const view = subscriptionAfter(recorded, before);
      if (view === null) throw new Error(`${recorded.stream} begins without a registration`);
      return view;
    },
  });
