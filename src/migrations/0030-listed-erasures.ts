import { sql, type Kysely } from 'kysely';

/**
 * Which entries of the list of erasures this database has carried out: one that was restored lacks
 * those since. decision 0124.
 */
export const listedErasureTable = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw('create table personal.listed_erasures (name text collate "C" primary key)')
      .execute(db);
  },
};
