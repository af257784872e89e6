import {
  AccessDeniedError,
  InvalidArgumentError,
  START,
  streamNameFilter,
  type AllStreamSubscription,
  type Credentials,
  type Position as LogPosition,
  type ResolvedEvent,
} from '@eventstore/db-client';
import { LOG_POLL_MS, LOG_RETRY_MS, LOG_SUBSCRIPTION_WINDOW_EVENTS } from '../../limits.ts';
import { backoff } from '../../concurrency/backoff.ts';
import type { Report } from '../../observe/report.ts';
import {
  LogUnavailable,
  READ_PAGE_EVENTS,
  type Batch,
  type Position,
  type SubscribeOptions,
} from '../event-store.ts';
import { pageWhileBusy } from './busy-pages.ts';
import { reasonOf } from './calls.ts';
import { storedOf } from './events.ts';
import { SubscriptionBuffer, type Mark } from './subscription-buffer.ts';
import { checkpointText, comparePositions, logPositionOf } from './positions.ts';
import type { ClientFailover } from './client-failover.ts';
import type { EventStoreDbReader } from './reader.ts';

export interface SubscriptionParts {
  readonly clients: ClientFailover;
  readonly credentials: Credentials;
  readonly reader: EventStoreDbReader;
  readonly report: Report;
}

/**
 * A catch-up subscription that is resumed after every kind of end, from the last event that it has
 * delivered; on a busy log, by pages first. The server's checkpoints and its `caughtUp` arrive
 * before the events that they cover were delivered, so they wait in the buffer behind those.
 */
export async function* subscription(
  parts: SubscriptionParts,
  after: Position | null,
  options: SubscribeOptions,
): AsyncGenerator<Batch, void, undefined> {
  const left = new AbortController();
  const signal = AbortSignal.any([options.signal, left.signal]);
  if (after !== null) logPositionOf(after);
  const buffer = new SubscriptionBuffer(after, options.batchEventsMax ?? READ_PAGE_EVENTS);
  void keepFed(parts, buffer, options, signal);
  try {
    for (;;) {
      const batch = await buffer.next(signal);
      if (!batch) return;
      yield batch;
    }
  } finally {
    left.abort();
  }
}

/** Subscribes again and again until `signal` aborts. Never rejects. */
const keepFed = async (
  parts: SubscriptionParts,
  buffer: SubscriptionBuffer,
  { categories, onInterrupted }: Pick<SubscribeOptions, 'categories' | 'onInterrupted'>,
  signal: AbortSignal,
): Promise<void> => {
  const retry = backoff(LOG_RETRY_MS, LOG_POLL_MS);
  while (!signal.aborted) {
    const from = buffer.position;
    try {
      const ended = await feedOnce(parts, buffer, { categories, onMessage: retry.reset }, signal);
      if (signal.aborted) return;
      onInterrupted?.();
      parts.report.warn({ reason: ended }, 'a subscription was dropped; subscribing again');
    } catch (error) {
      buffer.fail(error);
      return;
    }
    buffer.put({ upTo: null, live: false });
    if (buffer.position === from) await retry.pause(signal);
    else
      await pageWhileBusy(parts.reader, buffer, categories, signal).catch((error: unknown) => {
        // A permanent error also ends the new subscription, and is thrown there.
        const reason = reasonOf(error);
        parts.report.info({ reason }, 'the log cannot be read by pages and is subscribed to');
      });
  }
};

const isRefused = (error: unknown): boolean =>
  error instanceof AccessDeniedError || error instanceof InvalidArgumentError;

/**
 * One subscription from the buffer's position to its end.
 *
 * @returns Why it has ended.
 * @throws Permanent errors.
 */
