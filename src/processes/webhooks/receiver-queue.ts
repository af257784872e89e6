import { hostOfUrl } from '../../domain/webhooks/subscription/host.ts';
import type { SubscriptionView } from '../../domain/webhooks/subscription/view.ts';
import type { PendingAttempt } from './attempt.ts';
import { WEBHOOK_CLAIMED_WINDOWS, WEBHOOK_WINDOW_FIRST, WEBHOOK_WINDOW_MAX } from './limits.ts';

/**
 * The pending attempts of one subscription: first in, first out, with a window of concurrent
 * attempts that grows by one with each success and halves with each failure.
 */
export class ReceiverQueue {
  readonly webhookId: string;
  subscription: SubscriptionView;
  /** Scheme, host and port: limits that other queues share. */
  origin = '';
  host = '';
  /** The subscription is as it was after this many changes of subscriptions. */
  changesSeen: number;
  pending: PendingAttempt[] = [];
  directPending = 0;
  running = 0;
  window = WEBHOOK_WINDOW_FIRST;
  /** Until then (monotonic) direct deliveries are queued instead: the receiver is slow or fails. */
  throttledUntilMs = 0;
  /** Throttled because attempts waited too long, not because of the receiver's answers. */
  isBehind = false;
  /** A success may change the subscription's health. */
  clears = true;
  /** Queued with the scheduler. */
  isScheduled = false;

  constructor(subscription: SubscriptionView, changesSeen: number) {
    this.webhookId = subscription.webhookId;
    this.changesSeen = changesSeen;
    this.subscription = subscription;
    this.#address();
  }

  update(subscription: SubscriptionView): void {
    const { url } = this.subscription;
    this.subscription = subscription;
    if (subscription.url !== url) this.#address();
  }

  /** Concurrent attempts: one while the subscription is paused. */
  get concurrency(): number {
    return this.subscription.pausedAt === null ? this.window : 1;
  }

  /** The next attempt may start. */
  get isReady(): boolean {
    return this.pending.length > 0 && this.running < this.concurrency;
  }

  get isThrottled(): boolean {
    return this.throttledUntilMs > performance.now();
  }

  /** Forgetting it loses no attempt and no throttling. */
  get isIdle(): boolean {
    return this.pending.length === 0 && this.running === 0 && !this.isThrottled;
  }

  /** Pending attempts that have a row in the backlog. */
  get claimed(): number {
    return this.pending.length - this.directPending;
  }

  /** How many more rows of the backlog may be claimed for this queue. */
  get room(): number {
    return Math.max(0, WEBHOOK_CLAIMED_WINDOWS * this.concurrency - this.claimed - this.running);
  }

  add(attempt: PendingAttempt): void {
    this.pending.push(attempt);
    if (attempt.isDirect) this.directPending += 1;
  }

  next(): PendingAttempt | undefined {
    const attempt = this.pending.shift();
    if (attempt?.isDirect) this.directPending -= 1;
    return attempt;
  }

  /** Removes the pending attempts that match. */
  remove<Matching extends PendingAttempt>(
    matches: (attempt: PendingAttempt) => attempt is Matching,
  ): readonly Matching[];
  remove(matches: (attempt: PendingAttempt) => boolean): readonly PendingAttempt[];
  remove(matches: (attempt: PendingAttempt) => boolean): readonly PendingAttempt[] {
    const removed = this.pending.filter(matches);
    if (removed.length > 0) {
      this.pending = this.pending.filter((attempt) => !matches(attempt));
      this.directPending = this.pending.filter(({ isDirect }) => isDirect).length;
    }
    return removed;
  }

  adapt(succeeded: boolean): void {
    this.window = succeeded
      ? Math.min(WEBHOOK_WINDOW_MAX, this.window + 1)
      : Math.max(1, Math.floor(this.window / 2));
  }

  throttle(forMs: number): void {
    this.throttledUntilMs = Math.max(this.throttledUntilMs, performance.now() + forMs);
  }

  #address(): void {
    const { url } = this.subscription;
    this.origin = new URL(url).origin;
    this.host = hostOfUrl(url);
  }
}
