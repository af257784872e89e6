import { sql, type Kysely } from 'kysely';

/**
 * What identifies the log besides its id, so that a log that was restored from a backup, and is
 * older than the state built from it, is detected. Older releases ignore these columns.
 */
export const logStanding = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw(statement).execute(db);
  },
};

/**
 * `origin` is the id of the log's first timeline. `cluster` is the Postgres cluster's own id, which
 * reveals a copy of the database in another cluster. `witness` is the latest event acknowledged to
 * a process as stored: stream, revision, id and position.
 */
const statement = `alter table consumers.log
  add column origin uuid, add column cluster text, add column witness json`;
