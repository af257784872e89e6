/** Deliveries on request: tests, redeliveries, and events that a pause skipped. */
import { v5 as uuidFrom } from 'uuid';
import { DAY_MS } from '../../engine/time/calendar.ts';
import { deliveryJournal, type DeliveryQueued } from '../../domain/webhooks/delivery/events.ts';
import { eventIn, webhookBody } from '../../domain/webhooks/delivery/message.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { subscribesTo, type SubscriptionView } from '../../domain/webhooks/subscription/view.ts';
import { DELIVERY_RETENTION_DAYS } from '../../domain/webhooks/limits.ts';
import type { Recorded } from '../../engine/log/codec.ts';
import { telemetryCodec } from '../../domain/telemetry/codecs.ts';
import { deliveredCodec, deliveryCodec } from '../../domain/webhooks/codecs.ts';
import type { EventStore, StoredEvent } from '../../engine/log/event-store.ts';
import { pagesOf } from '../../engine/log/history.ts';
import { deliveryIdOf } from '../../use-cases/webhooks/delivered.ts';
import type { Subscriptions } from '../../use-cases/webhooks/subscriptions.ts';
import { categoryOf } from '../../engine/log/streams.ts';
import { done, ignore } from '../../engine/processes/outcome.ts';
import type { EffectContext, EffectHandlers } from '../../engine/processes/process.ts';
import { webhookMessagesOf } from './message.ts';
import { deliveryQueued, queuedFact, recordFacts } from './record.ts';

interface ToWebhook {
  readonly webhookId: string;
  /** When it was requested. */
  readonly day: Instant;
}

export type WebhookRequest =
  | (ToWebhook & { readonly kind: 'test'; readonly deliveryId: string })
  | (ToWebhook & {
      readonly kind: 'redeliver';
      readonly deliveryId: string;
      readonly journal: string;
      readonly revision: number;
      readonly original: string | undefined;
    })
  | (ToWebhook & { readonly kind: 'recover'; readonly since: Instant; readonly until: Instant });

/** The subscription as of the log's head; `null` if it was deleted. */
export const subscriptionNow = async (
  subscriptions: Pick<Subscriptions, 'look'>,
  webhookId: string,
): Promise<SubscriptionView | null> => {
  const subscription = await subscriptions.look(webhookId);
  return subscription && subscription.view.deletedAt === null ? subscription.view : null;
};

export const webhookRequests = (
  log: EventStore,
  subscriptions: Pick<Subscriptions, 'look'>,
): EffectHandlers<WebhookRequest> => {
  const subscriptionOf = (webhookId: string) => subscriptionNow(subscriptions, webhookId);

  const record = (
    { organisationId: organisation, webhookId }: SubscriptionView,
    day: Instant,
    deliveries: readonly DeliveryQueued[],
    { at, by }: EffectContext,
  ) =>
    recordFacts(
      log,
      { webhookId, day, facts: deliveries.map(queuedFact) },
      { at, by, organisation },
    );

  /**
   * The skipped messages of an event that is still in the log and still subscribed to. Another
   * recovery delivers the same messages under other ids: a fact can be in one journal only.
   */
  const skippedMessages = async (
    subscription: SubscriptionView,
    { journal, revision, except }: Skipped,
    recoveryId: string,
  ): Promise<readonly DeliveryQueued[]> => {
    const [stored] = await log.readStream(journal, { from: revision, limit: 1 });
    if (stored?.revision !== revision) return [];
    const { id, event } = telemetryCodec.decode(stored);
    return webhookMessagesOf(event, id)
      .filter((message) => message.messageId !== except && subscribesTo(subscription, message))
      .map((message) => {
        const deliveryId = uuidFrom(recoveryId, message.messageId);
        const over = { deliveryId, reason: 'recovery' } as const;
        return deliveryQueued(subscription.webhookId, message, over);
      });
  };

  return {
    test: async ({ webhookId, day, deliveryId }, context) => {
      const subscription = await subscriptionOf(webhookId);
      if (!subscription) return ignore('the subscription is gone');
      const data = { buildingId: subscription.buildingId, webhookId };
      const test = { event: 'webhook.test', data, timestamp: day };
      const message = { ...test, messageId: deliveryId, body: webhookBody(test) };
      const over = { deliveryId, reason: 'test', attemptsMax: 1 } as const;
      await record(subscription, day, [deliveryQueued(webhookId, message, over)], context);
      return done;
    },

    redeliver: async ({ webhookId, day, deliveryId, journal, revision, original }, context) => {
      const subscription = await subscriptionOf(webhookId);
      const [stored] = await log.readStream(journal, { from: revision, limit: 1 });
      if (!subscription || stored?.revision !== revision) return ignore('it is gone');
      const before = sentBefore(stored, original);
      if (!before) return ignore('it was never sent');
      const again = { ...before, deliveryId, reason: 'redelivery' } as const;
      await record(subscription, day, [again], context);
      return done;
    },

    recover: async ({ webhookId, day, since, until }, context) => {
      const subscription = await subscriptionOf(webhookId);
      if (!subscription) return ignore('the subscription is gone');
      for (const journal of journalsOf(webhookId, since, until)) {
        for await (const page of pagesOf(log, journal)) {
          for (const stored of page) {
            if (stored.type !== 'EventsSkipped') continue;
            const { event, at } = deliveryCodec.decode(stored) as Recorded<Skipped>;
            if (at < since || at >= until) continue;
            const messages = await skippedMessages(subscription, event, context.id);
            await record(subscription, day, messages, context);
          }
        }
      }
      return done;
    },
  };
};

/** The delivery as it was queued; a direct one as if it had been queued. */
const sentBefore = (stored: StoredEvent, original: string | undefined): DeliveryQueued | null => {
  if (categoryOf(stored.stream) === 'delivered') {
    const { webhookId, deliveries } = deliveredCodec.decode(stored).event;
    const sent = deliveries.find(
      ({ messageId }) => deliveryIdOf(webhookId, messageId) === original,
    );
    return sent ? deliveryQueued(webhookId, { ...sent, ...eventIn(sent.body) }) : null;
  }
  const { event } = deliveryCodec.decode(stored);
  if (event.type !== 'DeliveryQueued') return null;
  const { notBefore: _, ...before } = event;
  return before;
};

interface Skipped {
  readonly type: 'EventsSkipped';
  readonly journal: string;
  readonly revision: number;
  readonly except: string | null;
}

/**
 * The journals that may hold events skipped from `since` to `until`. The day of the event names its
 * journal, and the event may have been skipped on a later day.
 */
const journalsOf = (webhookId: string, since: Instant, until: Instant): readonly string[] => {
  const end = Date.parse(until);
  const start = Math.max(Date.parse(since), end - DELIVERY_RETENTION_DAYS * DAY_MS) - DAY_MS;
  const days: string[] = [];
  for (let at = start; at < end + DAY_MS; at += DAY_MS)
    days.push(deliveryJournal(webhookId, new Date(at).toISOString()));
  return days;
};
