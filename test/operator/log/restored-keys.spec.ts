/** Revocations that a restored log lacks, recorded again from the table of ended keys. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../../src/engine/postgres/pool.ts';
import { restoredKeys, revokeAgain } from '../../../src/operator/log/restored-keys.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { keyringCodec } from '../../../src/domain/keys/codecs.ts';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { testPlatform, type TestPlatform } from '../../support/api/platform.ts';
import { until } from '../../support/until.ts';

let platform: TestPlatform;
let db: Database;
/** The log as it was with only the first key. */
let restored: EventStore;
let revoked: { readonly keyId: string; readonly revokedAt: string };
let lost: string;

const KEYS = '/api/v1/keys';

beforeAll(async () => {
  platform = await testPlatform();
  db = openDatabase({ url: platform.databaseUrl, logger: loggerOf('silent'), connectionsMax: 2 });
  const manager = platform.as('manager@acme.test');
  const first = await manager.post(KEYS, { label: 'first' });
  const { keyId } = first.body;
  restored = memoryEventStore();
  const kept = await platform.log.readStream(`keyring-${keyId.slice(0, 12)}`);
  for (const { stream, id, type, data, meta } of kept)
    await restored.append(stream, 'any', [{ id, type, data, meta }]);
  lost = (await manager.post(KEYS, { label: 'second' })).body.keyId;
  expect((await manager.delete(`${KEYS}/${keyId}`)).status).toBe(204);
  const isRevoked = async () => {
    const { body } = await manager.get(KEYS);
    revoked = body.items.find((key: { readonly keyId: string }) => key.keyId === keyId);
    return revoked?.revokedAt != null;
  };
  await until(isRevoked, 'the revocation in the list');
});
afterAll(async () => {
  await db.close();
  await platform.close();
  await restored.close();
});

const EXPECTED = () => ({
  keyId: revoked.keyId,
  organisation: 'acme',
  at: revoked.revokedAt,
  by: { kind: 'user' },
});

describe('a restored log', () => {
  it('is compared with the table of ended keys, with any read models', async () => {
    const found = await restoredKeys(restored, db.pool, null);
    expect(found.revoked).toMatchObject([EXPECTED()]);
    const { rows } = await db.pool.query('select key_id from keys.ended');
    expect(rows).toEqual([{ key_id: revoked.keyId }]);
    const { rows: models } = await db.pool.query<{ name: string }>(
      `select nspname as name from pg_namespace where nspname like 'key_audit_v%'`,
    );
    await platform.stop();
    await db.pool.query('delete from keys.ended');
    const fromAudit = await restoredKeys(restored, db.pool, null);
    expect(fromAudit.revoked).toMatchObject([EXPECTED()]);
    expect(fromAudit.lost).toMatchObject([{ keyId: lost, label: 'second' }]);
    expect(models).not.toEqual([]);
  });

  it('gets each revocation with its time and actor, once', async () => {
    const found = await restoredKeys(restored, db.pool, null);
    await revokeAgain(restored, db.pool, found.revoked);
    await revokeAgain(restored, db.pool, found.revoked);
    const stored = await restored.readStream(`keyring-${revoked.keyId.slice(0, 12)}`);
    const last = stored.filter(({ type }) => type === 'KeyRevoked').map(keyringCodec.decode);
    expect(last).toMatchObject([
      {
        at: revoked.revokedAt,
        by: { kind: 'user' },
        organisation: 'acme',
        event: { keyId: revoked.keyId, reason: 'restored' },
      },
    ]);
    expect((await restoredKeys(restored, db.pool, null)).revoked).toEqual([]);
    const { rows } = await db.pool.query('select key_id from keys.ended');
    expect(rows).toEqual([{ key_id: revoked.keyId }]);
  });
});
