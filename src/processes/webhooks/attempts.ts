/** One attempt, and the fact of what it has come to. */
import { v5 as uuidFrom } from 'uuid';
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { DeliveryAttempted } from '../../domain/webhooks/delivery/events.ts';
import { outcomeOf, type Outcome } from '../../domain/webhooks/delivery/outcome.ts';
import { nextAttemptAt } from '../../domain/webhooks/delivery/schedule.ts';
import type { SubscriptionView } from '../../domain/webhooks/subscription/view.ts';
import { systemClock, type Clock } from '../../engine/time/clock.ts';
import type { Strangers } from '../../outbound/untrusted-http.ts';
import type { BacklogRow } from '../../projections/webhooks/backlog.ts';
import { requestOf, type KeysOf, type Outgoing } from './request.ts';

export interface AttemptParts {
  readonly strangers: Pick<Strangers, 'post'>;
  readonly keys: KeysOf;
  readonly clock: Clock;
  /** Receivers compare it with their own. Default: the system's. */
  readonly real?: Clock | undefined;
}

/** An attempt that is over. */
export interface Made extends Outcome {
  readonly startedAt: Instant;
  readonly finishedAt: Instant;
  readonly durationMs: number;
}

/** Makes the attempt; `null` where it was interrupted, so that it has to be made again. */
export const attempt = async (
  outgoing: Outgoing,
  subscription: SubscriptionView,
  signal: AbortSignal,
  { strangers, keys, clock, real = systemClock }: AttemptParts,
): Promise<Made | null> => {
  const startedAt = clock.now();
  const began = performance.now();
  const message = requestOf(outgoing, subscription, { keys, now: startedAt, realNow: real.now() });
  const reply = await strangers.post(subscription.url, message, signal);
  if ('failure' in reply && reply.failure === 'interrupted') return null;
  const durationMs = Math.round(performance.now() - began);
  return { ...outcomeOf(reply), startedAt, finishedAt: clock.now(), durationMs };
};

/** What is known of a delivery that was queued, and where. */
export type QueuedDelivery = Omit<BacklogRow, 'dueAt' | 'body'>;

export const attemptedOf = (
  delivery: QueuedDelivery,
  made: Made,
  clears: boolean,
): DeliveryAttempted => {
  const next = made.succeeded ? null : nextAttemptAt(delivery, made.finishedAt);
  const { deliveryId, webhookId, reason, messageId, event, timestamp } = delivery;
  const { journal, revision, attempt: number } = delivery;
  return {
    type: 'DeliveryAttempted',
    deliveryId,
    webhookId,
    reason,
    messageId,
    event,
    timestamp,
    attempt: number,
    ...made,
    nextAttemptAt: next,
    deadLettered: !made.succeeded && next === null,
    clears,
    journal,
    revision,
  };
};

/** What names the fact of an attempt: it is recorded once, whoever has made it. */
export const attemptId = (delivery: Pick<BacklogRow, 'deliveryId' | 'attempt'>): string =>
  uuidFrom(`attempt/${delivery.attempt}`, delivery.deliveryId);

export const cancellationId = (deliveryId: string): string => uuidFrom('cancelled', deliveryId);
