/** How long a call may take, how often it is made, and what its failure means. */
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
 * Makes a call until it is retried, for {@link LOG_CALL_TIMEOUT_MS} in all. An answer that would
 * be the same the next time is thrown on as it is.
 *
 * @param call Given the time left, which it must keep to.
 * @throws {@link LogUnavailable} when the time is over, or the server lets nobody in.
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

/** The server has decided: asking again would be answered the same. */
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

/** What to say of an error: the client leaves some of its messages empty. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (!isCommandError(error)) return error.message;
  return error.message ? `${error.type} (${error.message})` : error.type;
};

/** A deadline for what the client sets none for, such as finding the leader. */
export const within = <T>(ms: number, work: Promise<T>): Promise<T> =>
  withTimeout(work, Math.max(0, ms), () => {
    throw new NoAnswer(ms);
  });

/**
 * All events of a bounded read; none for a stream that does not exist, or no longer. A read that
 * is late is cancelled, because it would go on holding its call on the server.
 */
export const collected = async (
  open: () => StreamingRead<ResolvedEvent>,
  leftMs: number,
): Promise<ResolvedEvent[]> => {
  const stream = open();
  const events: ResolvedEvent[] = [];
  let ended = false;
  const read = new Promise<ResolvedEvent[]>((resolve, reject) => {
    stream.on('data', (event: ResolvedEvent) => events.push(event));
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
        // The call was never made: the server holds nothing.
      });
  }
};
