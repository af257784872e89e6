import { sql, type Kysely } from 'kysely';

/**
 * API keys that were revoked, beside the log: a log that is restored from a backup may lack their
 * revocation. No read model, and never emptied.
 */
export const endedKeys = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create schema keys`,

  `create table keys.ended (
     key_id       text collate "C" primary key,
     organisation text not null,
     ended_at     timestamptz not null,
     ended_by     jsonb not null
   )`,
];
