import { sql, type Kysely } from 'kysely';

/**
 * The index of places whose searchable text is to be written: it is missing, or of a release that
 * did not fold typographic apostrophes, hyphens and soft hyphens, as domain/searchable-text.ts
 * encodes them. Its condition is that of building/graph/place-words.ts.
 */
export const nodeWordsDue = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw(
        `create index node_words_due on graph.node (building_id)
           where (words is null or words ~ 'BIGH[G-LOP]|BGIRS|AQT') and kind <> 'point'`,
      )
      .execute(db);
  },
};
