import { sql, type Kysely } from 'kysely';

/**
 * Models of several disciplines in one building (contract.md section 6): the model of each node,
 * where elements are, and where the coordinates of the building's plans are.
 */
export const modelColumns = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  // The frame is a `PlanReference`, and the model that it came with; null of the unnamed one.
  `alter table graph.building add column models text[] not null default '{}',
                              add column plan_frame json,
                              add column plan_frame_model text`,
  `alter table graph.node add column model text collate "C"`,
  `alter table graph.element add column x double precision,
                             add column y double precision,
                             add column is_placed_by_geometry boolean not null default false`,
];
