import { sql, type Kysely } from 'kysely';

/** The organisation that a session was begun at; `null`: by an older release. */
export const sessionOrganisations = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('alter table session.session add column organisation text').execute(db);
  },
};
