/** When a subscription is paused and what brings it back. interface.md «Webhook subscription». */
import { WEBHOOK_FAILURES_MAX, WEBHOOK_QUIET_MINUTES } from '../limits.ts';
import type { Instant } from '../../../engine/aggregates/decider.ts';

/** What its attempts have come to. */
export interface Health {
  readonly consecutiveFailures: number;
  /** `null`: active. */
  readonly pausedAt: Instant | null;
  /** When the last attempt that counts has failed. */
  readonly lastFailureAt: Instant | null;
  /** A delivery that was let through while it is paused, until its first attempt is over. */
  readonly probe: string | null;
  /** Failures of attempts that had begun before do not count. */
  readonly resetAt: Instant | null;
}

export const healthy: Health = {
  consecutiveFailures: 0,
  pausedAt: null,
  lastFailureAt: null,
  probe: null,
  resetAt: null,
};

/** Whether so many failures in a row pause it. */
export const isTooMany = (consecutiveFailures: number): boolean =>
  consecutiveFailures >= WEBHOOK_FAILURES_MAX;

/** From when on an event may be let through to a subscription that is paused. */
export const probeFrom = ({ pausedAt, lastFailureAt }: Health): Instant => {
  const quietSince = [pausedAt ?? '', lastFailureAt ?? ''].toSorted().at(-1)!;
  return new Date(Date.parse(quietSince) + WEBHOOK_QUIET_MINUTES * 60_000).toISOString();
};

/** Whether an event may be let through now. Not while another one is on its way. */
export const mayProbe = (health: Health, at: Instant): boolean =>
  health.pausedAt !== null && health.probe === null && at >= probeFrom(health);
