import { sql, type Kysely } from 'kysely';

/** When a sandbox that sleeps has to be woken, for whichever process will do it. */
export const hostingTables = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create schema hosting`,

  // `null`: nothing of it is ever due. While it is awake: the time at which it was opened, so that
  // somebody wakes it where its process is killed.
  `create table hosting.wake (
     sandbox_id text collate "C" primary key,
     generation integer not null,
     wakes_at   timestamptz
   )`,
];
