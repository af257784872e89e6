import { isUnreachable } from '../db/errors.ts';
import { PROCESS_ATTEMPTS_MAX, PROCESS_STREAMS_AT_ONCE_MAX } from '../limits.ts';
import { backoff } from '../ops/backoff.ts';
import type { Clock } from '../ops/clock.ts';
import type { Logger } from '../ops/logging.ts';
import { Refused } from '../store/aggregate.ts';
import { UnknownEvent, UnreadableEvent, type Recorded } from '../store/codec.ts';
import {
  GuardMoved,
  LogUnavailable,
  WrongRevision,
  type EventStore,
  type StoredEvent,
} from '../store/event-store.ts';
import { intentId, type AnyProcess, type Give, type Intent, type Publish } from './process.ts';

export interface HandlingParts {
  readonly process: AnyProcess;
  readonly log: Pick<EventStore, 'deleteStream'>;
  readonly give: Give;
  /** Needed where a process publishes. */
  readonly publish?: Publish;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The event of a stream that a process cannot handle, and how many after it were left out. */
export interface ParkedAt {
  readonly event: StoredEvent | null;
  readonly error: unknown;
  readonly skipped: number;
}

/**
 * Carries out what a process wants done about a batch of facts: those of one lane in order,
 * several streams at once. A refusal is an outcome; what cannot be reached is asked again without
 * end, under the same command id; what can never work sets its stream aside.
 *
 * @returns By stream, what was set aside or left out.
 * @throws If `signal` aborts; some of it may have been done, and doing it again is harmless.
 */
export const handling = ({ process, log, give, publish, clock, logger }: HandlingParts) => {
  const carryOut = (intent: Intent, commandId: string, { organisation }: Recorded) => {
    if (intent.kind === 'delete-stream') return log.deleteStream(intent.stream);
    if (intent.kind === 'publish') {
      if (!publish) throw new Error(`process ${process.name} publishes, and there is no bus`);
      return publish(intent.subject, intent.data, { eventId: commandId, at: intent.at });
    }
    const given = { commandId, command: intent.command };
    return give(
      intent.to,
      intent.id,
      organisation === undefined ? given : { ...given, organisation },
      {
        at: clock.now(),
        by: { kind: 'system', id: `process:${process.name}` },
        origin: process.origin ?? 'system',
      },
    );
  };

  /** Repeats `work` until it has an outcome. */
  const untilDone = async <Outcome>(work: () => Promise<Outcome>, signal: AbortSignal) => {
    const delays = backoff();
    for (let attempt = 1; ;) {
      signal.throwIfAborted();
      try {
        return await work();
      } catch (error) {
        if (error instanceof Refused) {
          const { refused, detail } = error.refusal;
          logger.info({ process: process.name, refused, detail }, 'a command was refused');
          return null;
        }
        if (isForEver(error)) throw error;
        // A failure that nobody has a name for may be a bug, which no repetition mends.
        if (!isFailure(error) && (attempt += 1) > PROCESS_ATTEMPTS_MAX) throw error;
        logger.warn({ err: error, process: process.name }, 'a step failed; trying again');
        await delays.pause(signal);
      }
    }
  };

  const handle = async (stored: StoredEvent, signal: AbortSignal) => {
    const recorded = process.codec.decode(stored) as Recorded;
    const react = process.on[recorded.event.type];
    if (!react) return;
    const gathered: unknown = process.gather
      ? await untilDone(async () => process.gather?.(recorded), signal)
      : undefined;
    for (const [index, intent] of react(recorded, gathered).entries()) {
      const id = intentId(process.name, recorded.id, index);
      await untilDone(() => carryOut(intent, id, recorded), signal);
    }
  };

  /** @returns Why `event` cannot be handled; `null` where it was. */
  const attempt = async (event: StoredEvent, signal: AbortSignal): Promise<ParkedAt | null> => {
    try {
      await handle(event, signal);
      return null;
    } catch (error) {
      if (signal.aborted) throw error;
      const { stream } = event;
      logger.error({ err: error, process: process.name, stream }, 'a stream was parked');
      return { event, error, skipped: 0 };
    }
  };

  return async (
    events: readonly StoredEvent[],
    parked: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, ParkedAt>> => {
    const aside = new Map<string, ParkedAt>();
    const laneOf = process.laneOf ?? ((stream: string) => stream);
    const lanes = Map.groupBy(events, ({ stream }) => laneOf(stream)).values();
    const leftOut = ({ stream }: StoredEvent): ParkedAt | null => {
      const at = aside.get(stream) ?? (parked.has(stream) ? unnamed : null);
      return at && { ...at, skipped: at.skipped + 1 };
    };
    const worker = async () => {
      for (const its of lanes) {
        for (const event of its) {
          const at = leftOut(event) ?? (await attempt(event, signal));
          if (at) aside.set(event.stream, at);
        }
      }
    };
    // All of them end before this does: what is under way must not outlive its lease unseen.
    const workers = Array.from({ length: PROCESS_STREAMS_AT_ONCE_MAX }, worker);
    for (const ended of await Promise.allSettled(workers))
      if (ended.status === 'rejected') throw ended.reason;
    return aside;
  };
};

/** Of a stream that was set aside before this batch. */
const unnamed: ParkedAt = { event: null, error: null, skipped: 0 };

/** Nothing is wrong with the command: the world was not ready for it. */
export const isFailure = (error: unknown): boolean =>
  error instanceof LogUnavailable ||
  error instanceof WrongRevision ||
  error instanceof GuardMoved ||
  isUnreachable(error);

const isForEver = (error: unknown): boolean =>
  error instanceof UnknownEvent || error instanceof UnreadableEvent;
