/** The rows of a building's rules. */
import type { ClientBase, Pool } from 'pg';
import { lockName } from '../../engine/postgres/advisory-lock.ts';
import type { Instant, Refusal } from '../../engine/aggregates/decider.ts';
import type { RaiseTicket } from '../../domain/telemetry/raise-ticket.ts';
import type { Comparison, Condition } from '../../domain/telemetry/rules.ts';
import { holdBuilding } from '../graph/owned-building.ts';
import type { RuleRow, RuleTarget } from './diagnostics.ts';

export interface StoredRule extends Condition {
  readonly ruleId: string;
  readonly title: string;
  readonly severity: string;
  /** The series of its only point; `null` if it follows a class. */
  readonly seriesId: number | null;
  readonly pointId: string | null;
  readonly pointClass: string | null;
  /** `null`: faults raise no tickets. */
  readonly raiseTicket: RaiseTicket | null;
  readonly createdAt: Instant | Date;
  readonly bodyHash: string | null;
}

/** Oldest first. */
export const rulesOf = async (
  db: Pool | ClientBase,
  buildingId: string,
): Promise<readonly StoredRule[]> => {
  const { rows } = await db.query<StoredRule & { readonly comparison: Comparison }>(
    `select rule.id as "ruleId", title, severity, rule.series_id as "seriesId",
            series.point_id as "pointId", point_class as "pointClass", comparison, threshold,
            for_seconds as "forSeconds", raise_ticket as "raiseTicket",
            created_at as "createdAt", body_hash as "bodyHash"
     from telemetry.rule
     left join telemetry.series on series.id = rule.series_id
     where rule.building_id = $1
     order by created_at, rule.id`,
    [buildingId],
  );
  return rows;
};

export const ruleRowOf = (rule: StoredRule): RuleRow => {
  const { ruleId, title, severity, pointId, pointClass, comparison, threshold, forSeconds } = rule;
  const raising = rule.raiseTicket === null ? {} : { raiseTicket: rule.raiseTicket };
  const target = { pointId, pointClass } as RuleTarget;
  const createdAt = new Date(rule.createdAt).toISOString();
  const condition = { comparison, threshold, forSeconds };
  return { ruleId, title, severity, ...target, ...condition, ...raising, createdAt };
};

export const isOwned = async (
  db: Pool | ClientBase,
  organisation: string,
  buildingId: string,
): Promise<boolean> => {
  const { rowCount } = await db.query(
    'select from graph.building where id = $1 and organisation = $2',
    [buildingId, organisation],
  );
  return rowCount === 1;
};

/**
 * Locks the building until the transaction ends: evaluation, due faults, rule changes and imports
 * of a building are serialised. False if there is no such building.
 *
 * @throws An error that is busy (`isBusy`) while an import runs: waiting would hold a connection,
 *   and other buildings would wait too.
 */
export const takeTurn = async (client: ClientBase, buildingId: string): Promise<boolean> => {
  const { rowCount } = await client.query(
    'select from graph.building where id = $1 for key share nowait',
    [buildingId],
  );
  await lockRules(client, buildingId);
  return rowCount === 1;
};

/** As {@link takeTurn}, for a change of the organisation's rules. Waits as {@link holdBuilding}. */
export const holdRules = async (
  client: ClientBase,
  organisation: string,
  buildingId: string,
): Promise<Refusal | null> => {
  const refusal = await holdBuilding(client, organisation, buildingId);
  if (refusal === null) await lockRules(client, buildingId);
  return refusal;
};

const lockRules = (client: ClientBase, buildingId: string) =>
  lockName(client, `telemetry rules of ${buildingId}`);
