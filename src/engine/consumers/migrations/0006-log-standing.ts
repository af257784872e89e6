import { sql, type Kysely } from 'kysely';

/**
 * What the log is recognised by, beside its id: so that one which was restored from a backup, and
 * is older than what was built from it, is noticed. An older release leaves these columns alone.
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
