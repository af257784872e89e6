/**
 * Brings a database's lasting schemas up to this release: those that hold what no log could bring
 * back. A read model is never migrated; it has a version and a schema of its own.
 */
import { Kysely, PostgresDialect } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import type { Pool } from 'pg';
import { graphTables } from './migrations/0001-graph.ts';

/** In the order of their names. One that was released is never changed: add another. */
const migrations: Readonly<Record<string, Migration>> = {
  '0001-graph': graphTables,
};

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
  const migrator = new Migrator({
    // Never destroyed: that would end the caller's pool.
    db: new Kysely<unknown>({ dialect: new PostgresDialect({ pool: db }) }),
    provider: { getMigrations: async () => ({ ...migrations }) },
    migrationTableSchema: HISTORY_SCHEMA,
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return (results ?? []).map(({ migrationName }) => migrationName);
};
