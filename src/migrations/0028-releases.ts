import { sql, type Kysely } from 'kysely';

/** Which releases have run on this database: beside the list of its migrations. decision 0050. */
export const releaseTable = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw(
        `create table migration.release (
           version          text not null,
           -- Empty: unknown.
           commit           text not null,
           back_to          text not null,
           first_started_at timestamptz not null,
           primary key (version, commit)
         )`,
      )
      .execute(db);
  },
};
