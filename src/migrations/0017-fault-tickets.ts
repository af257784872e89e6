import { sql, type Kysely } from 'kysely';

/** Which rules raise tickets, and which faults have one. */
export const faultTickets = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

/**
 * `ticket_at` is when the platform decided that the fault gets a ticket, by its rule or by hand. An
 * older release leaves it alone, and announces no end of such a fault.
 */
const statements = [
  `alter table telemetry.rule add column raise_ticket json`,
  `alter table telemetry.fault add column ticket_at timestamptz`,
  // The tickets of a rule are counted by the hour.
  `create index fault_ticket on telemetry.fault (rule_id, ticket_at) where ticket_at is not null`,
];
