/**
 * What attempts have come to is counted by their subscription, each once and in the order of its
 * journal, whatever crashes in between. A success that cannot change anything is not looked at.
 */
import { systemAuthority } from '../../domain/authority.ts';
import type { DeliveryAttempted, DeliveryEvent } from '../../domain/webhooks/delivery/events.ts';
import type { SubscriptionCommand } from '../../domain/webhooks/subscription/subscription.ts';
import { deliveryCodec } from '../../domain/webhooks/codecs.ts';
import type { StoredEvent } from '../../engine/log/event-store.ts';
import { partialCodec, type Unread } from '../../engine/log/partial-codec.ts';
import type { Subscriptions } from '../../use-cases/webhooks/subscriptions.ts';
import { commandsTo, type CommandEffect } from '../../engine/processes/effects.ts';
import type { Process } from '../../engine/processes/process.ts';

interface ToSubscription extends CommandEffect<SubscriptionCommand> {
  readonly kind: 'subscription';
}

/** A failure, or a success that may end a pause. */
const mayCount = ({ type, data }: StoredEvent): boolean => {
  const { succeeded, clears } = data as Partial<DeliveryAttempted>;
  return type === 'DeliveryAttempted' && (succeeded === false || clears === true);
};

export const webhookHealth = (
  subscriptions: Pick<Subscriptions, 'give'>,
): Process<DeliveryEvent | Unread, undefined, ToSubscription> => ({
  name: 'webhook-health',
  categories: ['delivery'],
  codec: partialCodec(deliveryCodec, mayCount),
  // The journals of a subscription, whatever their day.
  laneOf: (stream) => stream.replace(/\.\d+$/, ''),
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
