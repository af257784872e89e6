/** What feeds and the live service tell of themselves while they are followed. */
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
   * How long failures in a row are outlasted, in milliseconds, before the last one is thrown;
   * `Infinity`: for ever. Default: that of the client.
   */
  readonly retryBudgetMs?: number;
}

/** Outlasts a restart of the server. */
export const RETRY_BUDGET_MS = 60_000;

/** Tells each state once. */
export const toldOnce = (onStatus: FollowOptions['onStatus']): ((status: FollowStatus) => void) => {
  let last: FollowStatus['state'] | null = null;
  return (status) => {
    if (status.state === last && status.state !== 'waiting') return;
    last = status.state;
    onStatus?.(status);
  };
};
