/** Fills an empty database from a backup, in one transaction: a killed command changes nothing. */
import type { Client, Pool } from 'pg';
import { noServerRuns } from '../../engine/consumers/log-change.ts';
import { prepareLog } from '../../engine/log/postgres/store.ts';
import { onDedicatedConnection } from '../../engine/postgres/dedicated-connection.ts';
import { migrate, type Migrations } from '../../engine/postgres/migrate.ts';
import { migrations } from '../../migrations/migrations.ts';
import { inOrderOfReference } from './catalog.ts';
import { copyInto, EVENT_TABLE } from './copy.ts';
import type { Manifest, SealedTable } from './manifest.ts';
import { BackupRefused } from './refused.ts';
import { openedStream, type Opening } from './sealed-stream.ts';
import type { Until } from './until.ts';

export interface DatabaseParts {
  readonly manifest: Manifest;
  readonly opening: Opening;
  readonly pool: Pool;
  readonly url: string;
  /** Later events of a log in Postgres are left out; `null`: all are restored. */
  readonly until: Until | null;
  readonly signal: AbortSignal;
  readonly onEvents: (events: number, share: number) => void;
}

/**
 * Creates the tables of the release that made the backup, and copies their rows. A later release
 * migrates them when it starts.
 *
 * @throws {@link BackupRefused} `NEWER_RELEASE`, `DAMAGED`, `WRONG_IDENTITY`; `ServersRunning`;
 *   errors of the database. Nothing was copied then.
 */
export const restoreDatabase = async (parts: DatabaseParts): Promise<void> => {
  const { manifest, pool, url, signal } = parts;
  const isLogInDatabase = manifest.log.isInDatabase;
  await migrate(pool, migrationsOf(manifest));
  if (isLogInDatabase) await prepareLog(url);
  await onDedicatedConnection({ pool, name: 'atrium restore', signal }, async (client) => {
    await noServerRuns(client, SERVERS);
    await client.query('begin');
    await makePartitions(client, manifest.tables);
    await fillTables(client, parts);
    if (isLogInDatabase) await fillLog(client, parts);
    for (const { table, column, next } of manifest.sequences)
      await client.query('select setval(pg_get_serial_sequence($1, $2), $3, false)', [
        table,
        column,
        next,
      ]);
    // A server that was left running registers itself again once the tables exist.
    await noServerRuns(client, SERVERS);
    await client.query('commit');
    await client.query('analyze');
  });
};

/** One whose log is refused would continue with the restored one. */
const SERVERS = { waiting: true } as const;

/** The migrations that the backed-up database had. */
const migrationsOf = (manifest: Manifest): Migrations => {
  const unknown = manifest.migrations.filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length > 0)
    throw new BackupRefused(
      'NEWER_RELEASE',
      `the backup is of release ${manifest.release}, which has ${unknown.join(', ')}: restore it ` +
        'with that release',
    );
  const had = new Set(manifest.migrations);
  return Object.fromEntries(Object.entries(migrations).filter(([name]) => had.has(name)));
};

/** Monthly partitions are created by the running platform, not by migrations. */
const makePartitions = async (client: Client, tables: readonly SealedTable[]): Promise<void> => {
  for (const { name, partition } of tables) {
    if (partition === null) continue;
    const { rows } = await client.query<{ there: boolean }>(
      'select to_regclass($1) is not null as there',
      [name],
    );
    if (!rows[0]!.there)
      await client.query(`create table ${name} partition of ${partition.of} ${partition.bound}`);
  }
};

const fillTables = async (client: Client, parts: DatabaseParts): Promise<void> => {
  const { manifest, opening, signal } = parts;
  const ordered = await inOrderOfReference(client, manifest.tables);
  // Migrations and the log's preparation insert rows into some of the tables.
  await client.query(`truncate ${ordered.map(({ name }) => name).join(', ')} cascade`);
  for (const table of ordered) {
    const chunks = openedStream(opening, table.name, table);
    const rows = await copyInto(client, table, chunks, signal);
    mustBe(table.name, rows, table.rows);
  }
};

const fillLog = async (client: Client, parts: DatabaseParts): Promise<void> => {
  const { manifest, opening, until, signal, onEvents } = parts;
  const { segments } = manifest.log;
  await client.query(`truncate ${EVENT_TABLE.name}`);
  let events = 0;
  const last = until?.position ? Number(until.position) : Infinity;
  for (const [at, segment] of segments.entries()) {
    if (Number(segment.after) >= last) break;
    const what = `the log after ${segment.after}`;
    const rows = await copyInto(client, EVENT_TABLE, openedStream(opening, what, segment), signal);
    mustBe(what, rows, segment.events);
    events += rows;
    onEvents(events, (at + 1) / segments.length);
  }
  if (until?.position)
    await client.query(`delete from ${EVENT_TABLE.name} where position > $1`, [last]);
  if (until?.instant)
    await client.query(
      `delete from ${EVENT_TABLE.name} where position >= (
         select min(position) from ${EVENT_TABLE.name}
         where date_trunc('milliseconds', created) > $1)`,
      [until.instant],
    );
};

const mustBe = (what: string, found: number, expected: number): void => {
  if (found === expected) return;
  throw new BackupRefused('DAMAGED', `${what} has ${found} rows, not ${expected}`);
};
