import { sql, type Kysely } from 'kysely';

/** Finds the former ids of a place. */
export const formerPlaces = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw(
        `create index former_node_place
           on graph.former_node (building_id, source_system, external_id)`,
      )
      .execute(db);
  },
};
