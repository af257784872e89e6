/** One request over a pool, and as much of the answer as anybody wants to keep. */
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
  /** Its first {@link UNTRUSTED_RESPONSE_BYTES_MAX} bytes, as text; what follows is not read. */
  readonly body: string;
}

/**
 * Posts once. The status line decides: what becomes of the body afterwards changes nothing.
 *
 * @param over Aborts when the time is over: before the status line, its reason is thrown; after
 *   it, the body ends there.
 * @throws What kept the answer from coming.
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
          // Informational ones may come in any number before the answer.
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
