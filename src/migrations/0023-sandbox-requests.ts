import { sql, type Kysely } from 'kysely';

/** The last day's requests of the sandboxes' hosts. No read model, and no audit. */
export const sandboxRequests = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create table hosting.request (
     sandbox_id text collate "C" not null,
     id         bigint generated always as identity,
     at         timestamptz not null,
     method     text not null,
     route      text not null,
     status     integer not null,
     ms         double precision not null,
     key_id     text collate "C",
     request_id text not null,
     primary key (sandbox_id, id)
   )`,
  `create index on hosting.request (at)`,
];
