/** `atrium secrets rewrap`: reseals rows in Postgres under the first secrets key. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { configOf } from '../../../src/config/config.ts';
import { installationId } from '../../../src/engine/log/installation.ts';
import { personKeysIn } from '../../../src/engine/personal/person-keys.ts';
import { secretsKeyId, secretsOf } from '../../../src/engine/secrets/secrets.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { databasesOn } from '../../../src/hosting/databases.ts';
import { databaseNames } from '../../../src/hosting/names.ts';
import { tokenSeal } from '../../../src/identity/sessions/token-seal.ts';
import { rewrapped, sealedTables } from '../../../src/operator/secrets/rewrap.ts';
import { secretsFor } from '../../../src/operator/secrets-key.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { freshLog, type FreshLog } from '../../support/log/fresh-log.ts';
import { freshDatabase } from '../../support/postgres/database.ts';
import { poolOf } from '../../support/postgres/pool.ts';
import { runAtrium } from '../../support/servers/cli.ts';
import { addSession } from '../../support/session-rows.ts';

const PERSONS = 1_003;
const [former, present] = [randomBytes(32), randomBytes(32)];
const tokens = { access: 'access', refresh: 'refresh', id: 'id' };

let log: FreshLog;
let pool: Pool;
beforeAll(async () => {
  log = await freshLog();
  pool = poolOf(log.url);
});
afterAll(async () => {
  await pool.end();
  await log.drop();
});

const envWith = (...keys: readonly Buffer[]) => ({
  ...log.env,
  ATRIUM_DATA: temporaryDirectory('rewrap'),
  ATRIUM_SECRETS_KEY: keys.map((key) => key.toString('base64')).join(','),
});
const rewrap = (...keys: readonly Buffer[]) => runAtrium(envWith(...keys), 'secrets', 'rewrap');
const startsWith = (...keys: readonly Buffer[]) =>
  secretsFor(configOf(envWith(...keys)), log.log, pool, true);

const keysIn = (database: Pool, key: Buffer) =>
  personKeysIn({ pool: database, secrets: secretsOf([key]), clock: systemClock });
const addKeys = (database: Pool, count: number) => {
  const purpose = 'texts' as const;
  const owners = Array.from({ length: count }, (_, n) => ({
    organisation: 'north',
    subject: `user:${n}-${randomUUID()}`,
    purpose,
  }));
  return keysIn(database, former).sealing(owners);
};
const sealedWith = async (database: Pool) => {
  const { rows } = await database.query<{ key: string; count: number }>(
    `select split_part(wrapped, '.', 2) as key, count(*)::int as count from personal.keys
     group by 1`,
  );
  return Object.fromEntries(rows.map(({ key, count }) => [key, count]));
};

const addSealedSession = (sessionId: string) => {
  const sealed = tokenSeal(secretsOf([former])).seal(tokens, sessionId);
  return addSession(pool, { subject: 'ada', sessionId, tokens: sealed });
};

describe('rows under a former secrets key', () => {
  it('are resealed under the first one, also in sandboxes; the former is not needed', async () => {
    const before = await addKeys(pool, PERSONS);
    const sessionId = randomUUID();
    await addSealedSession(sessionId);
    const databases = databasesOn(log.url);
    const owner = new URL(log.url).pathname.slice(1);
    const names = databaseNames(owner, await installationId(log.log));
    const sandbox = names.of('sbx_0123456789abcdef', 1);
    const snapshot = names.ofSnapshot('snp_0123456789abcdefghij');
    await databases.create(sandbox, inject('templateDatabase'));
    const inSandbox = poolOf(databases.urlOf(sandbox));
    const [ofSandbox] = await addKeys(inSandbox, 1);
    await databases.copy(inject('templateDatabase'), snapshot, true);

    await expect(startsWith(present)).rejects.toThrow('no configured key opens');
    const first = await rewrap(present, former);
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toBe(
      `personal.keys: ${PERSONS} rows rewrapped\nsession.session: 1 row rewrapped\n` +
        `sandbox ${sandbox}: 1 row rewrapped\n` +
        'snapshots of sandboxes stay as they are (1): new sandboxes from them need the keys ' +
        'that they were made with\n',
    );
    expect(await sealedWith(pool)).toEqual({ [secretsKeyId(present)]: PERSONS });

    await startsWith(present);
    const opened = await keysIn(pool, present).opening(before.map(({ keyId }) => keyId));
    for (const { keyId, key } of before) expect(opened.get(keyId)!.key.equals(key)).toBe(true);
    const openedThere = await keysIn(inSandbox, present).opening([ofSandbox!.keyId]);
    expect(openedThere.get(ofSandbox!.keyId)!.key.equals(ofSandbox!.key)).toBe(true);
    const { rows } = await pool.query<{ tokens: string }>('select tokens from session.session');
    const seal = tokenSeal(secretsOf([present]));
    expect(seal.open({ sessionId, tokens: rows[0]!.tokens })).toEqual(tokens);

    const again = await rewrap(present, former);
    expect(again.out).toMatch(/^personal.keys: 0 rows rewrapped\nsession.session: 0 rows/);
    await inSandbox.end();
    await databases.drop(sandbox);
    await databases.drop(snapshot);
  });

  it('are found on the separate server for sandboxes', async () => {
    const host = await freshDatabase();
    const databases = databasesOn(host.url);
    const owner = new URL(host.url).pathname.slice(1);
    const sandbox = databaseNames(owner, await installationId(log.log)).of(
      'sbx_fedcba9876543210',
      1,
    );
    await databases.create(sandbox, inject('templateDatabase'));
    const inSandbox = poolOf(databases.urlOf(sandbox));
    await addKeys(inSandbox, 1);
    await inSandbox.end();
    const env = { ...envWith(present, former), SANDBOX_DATABASE_URL: host.url };
    const { out } = await runAtrium(env, 'secrets', 'rewrap');
    expect(out).toContain(`sandbox ${sandbox}: 1 row rewrapped\n`);
    await databases.drop(sandbox);
    await host.drop();
  });

  it('stay in a sandbox whose database is unreachable; others are rewrapped', async () => {
    const databases = databasesOn(log.url);
    const owner = new URL(log.url).pathname.slice(1);
    const names = databaseNames(owner, await installationId(log.log));
    const away = names.of('sbx_0000000000000000', 1);
    const sandbox = names.of('sbx_1111111111111111', 1);
    await databases.create(away, inject('templateDatabase'));
    await databases.create(sandbox, inject('templateDatabase'));
    const inSandbox = poolOf(databases.urlOf(sandbox));
    await addKeys(inSandbox, 1);
    await pool.query(`alter database "${away}" allow_connections false`);
    const { code, out } = await rewrap(present, former);
    expect(out).toMatch(
      new RegExp(`sandbox ${away}: its rows stay: .*not currently accepting connections; run `),
    );
    expect(out).toContain(`sandbox ${sandbox}: 1 row rewrapped\n`);
    expect(code).toBe(1);
    expect(await sealedWith(inSandbox)).toEqual({ [secretsKeyId(present)]: 1 });
    await inSandbox.end();
    await databases.drop(away);
    await databases.drop(sandbox);
  });

  it('stay where no configured key opens them, with the missing key reported', async () => {
    await addKeys(pool, 2);
    const other = randomBytes(32);
    const { code, out } = await rewrap(other, present);
    expect(code).toBe(1);
    expect(out).toContain(
      `personal.keys: 2 rows stay: no configured key opens what key ${secretsKeyId(former)} sealed`,
    );
    expect(await sealedWith(pool)).toEqual({
      [secretsKeyId(other)]: PERSONS,
      [secretsKeyId(former)]: 2,
    });
  });

  it('are not overwritten if they are changed or destroyed meanwhile', async () => {
    await pool.query('delete from personal.keys');
    const [changed, destroyed, left] = await addKeys(pool, 3);
    const query = async (text: string, values: readonly unknown[] = []) => {
      if (text.startsWith('update')) {
        await pool.query('delete from personal.keys where key_id = $1', [destroyed!.keyId]);
        await pool.query(`update personal.keys set wrapped = 'v1.other.a.b' where key_id = $1`, [
          changed!.keyId,
        ]);
      }
      return pool.query(text, [...values]);
    };
    const slow = Object.assign(Object.create(pool) as Pool, { query });
    const secrets = secretsOf([present, former]);
    const { signal } = new AbortController();
    expect(await rewrapped(slow, secrets, sealedTables[0]!, signal)).toMatchObject({ rows: 1 });
    const { rows } = await pool.query<{ id: string; wrapped: string }>(
      'select key_id as id, wrapped from personal.keys',
    );
    expect(new Map(rows.map(({ id, wrapped }) => [id, wrapped.split('.')[1]]))).toEqual(
      new Map([
        [changed!.keyId, 'other'],
        [left!.keyId, secretsKeyId(present)],
      ]),
    );
  });
});
