import { sql, type Kysely } from 'kysely';

/**
 * The people who have signed in, beside the log: a row of personal data can be deleted. No read
 * model; a row that was lost comes back with the person's next sign-in.
 */
export const signInTables = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create schema people`,

  `create table people.sign_ins (
     organisation text collate "C" not null,
     user_id      text collate "C" not null,
     name         text,
     folded       text collate "C" not null,
     seen_on      text collate "C" not null,
     primary key (organisation, user_id)
   )`,

  `create index on people.sign_ins (organisation, seen_on desc)`,
];
