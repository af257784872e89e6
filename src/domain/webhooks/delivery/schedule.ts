/** When a failed delivery is attempted again. interface.md «Limits»: webhook attempts. */
import {
  WEBHOOK_ATTEMPTS_MAX,
  WEBHOOK_BACKOFF_MINUTES,
  WEBHOOK_JITTER_PERCENT,
} from '../limits.ts';
import type { Instant } from '../../../engine/aggregates/decider.ts';

/**
 * When the attempt after `attempt` is due, counted from the end of that one; `null` after the last.
 * The jitter follows from delivery and attempt: deliveries that failed together spread out, and
 * every computation yields the same time.
 */
export const nextAttemptAt = (
  { deliveryId, attempt, attemptsMax = WEBHOOK_ATTEMPTS_MAX }: Tried,
  finishedAt: Instant,
): Instant | null => {
  const minutes = WEBHOOK_BACKOFF_MINUTES[attempt - 1];
  if (attempt >= attemptsMax || minutes === undefined) return null;
  const drawn = 2 * fractionOf(`${deliveryId}/${attempt}`) - 1;
  const delayMs = minutes * 60_000 * (1 + (drawn * WEBHOOK_JITTER_PERCENT) / 100);
  return new Date(Date.parse(finishedAt) + Math.round(delayMs)).toISOString();
};

export interface Tried {
  readonly deliveryId: string;
  readonly attempt: number;
  /** Default {@link WEBHOOK_ATTEMPTS_MAX}. */
  readonly attemptsMax?: number;
}

/** Uniform in [0, 1): FNV-1a with a final mix. */
const fractionOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
};
