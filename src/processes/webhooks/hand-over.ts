import type { SubscriptionView } from '../../domain/webhooks/subscription/view.ts';
import type { Told } from './queue.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';

/** The messages of one fact for one subscription. */
export interface HandOverOf {
  readonly messages: readonly Told[];
  /** When the fact was recorded: its day names the journal in which they are queued, if at all. */
  readonly day: Instant;
  /** Aborts where who hands over is no longer responsible: it will be done again by another. */
  readonly signal: AbortSignal;
}

export interface HandedOver {
  readonly settled: Promise<void>;
  /** How many they are. */
  readonly count: number;
}

/**
 * Hands deliveries over in memory. `settled` resolves when each is delivered and recorded, or
 * queued, or its subscription is gone. `null` where they are to be queued instead: the receiver is
 * slow or fails, or has more to take already.
 */
export interface HandOver {
  (subscription: SubscriptionView, of: HandOverOf): HandedOver | null;
  /**
   * Backpressure: resolves when the organisation may have more deliveries in memory, so that a
   * flood waits in the log. At once where the receiver's deliveries are queued anyway, or too many
   * wait. Rejects when `signal` aborts.
   */
  whenRoom(subscription: SubscriptionView, signal: AbortSignal): Promise<void>;
}
