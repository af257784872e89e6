/** The secrets that sign the deliveries of a subscription: the newest one and previous ones. */
import type { Instant } from '../../../engine/aggregates/decider.ts';
import type { SubscriptionEvent } from './events.ts';
import { WEBHOOK_PREVIOUS_SECRETS_MAX } from './limits.ts';

/** A replaced secret, which signs until its own end. */
export interface PreviousSecret {
  readonly sealedSecret: string;
  readonly until: Instant;
}

export interface SubscriptionSecrets {
  readonly sealedSecret: string;
  /** Newest first, at most {@link WEBHOOK_PREVIOUS_SECRETS_MAX}. Expired ones may be among them. */
  readonly previousSecrets: readonly PreviousSecret[];
}

/** The previous secrets that still sign at `at`, newest first. */
export const livePreviousSecrets = (
  { previousSecrets }: Pick<SubscriptionSecrets, 'previousSecrets'>,
  at: Instant,
): readonly PreviousSecret[] => previousSecrets.filter(({ until }) => at < until);

/**
 * The secrets after a rotation at `at`. Streams written before the bound existed may hold more
 * rotations within a day: the oldest secrets are dropped.
 */
export const secretsAfter = (
  { sealedSecret, previousUntil: until }: Extract<SubscriptionEvent, { type: 'SecretRotated' }>,
  at: Instant,
  before: SubscriptionSecrets,
): SubscriptionSecrets => {
  const replaced = { sealedSecret: before.sealedSecret, until };
  const previousSecrets = [replaced, ...livePreviousSecrets(before, at)];
  return { sealedSecret, previousSecrets: previousSecrets.slice(0, WEBHOOK_PREVIOUS_SECRETS_MAX) };
};
