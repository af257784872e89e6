/**
 * The public view of a keyring, without hashes: one fold for the command's answer, the list, the
 * history and the check. `status` depends on the time, see {@link keyAt}.
 */
import type { Actor, Instant } from '../../engine/aggregates/decider.ts';
import type { KeyringEvent, KeyScope } from './events.ts';
import { statusAt, type KeyStatus } from './keyring.ts';
import { KEYS_ENDED_LISTED_MAX } from './limits.ts';

export interface KeyRecord {
  readonly keyId: string;
  readonly label: string;
  readonly scope: KeyScope;
  readonly createdAt: Instant;
  readonly createdBy: Actor;
  /** `null`: never. */
  readonly expiresAt: Instant | null;
  readonly revokedAt: Instant | null;
  readonly revokedBy: Actor | null;
}

export interface KeyringView {
  readonly organisation: string;
  /**
   * In the order of issue: a mint's own key is the last. Of the keys that had ended before it, the
   * last {@link KEYS_ENDED_LISTED_MAX} issued.
   */
  readonly keys: readonly KeyRecord[];
}

export interface KeyAt extends KeyRecord {
  readonly status: KeyStatus;
}

/** The key at time `at`. contract.md section 3. */
export const keyAt = (key: KeyRecord, at: Instant): KeyAt => ({
  ...key,
  status: statusOf(key, at),
});

const statusOf = ({ revokedAt, expiresAt }: KeyRecord, at: Instant): KeyStatus =>
  statusAt({ revoked: revokedAt !== null, expiresAt }, at);

export interface RecordedKeyringEvent {
  readonly event: KeyringEvent;
  readonly at: Instant;
  readonly by: Actor;
}

/** Pure and total. */
export const keyringAfter = (
  { event, at, by }: RecordedKeyringEvent,
  view: KeyringView | null,
): KeyringView => {
  const { organisation, keys } = view ?? { organisation: '', keys: [] };
  switch (event.type) {
    case 'KeyringOpened':
      return { organisation: event.organisation, keys };
    case 'KeyIssued': {
      const { keyId, label, scope, expiresAt } = event;
      const issued = { keyId, label, scope, createdAt: at, createdBy: by, expiresAt };
      const key = { ...issued, revokedAt: null, revokedBy: null };
      return { organisation, keys: [...listedAt(keys, at), key] };
    }
    case 'KeyRevoked': {
      const index = keys.findLastIndex(({ keyId }) => keyId === event.keyId);
      const key = keys[index];
      if (!key) return { organisation, keys };
      return { organisation, keys: keys.with(index, { ...key, revokedAt: at, revokedBy: by }) };
    }
  }
};

/** Without the oldest of the keys that have ended, where they are too many. */
const listedAt = (keys: readonly KeyRecord[], at: Instant): readonly KeyRecord[] => {
  if (keys.length <= KEYS_ENDED_LISTED_MAX) return keys;
  const ended = keys.filter((key) => statusOf(key, at) !== 'active');
  const dropped = new Set(ended.slice(0, -KEYS_ENDED_LISTED_MAX));
  return keys.filter((key) => !dropped.has(key));
};
