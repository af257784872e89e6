import { sql, type Kysely } from 'kysely';

/**
 * Keys of persons that were destroyed: any other that events refer to and that is not there was
 * lost. Decision 0127.
 */
export const destroyedKeyTable = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('create table personal.destroyed (key_id uuid primary key)').execute(db);
  },
};
