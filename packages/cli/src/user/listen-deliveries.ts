/** Events on their way to a receiver that may be away: retried, bounded, and none forgotten. */
import type { LiveEvent } from '../../../sdk/src/live.ts';
import type { Attempt } from './listen-post.ts';

/** Undelivered events that are kept; beyond, reading waits, and the server keeps the rest. */
export const LISTEN_PENDING_MAX = 10_000;
/** The waits add up to two and a half minutes. */
export const LISTEN_ATTEMPTS_DEFAULT = 10;
const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 30_000;

export interface Deliveries {
  /** Resolves when there is room for another. */
  add(event: LiveEvent): Promise<void>;
  /** Resolves when each event was accepted or given up, or the signal has ended it. */
  settled(): Promise<void>;
  /** Given up, or not accepted yet; in the order in which they came. */
  undelivered(): readonly LiveEvent[];
}

interface Pending {
  readonly event: LiveEvent;
  readonly attempts: number;
  readonly dueMs: number;
}

export interface DeliveryParts {
  readonly post: (event: LiveEvent, attempt: number) => Promise<Attempt>;
  /** Called after each attempt; `retryInMs` is `null` for the last one. */
  readonly attempted: (attempt: Attempt, retryInMs: number | null) => void;
  readonly attemptsMax: number;
  /** Ends deliveries; events not accepted by then stay undelivered. */
  readonly signal: AbortSignal;
}

/** One attempt at a time; an event that waits for a retry does not delay others. */
export const deliveriesTo = (parts: DeliveryParts): Deliveries => {
  const { post, attempted, attemptsMax, signal } = parts;
  const pending = new Map<number, Pending>();
  const givenUp = new Map<number, LiveEvent>();
  let next = 0;
  let wake = () => {};
  let isRunning = false;
  let running = Promise.resolve();
  const waiting: (() => void)[] = [];
  const changed = () => {
    for (const resume of waiting.splice(0)) resume();
  };
  const change = () => new Promise<void>((resume) => waiting.push(resume));

  const attempt = async (key: number, { event, attempts }: Pending): Promise<void> => {
    const made = await post(event, attempts + 1);
    if (signal.aborted && made.status === null) return;
    pending.delete(key);
    const isAccepted = made.status !== null && made.status >= 200 && made.status < 300;
    const isLast = isAccepted || made.attempt >= attemptsMax;
    const retryInMs = isLast ? null : retryAfterMs(made.attempt);
    attempted(made, retryInMs);
    if (retryInMs !== null) {
      const dueMs = performance.now() + retryInMs;
      pending.set(key, { event, attempts: made.attempt, dueMs });
    } else if (!isAccepted) givenUp.set(key, event);
    changed();
  };

  const run = async (): Promise<void> => {
    while (pending.size > 0 && !signal.aborted) {
      const [key, first] = soonest(pending);
      const waitMs = first.dueMs - performance.now();
      if (waitMs <= 0) await attempt(key, first);
      else await asleep(waitMs, (waken) => (wake = waken), signal);
    }
  };
  const start = () => {
    wake();
    if (isRunning) return;
    isRunning = true;
    running = run().finally(() => {
      isRunning = false;
      changed();
    });
  };

  return {
    async add(event) {
      pending.set(next, { event, attempts: 0, dueMs: performance.now() });
      next += 1;
      start();
      while (pending.size >= LISTEN_PENDING_MAX && !signal.aborted) await change();
    },
    settled: () => running,
    undelivered: () =>
      [...givenUp, ...[...pending].map(([key, { event }]) => [key, event] as const)]
        .toSorted(([one], [other]) => one - other)
        .map(([, event]) => event),
  };
};

const soonest = (pending: ReadonlyMap<number, Pending>): readonly [number, Pending] =>
  [...pending].reduce((best, one) => (one[1].dueMs < best[1].dueMs ? one : best));

const retryAfterMs = (attempts: number): number =>
  Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** (attempts - 1));

const asleep = (
  ms: number,
  wakeable: (wake: () => void) => void,
  signal: AbortSignal,
): Promise<void> =>
  new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    signal.addEventListener('abort', wake, { once: true });
    wakeable(wake);
    if (signal.aborted) wake();
  });
