import { sql, type Kysely } from 'kysely';

/**
 * How often a fault has flapped, and what its rule's bound is counted by. An older release leaves
 * these columns alone: a fault that flaps is an open one to it.
 */
export const flappingFaults = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

/**
 * `flapped_at` is when the condition of a flapping fault began or ended last, `flap_breached`
 * whether it holds. `value_known` is false where the point was never heard.
 */
const statements = [
  `alter table telemetry.fault
     add column flap_count integer not null default 0,
     add column flapped_at timestamptz,
     add column flap_breached boolean not null default false,
     add column value_known boolean not null default true`,
  `create index fault_of_pair on telemetry.fault (rule_id, series_id, opened_at)`,
  `create index fault_flapping on telemetry.fault (flapped_at)
     where closed_at is null and flapped_at is not null`,
];
