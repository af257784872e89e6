/** Whether a key grants access now, independent of how the keyring was loaded. */
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

/** The presented key of a request. */
export interface Presented {
  readonly keyId: string;
  /** Whether the presented secret has this hash; in constant time. */
  readonly hasHash: (secretHash: string) => boolean;
  /** Whether a key of this scope grants the requested access. */
  readonly opens: (scope: KeyScope) => boolean;
}

/** Pure. If several reasons apply, the first in this order is returned. */
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
