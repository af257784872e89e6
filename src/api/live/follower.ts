/**
 * Follows the log for the rooms of this process: dispatches each event's messages once, in log
 * order. It starts with the first request for its position.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { LogReader } from '../../engine/consumers/log-reader.ts';
import { LIVE_MESSAGES_AT_ONCE_MAX, LIVE_TURN_MS } from './limits.ts';
import type { Logger } from '../../engine/observe/logging.ts';
import { chunksOf } from '../../engine/concurrency/chunks.ts';
import { retry } from '../../engine/concurrency/backoff.ts';
import type { Batch, EventStore, Position, StoredEvent } from '../../engine/log/event-store.ts';
import { cursorAfter, type Cursor } from './cursor.ts';
import type { Place } from './frames.ts';
import { buildingIn, LIVE_CATEGORIES, liveMessagesOf } from './messages.ts';

export interface LiveFollower {
  /** Resolves once it follows. @throws `LogUnavailable`. */
  begun(): Promise<void>;
  /** The position dispatched for the building so far. */
  cursorOf(buildingId: string): Cursor;
  /**
   * Calls back between two events, when exactly everything up to `position` has been dispatched.
   * `inTime` is false if the follower is past it already.
   */
  at(position: Position | null, reached: (inTime: boolean) => void): void;
}

export interface LiveFollowerParts {
  readonly log: Pick<EventStore, 'head' | 'compare'>;
  readonly reader: Pick<LogReader, 'subscribe'>;
  readonly logger: Logger;
  /** Whether the building has listeners in this process. */
  readonly hasListeners: (buildingId: string) => boolean;
  /** Sends several messages at once, in order. */
  readonly broadcast: (buildingId: string, messages: readonly Place[]) => void;
  readonly signal: AbortSignal;
  /** The log's timeline; `null`, the default: it was never restored. */
  readonly timeline?: () => Promise<string | null>;
}

interface Waiting {
  readonly position: Position | null;
  readonly reached: (inTime: boolean) => void;
}

interface DispatchedTo {
  readonly position: Position;
  readonly buildingId: string;
  readonly messages: number;
}

export const liveFollower = (parts: LiveFollowerParts): LiveFollower => {
  const { log, reader, logger, hasListeners, broadcast, signal } = parts;
  let beginning: Promise<void> | null = null;
  let base: Position | null = null;
  let timeline: string | undefined;
  /** The event that is being dispatched. */
  let lastPosition: DispatchedTo | null = null;
  let waiting: readonly Waiting[] = [];
  let turnBegan = 0;

  const callBack = (isReached: (position: Position | null) => boolean) => {
    if (waiting.length === 0) return;
    const due = waiting.filter(({ position }) => isReached(position));
    waiting = waiting.filter(({ position }) => !isReached(position));
    for (const { reached } of due) reached(true);
  };

  const moveTo = (position: Position) => {
    base = position;
    lastPosition = null;
    callBack((target) => log.compare(position, target) >= 0);
  };

  /** Yields to other work, however many messages one event has. */
  const pauseInTime = async () => {
    if (performance.now() - turnBegan < LIVE_TURN_MS) return;
    await turn();
    turnBegan = performance.now();
  };

  const dispatch = async (event: StoredEvent) => {
    const { position } = event;
    callBack((target) => log.compare(position, target) > 0);
    const buildingId = buildingIn(event);
    const messages = hasListeners(buildingId) ? liveMessagesOf(event) : [];
    let sent = 0;
    for (const chunk of chunksOf(messages, LIVE_MESSAGES_AT_ONCE_MAX)) {
      const placed = chunk.map((message, index) => ({
        message,
        cursor: cursorAfter(sent + index + 1, {
          of: messages.length,
          position,
          before: base,
          timeline,
        }),
      }));
      sent += chunk.length;
      lastPosition = { position, buildingId, messages: sent };
      broadcast(buildingId, placed);
      if (sent < messages.length) await pauseInTime();
    }
    moveTo(position);
    await pauseInTime();
  };

  const dispatchBatch = async ({ events, upTo }: Batch) => {
    turnBegan = performance.now();
    for (const event of events) {
      if (signal.aborted) return;
      // Skips events dispatched before a failure in the middle of a page.
      if (log.compare(event.position, base) > 0) await dispatch(event);
    }
    moveTo(upTo);
  };

  const follow = async () => {
    const options = { signal, categories: LIVE_CATEGORIES };
    for await (const batch of reader.subscribe(base, options)) await dispatchBatch(batch);
    if (!signal.aborted) throw new Error('the log is not read any more');
  };

  const begin = async () => {
    timeline = (await parts.timeline?.()) ?? undefined;
    base = (await log.head()).position;
    void retry(follow, signal, (error) =>
      logger.warn({ err: error }, 'the live service does not follow the log; trying again'),
    );
  };

  return {
    begun() {
      beginning ??= begin().catch((error: unknown) => {
        beginning = null;
        throw error;
      });
      return beginning;
    },

    cursorOf: (buildingId) => ({
      ...(timeline === undefined ? {} : { timeline }),
      after: base,
      messages: lastPosition?.buildingId === buildingId ? lastPosition.messages : 0,
    }),

    at(position, reached) {
      const furthest = lastPosition?.position ?? base;
      const ahead = log.compare(furthest, position);
      if (ahead > 0) reached(false);
      else if (ahead === 0 && lastPosition === null) reached(true);
      else waiting = [...waiting, { position, reached }];
    },
  };
};
