import { LOG_POLL_MS, LOG_RETRY_MS } from '../limits.ts';
import {
  LogUnavailable,
  READ_PAGE_EVENTS,
  type AllPage,
  type AllRange,
  type Batch,
  type Position,
  type SubscribeOptions,
} from './event-store.ts';
import type { Signal } from '../concurrency/signal.ts';

/**
 * Catch-up and live delivery over a log that can only be read by the page. The next page is read
 * while one is handled; at the end it waits for a wakeup, and also polls.
 */
export async function* subscription(
  source: {
    readAll(after: Position | null, range: AllRange): Promise<AllPage>;
    /** The same, called after a full page: the next one is likely to be full as well. */
    readFull?(after: Position | null, range: AllRange): Promise<AllPage>;
    readonly wakes: Signal;
    /** Default {@link LOG_POLL_MS}. */
    readonly pollMs?: () => number;
  },
  after: Position | null,
  { batchEventsMax, categories, signal, onInterrupted }: SubscribeOptions,
): AsyncGenerator<Batch, void, undefined> {
  const range: AllRange = {
    limit: batchEventsMax ?? READ_PAGE_EVENTS,
    ...(categories ? { categories } : {}),
  };
  let at = after;
  let first = true;
  let caughtUp = false;
  let ahead: Promise<Pulled> | null = null;
  const { readAll, readFull = readAll } = source;
  const waiting = { signal, ...(onInterrupted ? { onInterrupted } : {}) };

  while (!signal.aborted) {
    const { page, seen, error } = await (ahead ?? pulled(source, readAll, at, range, waiting));
    ahead = null;
    if (error) throw error.cause;
    if (!page) continue;
    const hasAdvanced = page.next !== at;
    at = page.next;
    const isFull = page.isCut || page.events.length === range.limit;
    if (!page.end) ahead = pulled(source, isFull ? readFull : readAll, at, range, waiting);
    // The end may be known only from a look behind a full page.
    const isNews = hasAdvanced || first || (page.end && !caughtUp);
    caughtUp = page.end;
    first = false;
    if (isNews && at !== null) yield { events: page.events, upTo: at, caughtUp };
    if (page.end) await source.wakes.after(seen, signal, source.pollMs?.() ?? LOG_POLL_MS);
  }
}

/** Never rejects: a page that is read ahead may fail before it is awaited. */
interface Pulled {
  readonly page?: AllPage;
  /** The count of wakeups before the page was read. */
  readonly seen: number;
  readonly error?: { readonly cause: unknown };
}

async function pulled(
  source: Pick<Parameters<typeof subscription>[0], 'wakes'>,
  read: (after: Position | null, range: AllRange) => Promise<AllPage>,
  at: Position | null,
  range: AllRange,
  { signal, onInterrupted }: Pick<SubscribeOptions, 'signal' | 'onInterrupted'>,
): Promise<Pulled> {
  for (;;) {
    const seen = source.wakes.count;
    try {
      const page = await untilAborted(read(at, range), signal);
      return page ? { page, seen } : { seen };
    } catch (cause) {
      if (!(cause instanceof LogUnavailable)) return { seen, error: { cause } };
      onInterrupted?.();
      await untilAborted(new Promise((go) => setTimeout(go, LOG_RETRY_MS)), signal);
      if (signal.aborted) return { seen };
    }
  }
}

/** `undefined` as soon as `signal` aborts; the outcome of `work` is then ignored. */
const untilAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> =>
  new Promise((resolve, reject) => {
    const stop = () => resolve(undefined);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
