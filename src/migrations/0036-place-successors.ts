import { sql, type Kysely } from 'kysely';

/** Former ids of places lead to the places that an import has put in their place. */
export const placeSuccessors = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create view graph.successor as
   select f.id, n.id as successor_id
   from graph.former_node f
   join graph.node n using (building_id, kind, source_system, external_id)`,

  // A search finds ended tickets, which keep the former ids of their places.
  `create or replace view graph.place as
   select n.id, n.kind, n.building_id, b.organisation, n.words
   from graph.node n join graph.building b on b.id = n.building_id
   where n.words is not null
   union all
   select f.id, n.kind, n.building_id, b.organisation, n.words
   from graph.node n
   join graph.former_node f using (building_id, kind, source_system, external_id)
   join graph.building b on b.id = n.building_id
   where n.words is not null`,
];
