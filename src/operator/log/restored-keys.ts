/** Keys whose revocation or issuance a restored log lacks. contract.md section 3. */
import type { Pool } from 'pg';
import { v5 as uuidFrom } from 'uuid';
import { keyringOf } from '../../identity/keys/token.ts';
import { endedKeys, type EndedKey } from '../../projections/keys/ended-keys.ts';
import type { KeyRecord } from '../../domain/keys/view.ts';
import type { EventStore, Position } from '../../engine/log/event-store.ts';
import { keyringAnnouncements } from '../../identity/keys/key-use-log.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { keyringRepository } from '../../use-cases/keys/keyrings.ts';
import { issuedAfter, revokedInAudit, type IssuedKey } from './published-state.ts';

export interface RestoredKeys {
  /** Active in the log, but revoked by a read model or the table of ended keys. */
  readonly revoked: readonly EndedKey[];
  /** Issued in lost events: requests with these keys are no longer accepted. */
  readonly lost: readonly IssuedKey[];
}

/** Changes nothing. @param after The last event that survived the restore. */
export const restoredKeys = async (
  log: EventStore,
  pool: Pool,
  after: Position | null,
): Promise<RestoredKeys> => {
  const ended = new Map<string, EndedKey>();
  for (const key of [...(await revokedInAudit(pool)), ...(await endedKeys(pool).all())])
    ended.set(key.keyId, key);
  const keyring = keyringsOf(log);
  const revoked: EndedKey[] = [];
  for (const key of ended.values()) {
    const held = (await keyring(key.organisation)).get(key.keyId);
    if (held?.revokedAt === null) revoked.push(key);
  }
  const lost: IssuedKey[] = [];
  for (const key of await issuedAfter(pool, after))
    if (!(await keyring(key.organisation)).has(key.keyId)) lost.push(key);
  return { revoked, lost };
};

/** Keys in the log by id; each organisation's keyring is read once. */
const keyringsOf = (log: EventStore) => {
  const keyrings = keyringRepository(log, keyringAnnouncements({ log, clock: systemClock }));
  const read = new Map<string, ReadonlyMap<string, KeyRecord>>();
  return async (organisation: string): Promise<ReadonlyMap<string, KeyRecord>> => {
    const before = read.get(organisation);
    if (before) return before;
    const found = await keyrings.look(keyringOf(organisation));
    const own = found?.view.organisation === organisation ? found.view.keys : [];
    const keys = new Map(own.map((key) => [key.keyId, key]));
    read.set(organisation, keys);
    return keys;
  };
};

/**
 * Records each revocation again, with its original time and actor, and stores it outside the log if
 * only a read model has it. Idempotent.
 *
 * @throws Errors of the log and the database.
 */
export const revokeAgain = async (
  log: EventStore,
  pool: Pool,
  revoked: readonly EndedKey[],
): Promise<void> => {
  const keyrings = keyringRepository(log, keyringAnnouncements({ log, clock: systemClock }));
  const ended = endedKeys(pool);
  for (const key of revoked) {
    const { keyId, organisation, at, by } = key;
    await ended.add(key);
    await keyrings.give(
      keyringOf(organisation),
      {
        command: { type: 'RevokeKey', organisation, keyId, reason: 'restored' },
        commandId: uuidFrom(keyId, NAMESPACE),
        organisation,
      },
      { at, by, origin: 'system' },
    );
  }
};

const NAMESPACE = '0b8f3a57-6d0e-4a86-9a55-7a1c5c0de9f4';
