/**
 * Brings a database's lasting schemas up to this release. A read model is never migrated; it has a
 * version and a schema of its own.
 */
import { Kysely, PostgresDialect } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import type { Pool } from 'pg';
import { isMissingTable } from './errors.ts';
import { graphTables } from './migrations/0001-graph.ts';
import { consumerTables } from './migrations/0002-consumers.ts';
import { telemetryTables } from './migrations/0003-telemetry.ts';
import { dataLayerTables } from './migrations/0004-data-layers.ts';
import { hostingTables } from './migrations/0005-hosting.ts';

/** In the order of their names. One that was released is never changed: add another. */
const migrations: Readonly<Record<string, Migration>> = {
  '0001-graph': graphTables,
  '0002-consumers': consumerTables,
  '0003-telemetry': telemetryTables,
  '0004-data-layers': dataLayerTables,
  '0005-hosting': hostingTables,
};

/** Of this release, in their order. */
export const migrationNames: readonly string[] = Object.keys(migrations);

/** Where the database keeps which migrations it has had. */
const HISTORY_SCHEMA = 'migration';

/**
 * Runs what has not been run, all of it in one transaction. Several processes may start at once:
 * one migrates under a lock, the others wait and find it done.
 *
 * @param db Used for this alone while it runs, and left open.
 * @returns The names of the migrations that were run; none when the database is up to date.
 * @throws If one fails (the database is as before), or if the database has had migrations that
 *   this release does not know, because a newer one has been there.
 */
export const migrate = async (db: Pool): Promise<readonly string[]> => {
  await forgetDropped(db);
  const migrator = new Migrator({
    // Never destroyed: that would end the caller's pool.
    db: new Kysely<unknown>({ dialect: new PostgresDialect({ pool: db }) }),
    provider: { getMigrations: async () => ({ ...migrations }) },
    migrationTableSchema: HISTORY_SCHEMA,
    // One that was forgotten below is run again, though later ones have been run meanwhile.
    allowUnorderedMigrations: true,
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return (results ?? []).map(({ migrationName }) => migrationName);
};

/** Whether there is nothing to migrate: one statement, where {@link migrate} takes many. */
export const isMigrated = async (db: Pool): Promise<boolean> =>
  (await appliedMigrations(db))?.join() === migrationNames.toSorted().join();

/** The names of the migrations that were run, of other releases too; `null`: none ever was. */
export const appliedMigrations = async (db: Pool): Promise<readonly string[] | null> => {
  try {
    const { rows } = await db.query<{ name: string }>(
      `select name from ${HISTORY_SCHEMA}.kysely_migration order by name`,
    );
    return rows.map(({ name }) => name);
  } catch (error) {
    if (isMissingTable(error)) return null;
    throw error;
  }
};

/** Whoever drops what can be lost, so that it is made anew, need not know of the history. */
const forgetDropped = async (db: Pool): Promise<void> => {
  const { rows } = await db.query<{ migrated: boolean }>(
    `select to_regclass('${HISTORY_SCHEMA}.kysely_migration') is not null as migrated`,
  );
  if (!rows[0]?.migrated) return;
  // In one statement: another process may be about to commit both the tables and their record.
  await db.query(
    `delete from ${HISTORY_SCHEMA}.kysely_migration
     where name = '0002-consumers' and to_regnamespace('consumers') is null`,
  );
};
