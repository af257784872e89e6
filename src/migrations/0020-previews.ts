import { sql, type Kysely } from 'kysely';

/**
 * Previews of stored pictures, which are drawn again where they are lost. Without `picture` there
 * is none after so many `attempts`.
 */
export const previewTable = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create table files.preview (
     organisation text collate "C" not null,
     sha256       text collate "C" not null,
     picture      bytea,
     attempts     int not null,
     primary key (organisation, sha256)
   )`,

  // It is compressed already.
  `alter table files.preview alter column picture set storage external`,
];
