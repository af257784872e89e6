/** The connection status that feeds and the live service report. */
import type { Retry } from './retries.ts';

/**
 * `connecting`: an attempt begins. `connected`: items arrive. `waiting`: an attempt has
 * failed for this reason, and the next one is made after the delay.
 *
 * @stable
 */
export type FollowStatus =
  | { readonly state: 'connecting' }
  | { readonly state: 'connected' }
  | ({ readonly state: 'waiting' } & Pick<Retry, 'attempt' | 'delayMs' | 'reason'>);

/** @stable */
export interface FollowOptions {
  /** Called with each new state. It must not throw. */
  readonly onStatus?: (status: FollowStatus) => void;
  /**
   * How long failures in a row are retried, in milliseconds, before the last one is thrown;
   * `Infinity`: without a limit. Default: that of the client.
   */
  readonly retryBudgetMs?: number;
}

/** Long enough for a restart of the server. */
export const RETRY_BUDGET_MS = 60_000;

/** Reports a state when it changes, and each wait. */
export const eachStateOnce = (
  onStatus: FollowOptions['onStatus'],
): ((status: FollowStatus) => void) => {
  let last: FollowStatus['state'] | null = null;
  return (status) => {
    if (status.state === last && status.state !== 'waiting') return;
    last = status.state;
    onStatus?.(status);
  };
};
