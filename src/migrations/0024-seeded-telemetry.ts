import { sql, type Kysely } from 'kysely';

/** In a sandbox's own database: which time its seeded samples are of. */
export const seededTelemetry = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw(statement).execute(db);
  },
};

const statement = `create table hosting.seeded (
  only_row boolean primary key default true check (only_row),
  from_at  timestamptz not null,
  to_at    timestamptz not null
)`;
