/** Sending a request again, where that can do no harm and may help. */

export interface Persistence {
  /** Attempts after the first. */
  readonly retries: number;
  /** Milliseconds for one attempt. */
  readonly timeoutMs: number;
  readonly fetch: (request: Request) => Promise<Response>;
}

const BACKOFF_FIRST_MS = 250;
const BACKOFF_MAX_MS = 20_000;
/** A server that asks for more patience than this is believed, but not waited for. */
const RETRY_AFTER_MAX_S = 120;

/**
 * `fetch` that tries again: after a connection that broke, a 503 or a 429 with `Retry-After`, as
 * long as that says, else with growing pauses. What is sent again carries an `Idempotency-Key`, so
 * that it is one command however often it arrives.
 */
export const persistently =
  ({ retries, timeoutMs, fetch }: Persistence) =>
  async (request: Request): Promise<Response> => {
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await once(request, timeoutMs, fetch);
      const isLast = attempt >= retries || request.signal.aborted;
      if (outcome instanceof Response) {
        const waitMs = isLast ? null : waitAfter(outcome, attempt);
        if (waitMs === null) return outcome;
        await outcome.body?.cancel();
        await pause(waitMs, request.signal);
      } else {
        if (isLast) throw outcome.error;
        await pause(backoffMs(attempt), request.signal);
      }
    }
  };

const once = async (
  request: Request,
  timeoutMs: number,
  fetch: Persistence['fetch'],
): Promise<Response | { readonly error: unknown }> => {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
  try {
    // A body can be read once: each attempt sends a copy.
    return await fetch(new Request(request.clone(), { signal }));
  } catch (error) {
    return { error };
  }
};

/** Milliseconds; `null` for an answer that another attempt would not change. */
const waitAfter = ({ status, headers }: Response, attempt: number): number | null => {
  if (status !== 429 && status !== 503 && status !== 502 && status !== 504) return null;
  const seconds = secondsSaid(headers.get('retry-after'));
  // A quota that is used up: waiting does not help.
  if (status === 429 && seconds === null) return null;
  if (seconds === null) return backoffMs(attempt);
  return seconds > RETRY_AFTER_MAX_S ? null : seconds * 1000 + Math.random() * 250;
};

/** `Retry-After` is a number of seconds or a date: RFC 9110, section 10.2.3. */
const secondsSaid = (said: string | null): number | null => {
  if (said === null) return null;
  if (/^\d+$/.test(said)) return Number(said);
  const at = Date.parse(said);
  return Number.isNaN(at) ? null : Math.max(0, (at - Date.now()) / 1000);
};

/** Half of it is chance, so that clients which failed together do not come back together. */
export const backoffMs = (attempt: number): number =>
  Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** attempt) * (0.5 + Math.random() / 2);

/** @throws the signal's reason when it is aborted meanwhile. */
export const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
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
