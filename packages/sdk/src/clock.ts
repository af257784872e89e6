import type { Calls } from './calls.ts';
import type { components } from './openapi.ts';
import { pause } from './retries.ts';

/** @experimental */
export interface AdvanceOptions {
  /** Called with each state of the clock that was read on the way. */
  readonly onProgress?: (time: components['schemas']['ClockTime']) => void;
  /** Ends the waiting, with the signal's reason; the advance continues. */
  readonly signal?: AbortSignal;
}

/** The virtual clock of a sandbox, or of a development server. @experimental */
export interface Clock {
  /**
   * Moves the clock forward by an ISO 8601 duration such as `PT1H`. Resolves with its time when
   * the target is reached: a long advance is polled every five seconds, and one that stopped at a
   * restart of the server is requested again.
   */
  readonly advance: (duration: string, options?: AdvanceOptions) => Promise<string>;
}

const LOOK_MS = 5_000;

export const clockOf = (client: Calls): Clock => ({
  async advance(advance, { onProgress, signal } = {}) {
    const header = { 'Idempotency-Key': crypto.randomUUID() };
    const over = signal ? { signal } : {};
    for (;;) {
      const { data: answer } = await client.POST('/api/v1/clock', {
        params: { header },
        body: { advance },
        ...over,
      });
      if (!('target' in answer)) return answer.now;
      onProgress?.(answer);
      for (;;) {
        await pause(LOOK_MS, signal);
        const { data: time } = await client.GET('/api/v1/clock', over);
        onProgress?.(time);
        if (time.target === undefined) return time.now;
        if (time.state === 'stopped') break;
      }
    }
  },
});
