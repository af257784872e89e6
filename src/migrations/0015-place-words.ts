import { sql, type Kysely } from 'kysely';
import { trigramIndex } from '../engine/postgres/trigram-index.ts';

/**
 * The searchable text of places, and the view in which searches read it.
 *
 * The words are folded outside Postgres. Releases without them add and rename nodes meanwhile: a
 * trigger clears the words of a renamed node, and an index lists the nodes that have none.
 */
export const placeWords = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create extension if not exists btree_gin with schema public`,
  `create extension if not exists pg_trgm with schema public`,

  `alter table graph.node add column words text collate "C"`,
  `create index node_without_words on graph.node (building_id)
     where words is null and kind <> 'point'`,
  trigramIndex(`create index node_words on graph.node using gin (building_id, words gin_trgm_ops)
     where words is not null`),

  `create function graph.clear_words() returns trigger language plpgsql as $$
   begin
     new.words := null;
     return new;
   end $$`,
  `create trigger node_renamed before update of code, name on graph.node for each row
     when ((old.code, old.name) is distinct from (new.code, new.name))
     execute function graph.clear_words()`,

  // Buildings, storeys, spaces and elements.
  `create view graph.place as
   select n.id, n.kind, n.building_id, b.organisation, n.words
   from graph.node n join graph.building b on b.id = n.building_id
   where n.words is not null`,
];
