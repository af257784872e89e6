import {
  AccessDeniedError,
  InvalidArgumentError,
  START,
  streamNameFilter,
  type AllStreamSubscription,
  type Credentials,
  type EventStoreDBClient,
  type Position as LogPosition,
  type ResolvedEvent,
} from '@eventstore/db-client';
import { LOG_POLL_MS, LOG_RETRY_MS, LOG_SUBSCRIPTION_WINDOW_EVENTS } from '../../limits.ts';
import { backoff } from '../../ops/backoff.ts';
import type { Report } from '../../ops/report.ts';
import {
  LogUnavailable,
  READ_PAGE_EVENTS,
  type Batch,
  type Position,
  type SubscribeOptions,
} from '../event-store.ts';
import { reasonOf } from './calls.ts';
import { storedOf } from './events.ts';
import { Inbox, type Mark } from './subscription-buffer.ts';
import { comparePositions, logPositionOf, textOf } from './positions.ts';
import type { Reader } from './reader.ts';

export interface SubscriptionParts {
  readonly client: EventStoreDBClient;
  readonly credentials: Credentials;
  readonly reader: Reader;
  readonly report: Report;
}

/**
 * A catch-up subscription that goes on after every kind of end, from behind what it has brought.
 * The server's own word about checkpoints and about the end comes before the events that it is
 * about have been handed on; here it waits in line behind them.
 */
export async function* subscription(
  parts: SubscriptionParts,
  after: Position | null,
  options: SubscribeOptions,
): AsyncGenerator<Batch, void, undefined> {
  const left = new AbortController();
  const signal = AbortSignal.any([options.signal, left.signal]);
  if (after !== null) logPositionOf(after);
  const inbox = new Inbox(after, options.batchEventsMax ?? READ_PAGE_EVENTS);
  void kept(parts, inbox, options.categories, signal);
  try {
    for (;;) {
      const batch = await inbox.next(signal);
      if (!batch) return;
      yield batch;
    }
  } finally {
    left.abort();
  }
}

/** Keeps the inbox fed until `signal` aborts. Never rejects. */
const kept = async (
  parts: SubscriptionParts,
  inbox: Inbox,
  categories: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<void> => {
  const retry = backoff(LOG_RETRY_MS, LOG_POLL_MS);
  while (!signal.aborted) {
    try {
      const ended = await fed(parts, inbox, { categories, onMessage: retry.reset }, signal);
      if (signal.aborted) return;
      parts.report.warn({ reason: ended }, 'a subscription was dropped and is taken up again');
    } catch (error) {
      inbox.fail(error);
      return;
    }
    inbox.put({ upTo: null, live: false });
    await retry.pause(signal);
  }
};

const isRefused = (error: unknown): boolean =>
  error instanceof AccessDeniedError || error instanceof InvalidArgumentError;

/**
 * One subscription from where the inbox is to its end.
 *
 * @returns Why it has ended.
 * @throws What would be the same the next time.
 */
const fed = (
  { client, credentials, reader }: SubscriptionParts,
  inbox: Inbox,
  about: {
    readonly categories: readonly string[] | undefined;
    onMessage(): void;
  },
  signal: AbortSignal,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const { categories } = about;
    /** Given out by the stream so far; what it holds back is counted by `readableLength`. */
    let given = 0;
    let heardAt = performance.now();
    let over = false;
    const marks: { readonly behind: number; readonly mark: Mark }[] = [];
    const settle = () => {
      while (marks[0] && marks[0].behind <= given) inbox.put(marks.shift()!.mark);
    };
    const hear = () => {
      heardAt = performance.now();
      about.onMessage();
    };

    const search = {
      maxSearchWindow: LOG_SUBSCRIPTION_WINDOW_EVENTS,
      checkpointInterval: 1,
      // Must not throw: the client would stop for good, without a word.
      checkpointReached: (_: AllStreamSubscription, position: LogPosition) =>
        mark({ upTo: textOf(position) }),
    };
    const stream: AllStreamSubscription = client.subscribeToAll({
      credentials,
      fromPosition: inbox.position === null ? START : logPositionOf(inbox.position),
      filter: categories
        ? streamNameFilter({ ...search, prefixes: categories.map((category) => `${category}-`) })
        : streamNameFilter({ ...search, regex: '^[^$]' }),
    });
    const mark = (said: Mark) => {
      if (over) return;
      hear();
      marks.push({ behind: given + stream.readableLength, mark: said });
      settle();
    };
    const end = (finish: () => void) => {
      if (over) return;
      over = true;
      clearInterval(idle);
      signal.removeEventListener('abort', aborted);
      stream.unsubscribe().catch(() => {
        // The call never came to be: nothing is held.
      });
      finish();
    };
    const aborted = () => end(() => resolve('aborted'));

    stream.on('data', (resolved: ResolvedEvent) => {
      // What is still held when a subscription is ended is brought all the same.
      if (over) return;
      given += 1;
      hear();
      try {
        const event = storedOf(resolved);
        if (event) inbox.put({ event });
      } catch (error) {
        end(() => reject(error));
        return;
      }
      settle();
      if (!inbox.full) return;
      stream.pause();
      inbox.whenDrained(() => stream.resume());
    });
    stream.on('caughtUp', () => {
      mark({ upTo: null, live: true });
      void passOver();
    });
    stream.on('fellBehind', () => mark({ upTo: null, live: false }));
    // Stays for good: an error after the end must find somebody.
    stream.on('error', (error) =>
      end(() => (isRefused(error) ? reject(refused(error)) : resolve(reasonOf(error)))),
    );
    // After the last event, when the server has ended the call and has nothing against it.
    stream.on('close', () => end(() => resolve('the server has ended it')));
    signal.addEventListener('abort', aborted, { once: true });

    // On a quiet log the server says nothing of what it has passed over, and one before 23.10 does
    // not say that it has come to the end. How far the log goes is no answer, because another node
    // may have been asked: what others have appended is passed over by reading it.
    let asking = false;
    const passOver = async () => {
      if (asking) return;
      asking = true;
      try {
        const foreign = await reader.foreignUpTo(inbox.position, categories);
        if (over || comparePositions(foreign.position, inbox.position) < 0) return;
        inbox.put({ upTo: foreign.position, ...(foreign.end ? { live: true } : {}) });
      } catch {
        // The subscription is told of a lost connection itself.
      } finally {
        asking = false;
      }
    };
    const idle = setInterval(() => {
      if (inbox.empty && performance.now() - heardAt >= LOG_POLL_MS) void passOver();
    }, LOG_POLL_MS / 2);
    if (signal.aborted) aborted();
  });

const refused = (error: unknown): LogUnavailable =>
  new LogUnavailable(`subscribing: ${reasonOf(error)}`, error);
