import { sql, type Kysely } from 'kysely';

/**
 * The index of places whose searchable text is to be written includes those of older releases
 * that hold a typographic apostrophe or hyphen or a soft hyphen, as encoded by
 * domain/searchable-text.ts. Its condition is that of building/graph/place-words.ts.
 */
export const placeWordsRetyped = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `drop index graph.node_without_words`,
  `create index node_without_words on graph.node (building_id)
     where (words is null or words ~ 'BIGH[G-LOP]|BGIRS|AQT') and kind <> 'point'`,
];
