import { sql, type Kysely } from 'kysely';

/**
 * The building graph. One row a node in `node`, where codes and external identifiers are unique,
 * and one row beside it with what only its kind has.
 *
 * The unique constraints are deferrable because one import may let two nodes swap their codes.
 */
export const graphTables = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create schema graph`,

  `create table graph.site (
     id uuid primary key,
     organisation text not null,
     code text collate "C" not null,
     name text not null,
     unique (organisation, code)
   )`,

  `create table graph.building (
     id uuid primary key,
     organisation text not null,
     site_id uuid not null references graph.site
   )`,
  `create index building_organisation on graph.building (organisation)`,

  `create table graph.node (
     id uuid primary key,
     building_id uuid not null references graph.building on delete cascade,
     kind text collate "C" not null
       check (kind in ('building', 'storey', 'space', 'element', 'point')),
     code text collate "C" not null,
     name text not null,
     source_system text collate "C",
     external_id text collate "C",
     check ((source_system is null) = (external_id is null)),
     check ((kind = 'building') = (id = building_id)),
     unique (building_id, kind, code) deferrable initially immediate,
     unique (building_id, source_system, external_id) deferrable initially immediate
   )`,

  `create table graph.storey (
     id uuid primary key references graph.node on delete cascade,
     level double precision not null
   )`,

  `create table graph.space (
     id uuid primary key references graph.node on delete cascade,
     storey_id uuid not null references graph.storey,
     space_type_slug text collate "C" not null,
     area_sqm double precision,
     is_leasable boolean not null,
     status text collate "C" not null default 'active' check (status in ('active', 'inactive'))
   )`,
  `create index space_storey on graph.space (storey_id)`,

  `create table graph.element (
     id uuid primary key references graph.node on delete cascade,
     storey_id uuid references graph.storey,
     space_id uuid references graph.space,
     element_type_slug text collate "C" not null,
     check (num_nonnulls(storey_id, space_id) = 1)
   )`,
  `create index element_storey on graph.element (storey_id) where storey_id is not null`,
  `create index element_space on graph.element (space_id) where space_id is not null`,

  `create table graph.point (
     id uuid primary key references graph.node on delete cascade,
     element_id uuid not null references graph.element,
     point_class text collate "C" not null,
     value_type text collate "C" not null check (value_type in ('number', 'boolean')),
     unit text
   )`,
  `create index point_element on graph.point (element_id)`,

  // Ids that an import has recreated, so that what points at them finds what took their place.
  `create table graph.former_node (
     id uuid primary key,
     building_id uuid not null references graph.building on delete cascade,
     kind text collate "C" not null,
     source_system text collate "C" not null,
     external_id text collate "C" not null,
     replaced_at timestamptz not null
   )`,
  `create index former_node_building on graph.former_node (building_id)`,

  // What an Idempotency-Key led to.
  `create table graph.import_key (
     command_id uuid primary key,
     organisation text not null,
     body_hash text not null,
     result json,
     given_at timestamptz not null
   )`,

  // Written with the import it tells of, and gone once it is in the log.
  `create table graph.announcement (
     id uuid primary key,
     place bigint generated always as identity,
     stream text not null,
     event json not null,
     record json not null
   )`,
];
