import { sql, type Kysely } from 'kysely';

/**
 * The reports without sign-in of the last hour, which the limits count (contract.md section 5).
 * Unlogged: a crash of Postgres forgets them, and the hour begins again. No read model.
 */
export const publicReportTables = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create schema public_report`,

  `create unlogged table public_report.admitted (
     command_id   uuid primary key,
     organisation text collate "C" not null,
     source       bytea not null,
     room_id      uuid not null,
     nonce        text collate "C" unique,
     at           timestamptz not null
   )`,
  `create index on public_report.admitted (source, at)`,
  `create index on public_report.admitted (room_id, at)`,
  `create index on public_report.admitted (organisation, at) where nonce is null`,
  `create index on public_report.admitted (at)`,
];
