/** One attempt, from the row of the backlog to the fact of what it has come to. */
import { v5 as uuidFrom } from 'uuid';
import type { DeliveryAttempted } from '../domain/delivery/events.ts';
import { outcomeOf } from '../domain/delivery/outcome.ts';
import { nextAttemptAt } from '../domain/delivery/schedule.ts';
import { systemClock, type Clock } from '../ops/clock.ts';
import type { Strangers } from '../outbound/strangers.ts';
import type { BacklogRow } from '../projections/webhooks/backlog.ts';
import type { SubscriptionRow } from '../projections/webhooks/subscriptions.ts';
import { requestOf, type KeysOf } from './request.ts';

export interface AttemptParts {
  readonly strangers: Pick<Strangers, 'post'>;
  readonly keys: KeysOf;
  readonly clock: Clock;
  /** Receivers compare it with their own. Default: the system's. */
  readonly real?: Clock | undefined;
}

/** What is known of an attempt before its place among the subscription's attempts is. */
export type Attempted = Omit<DeliveryAttempted, 'ordinal' | 'clears'>;

/** Makes the attempt; `null` where it was interrupted, so that it has to be made again. */
export const attempt = async (
  delivery: BacklogRow,
  subscription: SubscriptionRow,
  signal: AbortSignal,
  { strangers, keys, clock, real = systemClock }: AttemptParts,
): Promise<Attempted | null> => {
  const startedAt = clock.now();
  const began = performance.now();
  const signing = { keys, now: startedAt, realNow: real.now() };
  const message = requestOf(delivery, subscription, signing);
  const reply = await strangers.post(subscription.url, message, signal);
  if ('failure' in reply && reply.failure === 'interrupted') return null;
  const durationMs = Math.round(performance.now() - began);
  const finishedAt = clock.now();
  const outcome = outcomeOf(reply);
  const next = outcome.succeeded ? null : nextAttemptAt(delivery, finishedAt);
  const { deliveryId, webhookId, reason, messageId, event, timestamp } = delivery;
  const { journal, revision } = delivery;
  return {
    type: 'DeliveryAttempted',
    deliveryId,
    webhookId,
    reason,
    messageId,
    event,
    timestamp,
    attempt: delivery.attempt,
    ...outcome,
    durationMs,
    startedAt,
    finishedAt,
    nextAttemptAt: next,
    deadLettered: !outcome.succeeded && next === null,
    journal,
    revision,
  };
};

/** What names the fact of an attempt: it is recorded once, whoever has made it. */
export const attemptId = ({ deliveryId, attempt: number }: BacklogRow): string =>
  uuidFrom(`attempt/${number}`, deliveryId);

export const cancellationId = (deliveryId: string): string => uuidFrom('cancelled', deliveryId);
