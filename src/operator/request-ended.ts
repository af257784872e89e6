import type { Instant } from '../engine/aggregates/decider.ts';
import { pause } from '../engine/concurrency/backoff.ts';
import { REQUEST_LOOK_MS } from './limits.ts';
import { Interrupted } from './operator-error.ts';

export interface RequestWait<Request> {
  readonly look: () => Promise<Request | null | undefined>;
  /** For the message when the wait is interrupted, for example `the retry is`. */
  readonly work: string;
  /** Of `interruption`. Ends the wait, not the request. */
  readonly signal: AbortSignal;
  /** Called with the request while it has not ended; may throw to end the wait. */
  readonly between?: (request: Request) => unknown;
  /** Default {@link REQUEST_LOOK_MS}. */
  readonly everyMs?: number;
}

/**
 * Waits until a process has carried out a request.
 *
 * @throws {@link Interrupted} once `signal` has aborted.
 */
export const requestEnded = async <Request extends { readonly endedAt: Instant | null }>({
  look,
  work,
  signal,
  between,
  everyMs = REQUEST_LOOK_MS,
}: RequestWait<Request>): Promise<Request> => {
  for (;;) {
    const request = await look();
    if (!request) throw new Error('the request no longer exists');
    if (request.endedAt !== null) return request;
    if (signal.aborted)
      throw new Interrupted(`not waited for; ${work} carried out all the same`, signal);
    await between?.(request);
    await pause(everyMs, signal);
  }
};
