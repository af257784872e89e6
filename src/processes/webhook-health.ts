/**
 * What attempts have come to is counted by their subscription, each once and in the order of its
 * journal, whatever crashes in between. A success that cannot change anything is not looked at.
 */
import { systemAuthority } from '../domain/authority.ts';
import type { DeliveryEvent } from '../domain/delivery/events.ts';
import type { SubscriptionCommand } from '../domain/subscription/subscription.ts';
import { deliveryCodec } from '../store/codecs.ts';
import type { Subscriptions } from '../store/repositories/subscriptions.ts';
import { commandsTo, type CommandEffect } from './effects.ts';
import type { Process } from './process.ts';

interface ToSubscription extends CommandEffect<SubscriptionCommand> {
  readonly kind: 'subscription';
}

export const webhookHealth = (
  subscriptions: Pick<Subscriptions, 'give'>,
): Process<DeliveryEvent, undefined, ToSubscription> => ({
  name: 'webhook-health',
  categories: ['delivery'],
  codec: deliveryCodec,
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
