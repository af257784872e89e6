import { sql, type Kysely } from 'kysely';

/**
 * Identifies the claim of a checkpoint, because one owner may claim it several times under one
 * epoch. Older releases ignore it, and fence by the epoch alone.
 */
export const checkpointClaims = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('alter table consumers.checkpoint add column claim uuid').execute(db);
  },
};
