import { sql, type Kysely } from 'kysely';

/**
 * The keys that personal data in the log is sealed under. A row without a subject opens what was
 * written, and no longer tells who wrote it. Decision 0123.
 */
export const personKeyTable = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  'create schema personal',
  `create table personal.keys (
     key_id       uuid primary key,
     organisation text collate "C" not null,
     subject      text collate "C",
     name         text,
     purpose      text not null check (purpose in ('identity', 'texts')),
     wrapped      text not null,
     created_at   timestamptz not null
   )`,
  // Two processes that need a key at once make one. Rows without a subject are all distinct.
  `create unique index keys_owner on personal.keys
     (organisation, subject, purpose, coalesce(name, ''))`,
];
