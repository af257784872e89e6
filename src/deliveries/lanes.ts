/**
 * Who is served next. Each subscription is a lane of its own, first in, first out, with as many
 * attempts at once as its receiver has shown to bear; lanes take turns. One that hangs keeps its
 * own few places, and none that another could have.
 */
import {
  WEBHOOK_ATTEMPTS_AT_ONCE_MAX,
  WEBHOOK_HELD_WINDOWS,
  WEBHOOK_ORIGIN_ATTEMPTS_AT_ONCE_MAX,
  WEBHOOK_ORIGIN_SLOW_ATTEMPTS_MAX,
  WEBHOOK_SLOW_ATTEMPTS_MAX,
  WEBHOOK_WINDOW_FIRST,
  WEBHOOK_WINDOW_MAX,
} from '../limits.ts';
import type { Traceparent } from '../ops/tracing.ts';
import type { SubscriptionView } from '../domain/subscription/view.ts';
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
  /** Its origin caps it together with others. */
  readonly origin: string;
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
  /** It stands in the line, or waits for its origin. */
  inLine: boolean;
}

/** An attempt that takes a place. */
export interface Place {
  readonly lane: Lane;
  readonly work: Work;
  readonly startedMs: number;
  slow: boolean;
}

interface Origin {
  underWay: number;
  slow: number;
  readonly waiting: Lane[];
}

export const newLane = (subscription: SubscriptionView, seen: number): Lane => ({
  webhookId: subscription.webhookId,
  origin: new URL(subscription.url).origin,
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

const next = (lane: Lane): Work | undefined => {
  const work = lane.held.shift();
  if (work?.isFresh) lane.freshHeld -= 1;
  return work;
};

export class LaneTurns {
  readonly #start: (place: Place) => void;
  readonly #nowMs: () => number;
  readonly #line: Lane[] = [];
  readonly #ofOrigin = new Map<string, Origin>();
  readonly #places = new Set<Place>();
  #fast = 0;
  #slow = 0;

  /** @param start Begins an attempt; its place is given back with {@link LaneTurns.end}. */
  constructor(start: (place: Place) => void, nowMs = () => performance.now()) {
    this.#start = start;
    this.#nowMs = nowMs;
  }

  get underWay(): number {
    return this.#places.size;
  }

  /** The lane has something to do: it stands in line, if it does not already. */
  offer(lane: Lane): void {
    if (lane.inLine || lane.held.length === 0 || lane.underWay >= windowOf(lane)) return;
    lane.inLine = true;
    this.#line.push(lane);
  }

  /** Begins as many attempts as there are places for. */
  serve(): void {
    for (;;) {
      if (this.#fast >= WEBHOOK_ATTEMPTS_AT_ONCE_MAX) return;
      const lane = this.#line.shift();
      if (!lane) return;
      const origin = this.#originOf(lane);
      if (origin.underWay >= WEBHOOK_ORIGIN_ATTEMPTS_AT_ONCE_MAX) {
        origin.waiting.push(lane);
        continue;
      }
      lane.inLine = false;
      const work = lane.underWay < windowOf(lane) ? next(lane) : undefined;
      if (!work) continue;
      this.#begin(lane, work, origin);
      this.offer(lane);
    }
  }

  /** The attempt is over: its place is another's. `false` if that was said before. */
  end(place: Place): boolean {
    if (!this.#places.delete(place)) return false;
    const { lane } = place;
    if (place.slow) this.#slow -= 1;
    else this.#fast -= 1;
    lane.underWay -= 1;
    const origin = this.#originOf(lane);
    if (place.slow) origin.slow -= 1;
    else origin.underWay -= 1;
    this.#next(origin);
    if (origin.underWay === 0 && origin.slow === 0) this.#ofOrigin.delete(lane.origin);
    this.offer(lane);
    return true;
  }

  /** Attempts that have taken longer than `slowMs` no longer stand in the way of others. */
  sweep(slowMs: number): void {
    const before = this.#nowMs() - slowMs;
    for (const place of this.#places) {
      // In the order in which they began.
      if (place.startedMs > before || this.#slow >= WEBHOOK_SLOW_ATTEMPTS_MAX) break;
      const origin = this.#originOf(place.lane);
      if (place.slow || origin.slow >= WEBHOOK_ORIGIN_SLOW_ATTEMPTS_MAX) continue;
      place.slow = true;
      this.#slow += 1;
      this.#fast -= 1;
      origin.slow += 1;
      origin.underWay -= 1;
      this.#next(origin);
    }
    this.serve();
  }

  /** Attempts that have taken longer than `slowMs`, the longest first. */
  *slowerThan(slowMs: number): Generator<Place> {
    const before = this.#nowMs() - slowMs;
    for (const place of this.#places) {
      if (place.startedMs > before) return;
      yield place;
    }
  }

  /** A place of the origin is free. */
  #next(origin: Origin): void {
    const lane = origin.waiting.shift();
    if (lane) this.#line.push(lane);
  }

  #begin(lane: Lane, work: Work, origin: Origin): void {
    const place = { lane, work, startedMs: this.#nowMs(), slow: false };
    this.#places.add(place);
    this.#fast += 1;
    lane.underWay += 1;
    origin.underWay += 1;
    this.#start(place);
  }

  #originOf({ origin }: Lane) {
    const known = this.#ofOrigin.get(origin);
    if (known) return known;
    const made: Origin = { underWay: 0, slow: 0, waiting: [] };
    this.#ofOrigin.set(origin, made);
    return made;
  }
}

/** One more at once after a success, half as many after a failure. */
export const adapt = (lane: Lane, succeeded: boolean): void => {
  lane.window = succeeded
    ? Math.min(WEBHOOK_WINDOW_MAX, lane.window + 1)
    : Math.max(1, Math.floor(lane.window / 2));
};
