import type { Pool } from 'pg';
import { expect, it } from 'vitest';
import { isMigrated, migrate, NewerDatabase } from '../../../src/engine/postgres/migrate.ts';
import { migrations } from '../../../src/migrations/migrations.ts';
import { poolOf } from '../../support/postgres/pool.ts';
import { emptyDatabase } from '../../support/postgres/database.ts';

const ALL = [
  '0001-graph',
  '0002-consumers',
  '0003-telemetry',
  '0004-data-layers',
  '0005-hosting',
  '0006-log-standing',
  '0007-flapping-faults',
  '0008-ended-keys',
  '0009-restored-numbering',
  '0010-sign-ins',
  '0011-presence',
  '0012-browser-sessions',
  '0014-plans',
  '0015-place-words',
  '0016-models',
  '0017-fault-tickets',
  '0019-files',
  '0020-previews',
  '0021-public-reports',
  '0022-files-of-tickets',
  '0023-sandbox-requests',
  '0024-seeded-telemetry',
  '0025-person-keys',
  '0028-releases',
  '0030-listed-erasures',
  '0031-destroyed-keys',
  '0032-node-words-due',
  '0033-session-organisations',
  '0034-former-places',
  '0035-checkpoint-claims',
  '0036-place-successors',
  '0037-fault-indexes',
];

const withPools = async (count: number, work: (pools: Pool[]) => Promise<void>) => {
  const { url, drop } = await emptyDatabase();
  const pools = Array.from({ length: count }, () => poolOf(url));
  try {
    await work(pools);
  } finally {
    await Promise.all(pools.map((pool) => pool.end()));
    await drop();
  }
};

it('runs each migration once, and leaves the pool open', () =>
  withPools(1, async ([db]) => {
    expect(await migrate(db!, migrations)).toEqual(ALL);
    expect(await migrate(db!, migrations)).toEqual([]);
    const { rows } = await db!.query('select count(*)::int as n from graph.node');
    expect(rows).toEqual([{ n: 0 }]);
  }));

it('runs each migration once when several processes start at once', async () => {
  for (let round = 0; round < 3; round += 1) {
    await withPools(4, async (pools) => {
      const runs = await Promise.all(pools.map((pool) => migrate(pool, migrations)));
      expect(runs.flat()).toEqual(ALL);
    });
  }
});

it('keeps the migrations that another process has run since its check', () =>
  withPools(2, async ([db, other]) => {
    await migrate(db!, migrations);
    await db!.query('drop schema consumers cascade');
    await db!.query(`delete from migration.kysely_migration where name = '0002-consumers'`);
    let looked = false;
    const racing = Object.assign(Object.create(db!) as Pool, {
      query: async (statement: string) => {
        const answer = await db!.query(statement);
        if (!looked) await migrate(other!, migrations);
        looked = true;
        return answer;
      },
    });
    expect(await migrate(racing, migrations)).toEqual([]);
    expect(await migrate(db!, migrations)).toEqual([]);
  }));

it('leaves the database as it was when a migration fails', () =>
  withPools(1, async ([db]) => {
    await db!.query('create schema graph');
    await expect(migrate(db!, migrations)).rejects.toThrow(/already exists/);
    const { rows } = await db!.query(
      `select count(*)::int as n from pg_tables where schemaname = 'graph'`,
    );
    expect(rows).toEqual([{ n: 0 }]);
    await db!.query('drop schema graph');
    expect(await migrate(db!, migrations)).toEqual(ALL);
  }));

const addedByNewer = (db: Pool, name: string) =>
  db.query(`insert into migration.kysely_migration values ($1, '2026-11-22T10:00:00.000Z')`, [
    name,
  ]);

it('accepts a database to which a newer release has only added', () =>
  withPools(1, async ([db]) => {
    await migrate(db!, migrations);
    await addedByNewer(db!, '9998-later');
    await db!.query(`drop schema consumers cascade`);
    expect(await migrate(db!, migrations)).toEqual([
      '0002-consumers',
      '0006-log-standing',
      '0035-checkpoint-claims',
    ]);
    expect(await isMigrated(db!, migrations)).toBe(true);
    expect(await migrate(db!, migrations)).toEqual([]);
  }));

it('refuses a database from which a newer release has removed objects, unchanged', () =>
  withPools(1, async ([db]) => {
    await migrate(db!, migrations);
    await addedByNewer(db!, '9999-later.contract');
    await db!.query(`drop schema consumers cascade`);
    expect(await isMigrated(db!, migrations)).toBe(false);
    const refusal = migrate(db!, migrations);
    await expect(refusal).rejects.toThrow(NewerDatabase);
    await expect(refusal).rejects.toThrow(
      /^NEWER_DATABASE: the newer release has run .*9999-later.*restore a backup/,
    );
    const { rows } = await db!.query(`select to_regnamespace('consumers') as schema`);
    expect(rows).toEqual([{ schema: null }]);
  }));
