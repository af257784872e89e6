import { sql, type Kysely } from 'kysely';

/**
 * The ticket number with which each organisation continued after a restore of the log. The read
 * models are rebuilt from the restored log and forget which numbers were given out before.
 */
export const restoredNumbering = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw(
        `create table consumers.restored_numbering (
           organisation text primary key,
           next_number  bigint not null
         )`,
      )
      .execute(db);
  },
};
