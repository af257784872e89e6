import { sql, type Kysely } from 'kysely';

/** For lists of the open faults of a building, and for the retention of closed ones. */
export const faultIndexes = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create index fault_open_of_building on telemetry.fault (building_id, opened_at desc, id)
     where closed_at is null`,
  `create index fault_expiring on telemetry.fault (closed_at)
     where closed_at is not null and ticket_at is null`,
];
