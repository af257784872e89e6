import { sql, type Kysely } from 'kysely';

/** Values that others lay over the spaces of a building, and a wider name for what keys led to. */
export const dataLayerTables = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create table graph.data_layer (
     id uuid primary key,
     building_id uuid not null references graph.building on delete cascade,
     slug text collate "C" not null,
     created_at timestamptz not null,
     unique (building_id, slug)
   )`,

  `create table graph.layer_value (
     layer_id uuid not null references graph.data_layer on delete cascade,
     space_id uuid not null references graph.space on delete cascade,
     value jsonb not null,
     updated_at timestamptz not null,
     primary key (layer_id, space_id)
   )`,
  `create index layer_value_space on graph.layer_value (space_id)`,

  // Spaces are created under keys, too.
  `alter table graph.import_key rename to command_key`,
];
