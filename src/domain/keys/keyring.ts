/**
 * The keys of one organisation, together because the limit counts over all of them: at most five
 * are active at any time. A key expires by the time of the occasion, never by an event.
 *
 * Ids, hashes and the organisation arrive inside the command.
 */
import { KEY_LIFETIME_DAYS_MAX, KEY_LIFETIME_DAYS_MIN } from './limits.ts';
import { KEYS_ACTIVE_MAX } from '../../limits.ts';
import { growingMap, type GrowingMap } from '../growing-map.ts';
import { daysAfter } from '../../engine/time/calendar.ts';
import {
  refuse,
  tableOf,
  type Decider,
  type Decision,
  type Instant,
  type Occasion,
} from '../../engine/aggregates/decider.ts';
import type { KeyringEvent, KeyScope } from './events.ts';

export type KeyringCommand =
  | {
      readonly type: 'MintKey';
      readonly organisation: string;
      readonly keyId: string;
      readonly label: string;
      readonly scope: KeyScope;
      readonly secretHash: string;
      /** Days from now; `null` for a key that never expires, which only operators mint. */
      readonly expiresInDays: number | null;
    }
  | {
      readonly type: 'RevokeKey';
      readonly organisation: string;
      readonly keyId: string;
      readonly reason?: 'restored';
    };

/** Only state that later decisions need; the state for readers is in `view.ts`. */
export interface Keyring {
  readonly organisation: string | null;
  readonly keys: GrowingMap<HeldKey>;
  /** Ids of the keys that had not ended when the last one was issued: no other can be active. */
  readonly notEnded: readonly string[];
}

export interface HeldKey {
  readonly label: string;
  readonly scope: KeyScope;
  readonly secretHash: string;
  readonly expiresAt: Instant | null;
  readonly revoked: boolean;
}

export type KeyStatus = 'active' | 'expired' | 'revoked';

/** A key that was revoked before it expired stays revoked. From `expiresAt` on it is expired. */
export const statusAt = (
  key: { readonly revoked: boolean; readonly expiresAt: Instant | null },
  at: Instant,
): KeyStatus => {
  if (key.revoked) return 'revoked';
  return key.expiresAt !== null && at >= key.expiresAt ? 'expired' : 'active';
};

const decide = tableOf<KeyringCommand, [Keyring, Occasion], Decision<KeyringEvent>>({
  MintKey: ({ organisation, expiresInDays, keyId, label, scope, secretHash }, keyring, { at }) => {
    if (isForeign(keyring, organisation)) return foreign;
    if (keyring.keys.has(keyId)) return refuse('CONFLICT', 'This key id is in use.');
    if (expiresInDays !== null && !isLifetime(expiresInDays)) {
      const days = `${KEY_LIFETIME_DAYS_MIN} to ${KEY_LIFETIME_DAYS_MAX} days`;
      return refuse('VALIDATION_FAILED', `The lifetime of a key is ${days}.`);
    }
    const active = activeAt(keyring, at);
    if (active.length >= KEYS_ACTIVE_MAX) {
      const detail = `The organisation has ${active.length} active keys; revoke one first.`;
      return refuse('KEY_LIMIT_REACHED', detail, { limit: KEYS_ACTIVE_MAX });
    }
    const expiresAt = expiresInDays === null ? null : daysAfter(at, expiresInDays);
    const key = { keyId, label, scope, secretHash, expiresAt };
    const issued: KeyringEvent = { type: 'KeyIssued', ...key };
    return keyring.organisation === null
      ? [{ type: 'KeyringOpened', organisation }, issued]
      : [issued];
  },

  // A revoked or expired key cannot be revoked.
  RevokeKey: ({ organisation, keyId, reason }, keyring, { at }) => {
    const key = isForeign(keyring, organisation) ? undefined : keyring.keys.get(keyId);
    if (!key) return refuse('NOT_FOUND', 'No key has this id.');
    if (statusAt(key, at) !== 'active') return [];
    const { label, scope, expiresAt } = key;
    const revoked: KeyringEvent = { type: 'KeyRevoked', keyId, label, scope, expiresAt };
    return [reason === undefined ? revoked : { ...revoked, reason }];
  },
});

const evolve = tableOf<KeyringEvent, [Keyring, Instant], Keyring>({
  KeyringOpened: ({ organisation }, keyring) => ({ ...keyring, organisation }),

  KeyIssued: ({ keyId, label, scope, secretHash, expiresAt }, keyring, at) => ({
    ...keyring,
    keys: keyring.keys.with(keyId, { label, scope, secretHash, expiresAt, revoked: false }),
    notEnded: [...activeAt(keyring, at), keyId],
  }),

  KeyRevoked: ({ keyId }, keyring) => {
    const key = keyring.keys.get(keyId);
    if (!key) return keyring;
    return { ...keyring, keys: keyring.keys.with(keyId, { ...key, revoked: true }) };
  },
});

export const keyringDecider: Decider<KeyringCommand, Keyring, KeyringEvent> = {
  initial: { organisation: null, keys: growingMap(), notEnded: [] },
  decide,
  evolve,
};

/** Ids of the keys that are active at a time from the last issue on. */
const activeAt = ({ keys, notEnded }: Keyring, at: Instant): readonly string[] =>
  notEnded.filter((keyId) => statusAt(keys.get(keyId)!, at) === 'active');

/** Two organisations with the same hash prefix would share a stream: the second one is refused. */
const isForeign = (keyring: Keyring, organisation: string): boolean =>
  keyring.organisation !== null && keyring.organisation !== organisation;

const foreign = refuse('CONFLICT', 'This keyring belongs to another organisation.');

const isLifetime = (days: number): boolean =>
  Number.isInteger(days) && days >= KEY_LIFETIME_DAYS_MIN && days <= KEY_LIFETIME_DAYS_MAX;
