import type { SubscriptionView } from '../domain/subscription/view.ts';
import type { Told } from './webhook-queue.ts';
import type { Instant } from '../domain/decider.ts';

/** The messages of one fact for one subscription. */
export interface HandOverOf {
  readonly messages: readonly Told[];
  /** When the fact was recorded: its day names the journal in which they are queued, if at all. */
  readonly day: Instant;
  /** Aborts where who hands over is no longer responsible: it will be done again by another. */
  readonly signal: AbortSignal;
}

/**
 * Hands deliveries over in memory. `settled` resolves when each is delivered and recorded, or
 * queued, or its subscription is gone. `null` where they are to be queued instead: the receiver is
 * slow or fails, or there is no room.
 */
export type HandOver = (
  subscription: SubscriptionView,
  of: HandOverOf,
) => Promise<{ readonly settled: Promise<void> } | null>;
