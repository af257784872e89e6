/** One request over a pool, with a bounded part of the answer. */
import type { Pool } from 'undici';
import { UNTRUSTED_RESPONSE_BYTES_MAX } from './limits.ts';
import { truncatedText } from './truncated-text.ts';

export interface ExchangeRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface Answered {
  readonly status: number;
  /** Its first {@link UNTRUSTED_RESPONSE_BYTES_MAX} bytes as text; the rest is not read. */
  readonly body: string;
}

/**
 * Posts once. The status line decides the outcome, even if the body fails.
 *
 * @param over Aborts at the deadline: before the status line its reason is thrown; after it, the
 *   body ends there.
 * @throws Why there is no answer.
 */
export const exchange = (
  pool: Pool,
  { path, headers, body }: ExchangeRequest,
  over: AbortSignal,
): Promise<Answered> =>
  new Promise((resolve, reject) => {
    let status: number | null = null;
    let bytes = 0;
    let settled = false;
    let cut = (): void => {};
    const chunks: Buffer[] = [];

    const settle = (error?: Error) => {
      if (settled) return;
      settled = true;
      over.removeEventListener('abort', expire);
      if (status === null) reject(error ?? new Error('no answer came'));
      else resolve({ status, body: truncatedText(Buffer.concat(chunks)) });
    };
    const expire = () => {
      settle(over.reason as Error);
      cut();
    };
    over.addEventListener('abort', expire, { once: true });

    pool.dispatch(
      { method: 'POST', path, headers, body },
      {
        onRequestStart(controller) {
          cut = () => controller.abort(new Error('no more of it is read'));
          if (settled) cut();
        },
        onResponseStart(_, code) {
          // Any number of informational responses may precede the answer.
          if (code >= 200) status = code;
        },
        onResponseData(_, chunk) {
          chunks.push(chunk.subarray(0, UNTRUSTED_RESPONSE_BYTES_MAX - bytes));
          bytes += chunk.length;
          if (bytes < UNTRUSTED_RESPONSE_BYTES_MAX) return;
          settle();
          cut();
        },
        onResponseEnd: () => settle(),
        onResponseError: (_, error) => settle(error),
      },
    );
    if (over.aborted) expire();
  });
