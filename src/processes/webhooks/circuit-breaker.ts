/**
 * Counts the failed attempts of a subscription, each once and in the order of its journals: the
 * tenth in a row pauses it. Successes that cannot change its health are not decoded.
 */
import { systemAuthority } from '../../domain/authority.ts';
import { deliveryCodec } from '../../domain/webhooks/codecs.ts';
import type { DeliveryAttempted, DeliveryEvent } from '../../domain/webhooks/delivery/events.ts';
import type { SubscriptionCommand } from '../../domain/webhooks/subscription/subscription.ts';
import type { StoredEvent } from '../../engine/log/event-store.ts';
import { partialCodec, type Unread } from '../../engine/log/partial-codec.ts';
import { commandsTo, type CommandEffect } from '../../engine/processes/effects.ts';
import type { Process } from '../../engine/processes/process.ts';
import type { Subscriptions } from '../../use-cases/webhooks/subscriptions.ts';

interface ToSubscription extends CommandEffect<SubscriptionCommand> {
  readonly kind: 'subscription';
}

/** A failure, or a success that may end a pause. */
const mayCount = ({ type, data }: StoredEvent): boolean => {
  const { succeeded, clears } = data as Partial<DeliveryAttempted>;
  return type === 'DeliveryAttempted' && (succeeded === false || clears === true);
};

export const webhookCircuitBreaker = (
  subscriptions: Pick<Subscriptions, 'give'>,
): Process<DeliveryEvent | Unread, undefined, ToSubscription> => ({
  name: 'webhook-health',
  categories: ['delivery'],
  codec: partialCodec(deliveryCodec, mayCount),
  // One for all journals of a subscription, whatever their day.
  partitionOf: (stream) => stream.replace(/\.\d+$/, ''),
  on: {
    DeliveryAttempted: ({ event }) => {
      const { webhookId, deliveryId, attempt, succeeded, startedAt, finishedAt } = event;
      const counts = succeeded ? event.clears : event.reason !== 'test';
      if (!counts) return [];
      const finished = { deliveryId, attempt, succeeded, startedAt, finishedAt };
      return [
        {
          kind: 'subscription',
          id: webhookId,
          command: { type: 'CountAttempt', authority: systemAuthority, attempt: finished },
        },
      ];
    },
  },
  effects: { subscription: commandsTo(subscriptions) },
});
