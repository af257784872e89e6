/**
 * Brings a database's lasting schemas up to this release. A read model is never migrated; it has a
 * version and a schema of its own.
 */
import type { Migration, Migrator } from 'kysely/migration';
import type { ClientBase, Pool } from 'pg';
import { isMissingTable } from './errors.ts';
import { isBefore, newestRelease, type NotedRelease } from './release-history.ts';

/**
 * By name, in this order; each is loaded when it is run. A released migration is never changed: add
 * another.
 */
export type Migrations = Readonly<Record<string, () => Promise<Migration>>>;

/** The schema of the migration history. */
const HISTORY_SCHEMA = 'migration';

/**
 * Whether a migration is incompatible with older releases, because it removes or changes what they
 * use: `0007-drop-the-old-column.contract`. All others only add.
 */
export const isContracting = (name: string): boolean => name.endsWith('.contract');

/**
 * A newer release has changed the database so that this one cannot use it. The message tells
 * operators in one line which release is needed, why, and the alternative.
 */
export class NewerDatabase extends Error {
  /**
   * @param why What this release lacks or does not know.
   * @param newest The newest release that has run on the database, if known.
   */
  constructor(why: string, newest: Pick<NotedRelease, 'version'> | null) {
    const needed = newest === null ? 'the newer release' : `release ${newest.version}`;
    super(
      `NEWER_DATABASE: ${needed} has run on this database and this release cannot go ` +
        `on (${why}): start ${needed} again, or restore a backup from before it`,
    );
    this.name = 'NewerDatabase';
  }
}

/**
 * Whether `version` may run where newer releases have run.
 *
 * @throws {NewerDatabase} if the newest of them does not allow going back so far.
 */
export const mustNotBeLeftBehind = async (db: Pool, version: string): Promise<void> => {
  const newest = await newestRelease(db);
  if (newest === null || !isBefore(version, newest.backTo)) return;
  const why = `this is ${version}; one can go back to ${newest.backTo}`;
  throw new NewerDatabase(why, newest);
};

/**
 * Runs the outstanding migrations, all in one transaction. Several processes may start at once: one
 * migrates under a lock, the others wait and find it done. What a newer release has added is left
 * alone, so that both may run during an upgrade.
 *
 * @param db Used for this alone while it runs, and left open.
 * @returns The names of the migrations that were run; none when the database is up to date.
 * @throws {NewerDatabase} before anything is run, if a newer release has contracted the schema.
 * @throws If one fails: the database is as before.
 */
export const migrate = async (db: Pool, migrations: Migrations): Promise<readonly string[]> => {
  await forgetDropped(db);
  for (;;) {
    const applied = (await appliedMigrations(db)) ?? [];
    const newer = newerThan(migrations, applied);
    const contracting = newer.find(isContracting);
    if (contracting !== undefined)
      throw new NewerDatabase(`migration ${contracting}`, await newestRelease(db));
    if (isIn(applied, migrations)) return [];
    const migrator = await migratorOf(db, migrations, newer);
    const { error, results } = await migrator.migrateToLatest();
    if (error === undefined) return (results ?? []).map(({ migrationName }) => migrationName);
    const isAsItWas =
      newerThan(migrations, (await appliedMigrations(db)) ?? []).join() === newer.join();
    // Otherwise a newer release has migrated meanwhile, and the check is repeated.
    if (isAsItWas) throw error;
  }
};

/** @param newer Applied migrations whose absence the library would report. */
const migratorOf = async (
  db: Pool,
  migrations: Migrations,
  newer: readonly string[],
): Promise<Migrator> => {
  // The library is not loaded where there is nothing to migrate.
  const [{ Kysely, PostgresDialect }, { Migrator: KyselyMigrator }] = await Promise.all([
    import('kysely'),
    import('kysely/migration'),
  ]);
  const loaded = Object.entries(migrations).map(
    async ([name, load]) => [name, await load()] as const,
  );
  const done: Migration = { up: async () => {} };
  const migrationsByName = Object.fromEntries<Migration>([
    ...(await Promise.all(loaded)),
    ...newer.map((name) => [name, done] as const),
  ]);
  return new KyselyMigrator({
    // Never destroyed: that would end the caller's pool.
    db: new Kysely<unknown>({ dialect: new PostgresDialect({ pool: db }) }),
    provider: { getMigrations: async () => migrationsByName },
    migrationTableSchema: HISTORY_SCHEMA,
    // A migration of a dropped schema is run again, though later ones have been run meanwhile.
    allowUnorderedMigrations: true,
  });
};

/** The applied migrations that this release does not know. */
export const newerThan = (migrations: Migrations, applied: readonly string[]): readonly string[] =>
  applied.filter((name) => !Object.hasOwn(migrations, name));

/** Whether there is nothing to migrate: one statement, where {@link migrate} needs many. */
export const isMigrated = async (db: Pool, migrations: Migrations): Promise<boolean> =>
  isIn((await appliedMigrations(db)) ?? [], migrations);

/** Whether all migrations are applied, whatever a newer release has added. */
const isIn = (applied: readonly string[], migrations: Migrations): boolean =>
  Object.keys(migrations).every((name) => applied.includes(name)) &&
  !newerThan(migrations, applied).some(isContracting);

/** The names of the migrations that were run, of other releases too; `null`: none ever was. */
export const appliedMigrations = async (
  db: Pick<ClientBase, 'query'>,
): Promise<readonly string[] | null> => {
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

/** Lets operators drop disposable schemas without editing the migration history. */
const forgetDropped = async (db: Pool): Promise<void> => {
  const { rows } = await db.query<{ migrated: boolean }>(
    `select to_regclass('${HISTORY_SCHEMA}.kysely_migration') is not null as migrated`,
  );
  if (!rows[0]?.migrated) return;
  // A command also runs on a standby, where even a deletion of no row is refused.
  const dropped = await db.query(`select name ${DROPPED} limit 1`);
  // The condition again: another process may be about to commit both the tables and their record.
  if (dropped.rowCount !== 0) await db.query(`delete ${DROPPED}`);
};

const lacks = (table: string, column: string): string => `not exists (
  select from information_schema.columns
  where table_schema = 'consumers' and table_name = '${table}' and column_name = '${column}')`;

const DROPPED = `
  from ${HISTORY_SCHEMA}.kysely_migration
  where name = '0002-consumers' and to_regnamespace('consumers') is null
    or name = '0006-log-standing' and ${lacks('log', 'witness')}
    or name = '0035-checkpoint-claims' and ${lacks('checkpoint', 'claim')}`;
