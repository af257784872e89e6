import { sql, type Kysely } from 'kysely';

/** Which tickets have files, for exports. */
export const filesOfTickets = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create index reference_ticket on files.reference (ticket_id)`.execute(db);
  },
};
