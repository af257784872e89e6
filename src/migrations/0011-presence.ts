import { sql, type Kysely } from 'kysely';

/**
 * Who looks at which ticket, for half a minute. Unlogged: nothing of it is written ahead, and a
 * crash of Postgres empties it. No read model.
 */
export const presenceTables = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create schema presence`,

  // A refresh changes no indexed column, so it is a heap-only update on the same page.
  `create unlogged table presence.present (
     ticket_id  uuid not null,
     caller     text collate "C" not null,
     actor      json not null,
     state      text not null,
     since      timestamptz not null,
     expires_at timestamptz not null,
     primary key (ticket_id, caller)
   ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02)`,

  `create index on presence.present (caller)`,
];
