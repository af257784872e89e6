/** The circuit breaker of a subscription. interface.md «Webhook subscription». */
import { WEBHOOK_FAILURES_MAX, WEBHOOK_QUIET_MINUTES } from '../limits.ts';
import type { Instant } from '../../../engine/aggregates/decider.ts';

export interface Health {
  readonly consecutiveFailures: number;
  /** `null`: active. */
  readonly pausedAt: Instant | null;
  /** When the last counted attempt failed. */
  readonly lastFailureAt: Instant | null;
  /** The delivery sent during a pause, until its first attempt is over. */
  readonly probe: string | null;
  /** Attempts that started before do not count as failures. */
  readonly resetAt: Instant | null;
}

export const healthy: Health = {
  consecutiveFailures: 0,
  pausedAt: null,
  lastFailureAt: null,
  probe: null,
  resetAt: null,
};

export const isTooMany = (consecutiveFailures: number): boolean =>
  consecutiveFailures >= WEBHOOK_FAILURES_MAX;

/** When a paused subscription may be probed. */
const probeFrom = ({ pausedAt, lastFailureAt }: Health): Instant => {
  const quietSince = [pausedAt ?? '', lastFailureAt ?? ''].toSorted().at(-1)!;
  return new Date(Date.parse(quietSince) + WEBHOOK_QUIET_MINUTES * 60_000).toISOString();
};

/** Whether an event may be sent as a probe. Never two at once. */
export const mayProbe = (health: Health, at: Instant): boolean =>
  health.pausedAt !== null && health.probe === null && at >= probeFrom(health);