const feedOnce = (
  { clients, credentials, reader }: SubscriptionParts,
  buffer: SubscriptionBuffer,
  about: {
    readonly categories: readonly string[] | undefined;
    onMessage(): void;
  },
  signal: AbortSignal,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const { categories } = about;
    const { client, replaced } = clients.current;
    /** Items emitted by the stream; `readableLength` counts those that it buffers. */
    let emitted = 0;
    let messageAt = performance.now();
    let over = false;
    const marks: { readonly behind: number; readonly mark: Mark }[] = [];
    const settle = () => {
      while (marks[0] && marks[0].behind <= emitted) buffer.put(marks.shift()!.mark);
    };
    const noteMessage = () => {
      messageAt = performance.now();
      about.onMessage();
    };

    const search = {
      maxSearchWindow: LOG_SUBSCRIPTION_WINDOW_EVENTS,
      checkpointInterval: 1,
      // Must not throw: the client would stop silently.
      checkpointReached: (_: AllStreamSubscription, position: LogPosition) =>
        mark({ upTo: checkpointText(position) }),
    };
    const stream: AllStreamSubscription = client.subscribeToAll({
      credentials,
      fromPosition: buffer.position === null ? START : logPositionOf(buffer.position),
      filter: categories
        ? streamNameFilter({ ...search, prefixes: categories.map((category) => `${category}-`) })
        : streamNameFilter({ ...search, regex: '^[^$]' }),
    });
    const mark = (received: Mark) => {
      if (over) return;
      noteMessage();
      marks.push({ behind: emitted + stream.readableLength, mark: received });
      settle();
    };
    const end = (finish: () => void) => {
      if (over) return;
      over = true;
      clearInterval(idle);
      signal.removeEventListener('abort', aborted);
      replaced.removeEventListener('abort', onLeaderChange);
      stream.unsubscribe().catch(() => {
        // The call was never opened: the server has no resources to release.
      });
      finish();
    };
    const aborted = () => end(() => resolve('aborted'));
    const onLeaderChange = () => end(() => resolve('another server leads'));

    stream.on('data', (resolved: ResolvedEvent) => {
      // The stream still delivers its buffered items after the subscription has ended.
      if (over) return;
      emitted += 1;
      noteMessage();
      try {
        const event = storedOf(resolved);
        if (event) buffer.put({ event });
      } catch (error) {
        end(() => reject(error));
        return;
      }
      settle();
      if (!buffer.full) return;
      stream.pause();
      buffer.whenDrained(() => stream.resume());
    });
    stream.on('caughtUp', () => {
      mark({ upTo: null, live: true });
      // Without a filter, a delivered event shows how far the log was searched.
      if (categories || emitted === 0) void skipForeign();
    });
    stream.on('fellBehind', () => mark({ upTo: null, live: false }));
    // Never removed: an error event without a listener would end the process, late ones too.
    stream.on('error', (error) =>
      end(() => (isRefused(error) ? reject(refused(error)) : resolve(reasonOf(error)))),
    );
    // After the last event, when the server has ended the call without an error.
    stream.on('close', () => end(() => resolve('the server has ended it')));
    signal.addEventListener('abort', aborted, { once: true });
    replaced.addEventListener('abort', onLeaderChange, { once: true });

    // On a quiet log the server does not report how far it has searched, and one before 23.10 does
    // not report that it has reached the end. The head of the log does not help, because another
    // node may be behind it: events of other categories are skipped by reading them.
    let skipping = false;
    const skipForeign = async () => {
      if (skipping) return;
      skipping = true;
      try {
        const foreign = await reader.foreignUpTo(buffer.position, categories);
        if (over || comparePositions(foreign.position, buffer.position) < 0) return;
        buffer.put({ upTo: foreign.position, ...(foreign.end ? { live: true } : {}) });
      } catch {
        // The subscription has an error of its own for a lost connection.
      } finally {
        skipping = false;
      }
    };
    const idle = setInterval(() => {
      if (buffer.empty && performance.now() - messageAt >= LOG_POLL_MS) void skipForeign();
    }, LOG_POLL_MS / 2);
    if (signal.aborted) aborted();
  });

const refused = (error: unknown): LogUnavailable =>
  new LogUnavailable(`subscribing: ${reasonOf(error)}`, error);
