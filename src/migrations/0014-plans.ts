import { sql, type Kysely } from 'kysely';

/**
 * What plans show (contract.md section 6 «Outlines»): outlines of spaces and storeys, drawings of
 * storeys. Beside the nodes, so that lists and imports without them do not read them.
 */
export const planTables = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `alter table graph.building add column north double precision`,
  `alter table graph.storey add column elevation double precision,
                            add column height double precision`,

  // Bounds are min x, min y, max x, max y.
  `create table graph.outline (
     node_id  uuid primary key references graph.node (id) on delete cascade,
     rings    json not null,
     label_at json not null,
     bounds   double precision[] not null
   )`,
  `create table graph.drawing (
     storey_id uuid primary key references graph.node (id) on delete cascade,
     drawing   json not null,
     bounds    double precision[]
   )`,
];
