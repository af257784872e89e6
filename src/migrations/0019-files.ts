import { sql, type Kysely } from 'kysely';

/** Which attachments need which stored file. `claimed_at` is set until the event is seen. */
export const fileTables = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create schema files`,

  `create table files.reference (
     organisation  text collate "C" not null,
     sha256        text collate "C" not null,
     attachment_id uuid not null,
     ticket_id     uuid not null,
     claimed_at    timestamptz,
     primary key (organisation, sha256, attachment_id)
   )`,

  `create index reference_claimed on files.reference (claimed_at) where claimed_at is not null`,
];
