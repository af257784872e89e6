/**
 * The queue of one subscription: first in, first out, with a window of attempts at once that grows
 * with each success and halves with each failure.
 */
import { WEBHOOK_HELD_WINDOWS, WEBHOOK_WINDOW_FIRST, WEBHOOK_WINDOW_MAX } from './limits.ts';
import { hostOfUrl } from '../../domain/webhooks/subscription/host.ts';
import type { Traceparent } from '../../engine/observe/tracing.ts';
import type { SubscriptionView } from '../../domain/webhooks/subscription/view.ts';
import type { Made } from './attempts.ts';
import type { Outgoing } from './request.ts';

/** One attempt that is to be made. */
export interface Work {
  readonly outgoing: Outgoing;
  /** Interrupts it, so that it has to be made again. */
  readonly signal: AbortSignal;
  /** It was handed over in memory, and no row of the backlog tells of it. */
  readonly isFresh: boolean;
  /** Of the span that it is to be made because of; asked for where requests are traced. */
  cause(): Promise<Traceparent | undefined> | Traceparent | undefined;
  /** Resolves when what it has come to is durable; `null`: it will be, without being waited for. */
  record(made: Made, clears: boolean): Promise<void> | null;
  /** It was begun and is not over, or was not begun and never will be. */
  dropped(): void;
  /** It could not even be made, or not be recorded. */
  failed(error: unknown): void;
}

export interface Lane {
  readonly webhookId: string;
  /** Scheme, host and port: places there are shared with other lanes. */
  origin: string;
  /** Its rate is shared with other lanes. */
  host: string;
  subscription: SubscriptionView;
  /** Changes of subscriptions that it has seen. */
  seen: number;
  held: Work[];
  /** Of these, how many were handed over in memory. */
  freshHeld: number;
  /** Until then (monotonic) nothing is handed over in memory: its receiver is slow or fails, */
  coldUntilMs: number;
  /** or well, but with more to take than it can. */
  isBehind: boolean;
  underWay: number;
  window: number;
  /** A success may change the subscription's health. */
  clears: boolean;
  /** Queued with the scheduler. */
  inLine: boolean;
}

export const newLane = (subscription: SubscriptionView, seen: number): Lane => ({
  webhookId: subscription.webhookId,
  ...addressOf(subscription),
  subscription,
  seen,
  held: [],
  freshHeld: 0,
  coldUntilMs: 0,
  isBehind: false,
  underWay: 0,
  window: WEBHOOK_WINDOW_FIRST,
  clears: true,
  inLine: false,
});

/** Its subscription has changed, perhaps its URL. */
export const renew = (lane: Lane, subscription: SubscriptionView): void => {
  if (subscription.url !== lane.subscription.url) Object.assign(lane, addressOf(subscription));
  lane.subscription = subscription;
};

const addressOf = ({ url }: SubscriptionView) => ({
  origin: new URL(url).origin,
  host: hostOfUrl(url),
});

/** While it is paused: one at a time. */
export const windowOf = ({ subscription, window }: Lane): number =>
  subscription.pausedAt === null ? window : 1;

/** How many more deliveries of the backlog it may hold in memory. */
export const roomOf = (lane: Lane): number => {
  const held = lane.held.length - lane.freshHeld;
  return Math.max(0, WEBHOOK_HELD_WINDOWS * windowOf(lane) - held - lane.underWay);
};

export const hold = (lane: Lane, work: Work): void => {
  lane.held.push(work);
  if (work.isFresh) lane.freshHeld += 1;
};

/** Takes out what `isWanted`. */
export const takeOut = (lane: Lane, isWanted: (work: Work) => boolean): readonly Work[] => {
  const taken = lane.held.filter(isWanted);
  if (taken.length > 0) {
    lane.held = lane.held.filter((work) => !isWanted(work));
    lane.freshHeld = lane.held.reduce((count, { isFresh }) => count + (isFresh ? 1 : 0), 0);
  }
  return taken;
};

export const next = (lane: Lane): Work | undefined => {
  const work = lane.held.shift();
  if (work?.isFresh) lane.freshHeld -= 1;
  return work;
};

/** One more at once after a success, half as many after a failure. */
export const adapt = (lane: Lane, succeeded: boolean): void => {
  lane.window = succeeded
    ? Math.min(WEBHOOK_WINDOW_MAX, lane.window + 1)
    : Math.max(1, Math.floor(lane.window / 2));
};
