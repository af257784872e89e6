/** Retries of requests that are safe to repeat and may succeed. */
import { AtriumError, errorOf, isJson, isPassing } from './problems.ts';
import { AtriumUnreachableError, isConnectionFailure } from './unreachable.ts';

/** A request that is about to be retried. @stable */
export interface Retry {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Attempts so far, from 1. */
  readonly attempt: number;
  /** Until the next attempt. */
  readonly delayMs: number;
  /** An `AtriumError` or an `AtriumUnreachableError`, unless a `fetch` of your own failed. */
  readonly reason: unknown;
}

/** What a caller has asked for of retries. */
export interface RetryPolicy {
  /** Attempts after the first. Default: any number. */
  readonly retries?: number | undefined;
  /** From the first failure on, in milliseconds. Default: any time. */
  readonly budgetMs?: number | undefined;
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

export interface Persistence extends RetryPolicy {
  /** Milliseconds for one attempt; `Infinity`: no limit. */
  readonly timeoutMs: number;
  readonly fetch: (request: Request) => Promise<Response>;
}

const BACKOFF_FIRST_MS = 250;
const BACKOFF_MAX_MS = 20_000;
/** There is no attempt after a server that asks for a longer pause. */
const RETRY_AFTER_MAX_MS = 120_000;
/** Added to the pause that a server asks for, by chance. */
const JITTER_MS = 250;
/** A longer timer of the platform ends at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** Failures in a row, within their limits. */
export interface Failures {
  readonly count: number;
  /**
   * Counts one.
   *
   * @param askedMs The pause that the server has asked for; `null`: it has not.
   * @returns Milliseconds until the next attempt; `null`: there is none.
   */
  readonly add: (askedMs: number | null) => number | null;
  /**
   * Counts one, and reports the next attempt to `onRetry`.
   *
   * @throws `reason` if there is none.
   */
  readonly next: (
    method: string,
    path: string,
    reason: unknown,
  ) => Pick<Retry, 'attempt' | 'delayMs' | 'reason'>;
  /** Something has succeeded. */
  readonly clear: () => void;
}

export const failuresWithin = ({
  retries = Number.POSITIVE_INFINITY,
  budgetMs = Number.POSITIVE_INFINITY,
  onRetry,
}: RetryPolicy): Failures => {
  let count = 0;
  let since = 0;
  const add = (askedMs: number | null): number | null => {
    const now = performance.now();
    if (count === 0) since = now;
    count += 1;
    const leftMs = since + budgetMs - now;
    // A timer may end within the millisecond before its time.
    if (count > retries || leftMs < 1) return null;
    // The last attempt is made when the time is up, not long before.
    const ownMs = Math.min(backoffMs(count - 1), leftMs);
    if (askedMs === null) return ownMs;
    if (askedMs > Math.min(leftMs, RETRY_AFTER_MAX_MS)) return null;
    // A pause of 0, or until a date that is past, still grows from failure to failure.
    return Math.max(askedMs + Math.random() * JITTER_MS, ownMs);
  };
  return {
    get count() {
      return count;
    },
    clear: () => (count = 0),
    add,
    next(method, path, reason) {
      const delayMs = add(AtriumError.is(reason) ? retryAfterMs(reason.response) : null);
      if (delayMs === null) throw reason;
      const failed = { attempt: count, delayMs, reason };
      onRetry?.({ method, path, ...failed });
      return failed;
    },
  };
};

/**
 * Repeats `work` after failures that may pass.
 *
 * @throws its failure where the policy allows no further attempt, or another changes nothing; the
 *   signal's reason when it is aborted in a pause.
 */
export const repeated = async <Result>(
  { method, path }: Pick<Retry, 'method' | 'path'>,
  { signal, ...policy }: RetryPolicy & { readonly signal: AbortSignal | undefined },
  work: () => Promise<Result>,
): Promise<Result> => {
  const failures = failuresWithin(policy);
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (signal?.aborted || !isPassing(error)) throw error;
      const { delayMs } = failures.next(method, path, error);
      await pause(delayMs, signal);
    }
  }
};

