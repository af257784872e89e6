import { SANDBOX_LIVE_STEP_MS } from './limits.ts';
import { repeat } from '../engine/concurrency/repeat.ts';
import type { Clock } from '../engine/time/clock.ts';
import type { Logger } from '../engine/observe/logging.ts';
import type { FeedPoints } from './feed-points.ts';

export interface LiveFeedParts {
  readonly points: Pick<FeedPoints, 'ingest'>;
  /** The sandbox's own clock. */
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Live values of an active sandbox: its points follow the curves every minute of its clock, so that
 * rules, webhooks and live screens have traffic.
 *
 * @returns Resolves when `signal` has aborted.
 */
export const runLiveFeed = (
  { points, clock, logger }: LiveFeedParts,
  signal: AbortSignal,
): Promise<void> => {
  const step = async () => {
    const now = clock.now();
    const atMs = Math.floor(Date.parse(now) / SANDBOX_LIVE_STEP_MS) * SANDBOX_LIVE_STEP_MS;
    await points.ingest([atMs], now, signal);
    return SANDBOX_LIVE_STEP_MS - (Date.parse(clock.now()) % SANDBOX_LIVE_STEP_MS);
  };
  const failed = (error: unknown) =>
    logger.warn({ err: error }, 'the live feed of a sandbox has failed; it goes on');
  return repeat(step, { signal, failed });
};
