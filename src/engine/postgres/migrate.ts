/**
 * Brings a database's lasting schemas up to this release. A read model is never migrated; it has a
 * version and a schema of its own.
 */
import type { Pool } from 'pg';
import { isMissingTable } from './errors.ts';
import { HISTORY_SCHEMA, isOfThisRelease, migrationNames } from './migration-names.ts';

/**
 * How a migration is named that older releases cannot live with, because it takes away or changes
 * what they use: `0007-drop-the-old-column.contract`. All others only add.
 */
export const isContracting = (name: string): boolean => name.endsWith('.contract');

/** A newer release has taken away what this one needs. The message is one line for the operator. */
export class NewerDatabase extends Error {
  constructor(migration: string) {
    super(`the database is of a newer release, which alone can use it (${migration})`);
    this.name = 'NewerDatabase';
  }
}

/**
 * Runs what has not been run, all of it in one transaction. Several processes may start at once:
 * one migrates under a lock, the others wait and find it done. What a newer release has added is
 * left alone, so that both may run while one takes the place of the other.
 *
 * @param db Used for this alone while it runs, and left open.
 * @returns The names of the migrations that were run; none when the database is up to date.
 * @throws {NewerDatabase} before anything is run, if a newer release has contracted the schema.
 * @throws If one fails: the database is as before.
 */
export const migrate = async (db: Pool): Promise<readonly string[]> => {
  await forgetDropped(db);
  for (;;) {
    const applied = (await appliedMigrations(db)) ?? [];
    const newer = applied.filter((name) => !isOfThisRelease(name));
    const contracting = newer.find(isContracting);
    if (contracting !== undefined) throw new NewerDatabase(contracting);
    if (isIn(applied)) return [];
    // The library is not loaded where there is nothing to migrate.
    const { migratorOf } = await import('./migrator.ts');
    const { error, results } = await migratorOf(db, newer).migrateToLatest();
    if (error === undefined) return (results ?? []).map(({ migrationName }) => migrationName);
    const isAsItWas = (await migrationsOfNewerReleases(db)).join() === newer.join();
    // Else a newer release has migrated meanwhile, and is looked at again.
    if (isAsItWas) throw error;
  }
};

/** What the database has had that this release does not know. */
export const migrationsOfNewerReleases = async (db: Pool): Promise<readonly string[]> =>
  ((await appliedMigrations(db)) ?? []).filter((name) => !isOfThisRelease(name));

/** Whether there is nothing to migrate: one statement, where {@link migrate} takes many. */
export const isMigrated = async (db: Pool): Promise<boolean> =>
  isIn((await appliedMigrations(db)) ?? []);

/** Also where a newer release has added to it. */
const isIn = (applied: readonly string[]): boolean =>
  migrationNames.every((name) => applied.includes(name)) &&
  !applied.some((name) => isContracting(name) && !isOfThisRelease(name));

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
     where name = '0002-consumers' and to_regnamespace('consumers') is null
       or name = '0006-log-standing' and not exists (
         select from information_schema.columns
         where table_schema = 'consumers' and table_name = 'log' and column_name = 'witness')`,
  );
};
