import type { Calls } from './calls.ts';
import type { components } from './openapi.ts';
import { pause, repeated, type RetryPolicy } from './retries.ts';

/** @experimental */
export interface AdvanceOptions {
  /** The `Idempotency-Key`, to retry across calls. Default: random for this call. */
  readonly idempotencyKey?: string;
  /** Called with each state of the clock that was read on the way. */
  readonly onProgress?: (time: components['schemas']['ClockTime']) => void;
  /** Ends the waiting, with the signal's reason; the advance continues. */
  readonly signal?: AbortSignal;
}

/** The virtual clock of a sandbox, or of a development server. @experimental */
export interface Clock {
  /**
   * Moves the clock forward by an ISO 8601 duration such as `PT1H`. Resolves with its time when
   * the target is reached: a long advance is polled every five seconds, through outages of up to
   * `retryBudgetMs` (default 60,000), and one that stopped at a restart of the server is requested
   * again.
   */
  readonly advance: (duration: string, options?: AdvanceOptions) => Promise<string>;
}

const LOOK_MS = 5_000;
const CLOCK = '/api/v1/clock';

/** With timeouts that are longer than the server waits for an advance. */
export interface ClockParts {
  /** Retries automatically. */
  readonly client: Calls;
  /** Does not retry: the polling does. */
  readonly single: Calls;
}

/** @param policy Of the polling. */
export const clockOf = ({ client, single }: ClockParts, policy: RetryPolicy): Clock => ({
  async advance(advance, { idempotencyKey = crypto.randomUUID(), onProgress, signal } = {}) {
    const header = { 'Idempotency-Key': idempotencyKey };
    const over = signal ? { signal } : {};
    for (;;) {
      const { data: answer } = await client.POST(CLOCK, {
        params: { header },
        body: { advance },
        ...over,
      });
      if (!('target' in answer)) return answer.now;
      onProgress?.(answer);
      for (;;) {
        await pause(LOOK_MS, signal);
        const asked = { method: 'GET', path: CLOCK };
        const { data: time } = await repeated(asked, { ...policy, signal }, () =>
          single.GET(CLOCK, over),
        );
        onProgress?.(time);
        if (time.target === undefined) return time.now;
        if (time.state === 'stopped') break;
      }
    }
  },
});