/**
 * `fetch` with retries after a broken connection, a 503 or a 429: with growing pauses, and not
 * before `Retry-After`. A retried command carries an `Idempotency-Key`, so that it is
 * executed once however often it arrives.
 *
 * @throws {@link AtriumUnreachableError} without an answer; the signal's reason when it is aborted.
 */
export const persistently =
  ({ timeoutMs, fetch, onRetry, ...limits }: Persistence) =>
  async (request: Request): Promise<Response> => {
    const { method, signal } = request;
    const asked = { method, path: new URL(request.url).pathname };
    const failures = failuresWithin(limits);
    for (;;) {
      const outcome = await once(request, timeoutMs, fetch);
      // A `fetch` of the caller may give a class of its own.
      const isAnswer = !('error' in outcome);
      if (isAnswer && !mayPass(outcome)) return outcome;
      const delayMs = failures.add(isAnswer ? retryAfterMs(outcome) : null);
      const attempt = failures.count;
      if (delayMs === null || signal.aborted) {
        if (isAnswer) return outcome;
        throw isConnectionFailure(outcome.error) && !signal.aborted
          ? new AtriumUnreachableError(asked, attempt, outcome.error)
          : outcome.error;
      }
      const reason = isAnswer
        ? await errorOf(outcome)
        : new AtriumUnreachableError(asked, attempt, outcome.error);
      onRetry?.({ ...asked, attempt, delayMs, reason });
      await pause(delayMs, signal);
    }
  };

const once = async (
  request: Request,
  timeoutMs: number,
  fetch: Persistence['fetch'],
): Promise<Response | { readonly error: unknown }> => {
  const limits = timeoutMs > TIMER_MAX_MS ? [] : [AbortSignal.timeout(timeoutMs)];
  const signal = AbortSignal.any([request.signal, ...limits]);
  try {
    // A body can be read once: each attempt sends a copy.
    return await whole(await fetch(new Request(request.clone(), { signal })));
  } catch (error) {
    return { error };
  }
};

/** JSON and refusals are read with their attempt: one that breaks off is asked for again. */
const whole = async (response: Response): Promise<Response> => {
  if (response.body === null || (response.ok && !isJson(response))) return response;
  const { status, statusText, headers, url } = response;
  const copy = new Response(await response.arrayBuffer(), { status, statusText, headers });
  return Object.defineProperty(copy, 'url', { value: url });
};

/** Whether another attempt may change the answer. */
const mayPass = (response: Response): boolean => {
  const { status } = response;
  // Without it a quota is used up: waiting does not help.
  if (status === 429) return retryAfterMs(response) !== null;
  return status === 503 || status === 502 || status === 504;
};

/** `Retry-After` is a number of seconds or a date: RFC 9110, section 10.2.3. */
export const retryAfterMs = ({ headers }: Response): number | null => {
  const said = headers.get('retry-after');
  if (said === null) return null;
  if (/^\d+$/.test(said)) return Number(said) * 1_000;
  // The parser of dates takes numbers too.
  const at = /^[A-Z][a-z]+, .+ GMT$/.test(said) ? Date.parse(said) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
};

/** Half of it is chance, so that clients which failed together do not come back together. */
export const backoffMs = (attempt: number): number =>
  Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** attempt) * (0.5 + Math.random() / 2);

/** For loops that look at their signal themselves: resolves at once when it is aborted. */
export const pauseUnlessAborted = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  pause(ms, signal).catch(() => {});

/** @throws the signal's reason when it is aborted meanwhile. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const ended = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', ended);
      resolve();
    }, ms);
    if (signal?.aborted) ended();
    else signal?.addEventListener('abort', ended, { once: true });
  });
