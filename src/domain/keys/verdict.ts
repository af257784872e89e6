/** Whether a key opens a door now: the rule, apart from how the keyring was come by. */
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { KeyScope } from './events.ts';
import { statusAt, type HeldKey, type Keyring } from './keyring.ts';

export const denialReasons = ['revoked', 'expired', 'unknown', 'secret_mismatch', 'scope'] as const;
/** contract.md section 3. */
export type DenialReason = (typeof denialReasons)[number];

export type Verdict =
  | { readonly outcome: 'allowed'; readonly key: HeldKey }
  | { readonly outcome: 'denied'; readonly reason: 'unknown' }
  | {
      readonly outcome: 'denied';
      readonly reason: Exclude<DenialReason, 'unknown'>;
      readonly key: HeldKey;
    };

/** What came with a request. */
export interface Presented {
  readonly keyId: string;
  /** Whether the secret that came has this hash; in constant time. */
  readonly hasHash: (secretHash: string) => boolean;
  /** Whether a key of this scope opens what is asked for. */
  readonly opens: (scope: KeyScope) => boolean;
}

/** Pure. Where several reasons hold, the first of this order is told. */
export const judge = (keyring: Keyring, presented: Presented, at: Instant): Verdict => {
  const key = keyring.keys.get(presented.keyId);
  if (!key) return { outcome: 'denied', reason: 'unknown' };
  if (!presented.hasHash(key.secretHash)) {
    return { outcome: 'denied', reason: 'secret_mismatch', key };
  }
  const status = statusAt(key, at);
  if (status !== 'active') return { outcome: 'denied', reason: status, key };
  if (!presented.opens(key.scope)) return { outcome: 'denied', reason: 'scope', key };
  return { outcome: 'allowed', key };
};
