/** Timeouts, retries and classified failures of calls. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AccessDeniedError,
  InvalidArgumentError,
  isCommandError,
  MaxAppendSizeExceededError,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
  type ResolvedEvent,
  type StreamingRead,
} from '@eventstore/db-client';
import { LOG_CALL_TIMEOUT_MS, LOG_RETRY_MS } from '../../limits.ts';
import { withTimeout } from '../../concurrency/timeout.ts';
import { LogUnavailable } from '../event-store.ts';

/** The server has not answered in time. */
export class NoAnswer extends Error {
  constructor(withinMs: number) {
    super(`no answer within ${Math.round(withinMs)} ms`);
    this.name = 'NoAnswer';
  }
}

/**
 * Repeats a call until it succeeds, for {@link LOG_CALL_TIMEOUT_MS} in all. A final error is thrown
 * unchanged.
 *
 * @param call Receives the time left, which it must observe.
 * @throws {@link LogUnavailable} when the time is over, or access is denied.
 */
export const retried = async <T>(
  what: string,
  call: (leftMs: number) => Promise<T>,
  withinMs = LOG_CALL_TIMEOUT_MS,
): Promise<T> => {
  const givenUpAt = performance.now() + withinMs;
  for (;;) {
    try {
      return await call(givenUpAt - performance.now());
    } catch (error) {
      if (error instanceof LogUnavailable) throw error;
      if (error instanceof AccessDeniedError)
        throw new LogUnavailable(`${what}: access denied`, error);
      if (isFinal(error)) throw error;
      if (performance.now() + LOG_RETRY_MS >= givenUpAt)
        throw new LogUnavailable(`${what}: ${reasonOf(error)}`, error);
      await sleep(LOG_RETRY_MS);
    }
  }
};

/** The server has decided: a retry would be answered the same. */
export const isFinal = (error: unknown): boolean =>
  FINAL.some((kind) => error instanceof kind) || !(error instanceof Error);

const FINAL = [
  AccessDeniedError,
  InvalidArgumentError,
  MaxAppendSizeExceededError,
  StreamDeletedError,
  StreamNotFoundError,
  TypeError,
  WrongExpectedVersionError,
];

/** The message of an error: the client leaves some of its messages empty. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (!isCommandError(error)) return error.message;
  return error.message ? `${error.type} (${error.message})` : error.type;
};

/** A deadline for operations without one in the client, such as finding the leader. */
export const within = <T>(ms: number, work: Promise<T>): Promise<T> =>
  withTimeout(work, Math.max(0, ms), () => {
    throw new NoAnswer(ms);
  });

/**
 * All events of a bounded read; none if the stream does not exist, or no longer. A read that is
 * late or stopped is cancelled, because it would keep its call open on the server.
 *
 * @param fits `false`: the read stops before this event. Default: all fit.
 */
export const collected = async (
  open: () => StreamingRead<ResolvedEvent>,
  leftMs: number,
  fits: (event: ResolvedEvent) => boolean = () => true,
): Promise<ResolvedEvent[]> => {
  const stream = open();
  const events: ResolvedEvent[] = [];
  let ended = false;
  const read = new Promise<ResolvedEvent[]>((resolve, reject) => {
    let isStopped = false;
    stream.on('data', (event: ResolvedEvent) => {
      isStopped ||= !fits(event);
      if (isStopped) resolve(events);
      else events.push(event);
    });
    stream.on('end', () => {
      ended = true;
      resolve(events);
    });
    // Never removed: an error event without a listener would end the process, late ones too.
    stream.on('error', (error) => {
      ended = true;
      if (error instanceof StreamNotFoundError || error instanceof StreamDeletedError) resolve([]);
      else reject(error);
    });
  });
  try {
    return await within(leftMs, read);
  } finally {
    if (!ended)
      stream.cancel().catch(() => {
        // The call was never made: the server has no resources to release.
      });
  }
};
