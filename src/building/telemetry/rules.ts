import type { ClientBase, Pool } from 'pg';
import { refuse, type Refusal } from '../../engine/aggregates/decider.ts';
import { transaction } from '../../engine/postgres/transaction.ts';
import { RULES_OF_BUILDING_MAX, RULES_OF_POINT_MAX } from '../../domain/telemetry/limits.ts';
import { once, reusedKey } from '../graph/command-keys.ts';
import type { Diagnostics, RuleDraft, RuleRow, RuleTarget } from './diagnostics.ts';
import { closeFaultsOf } from './fault-rows.ts';
import { makeSeries } from './points.ts';
import { holdRules, isOwned, rulesOf, ruleRowOf } from './rule-rows.ts';

type Rules = Pick<Diagnostics, 'rules' | 'createRule' | 'deleteRule'>;

export interface RulesParts {
  readonly db: Pool;
  /** Called when a rule was created: the next due time may be earlier. */
  readonly dueChanged: () => void;
  /** Called after each commit that left announcements to be moved to the log. */
  readonly announced: () => void;
}

export const diagnosticRules = ({ db, dueChanged, announced }: RulesParts): Rules => ({
  async rules(organisation, buildingId) {
    if (!(await isOwned(db, organisation, buildingId))) return null;
    return (await rulesOf(db, buildingId)).map(ruleRowOf);
  },

  async createRule(organisation, buildingId, draft, { ruleId, at, bodyHash }) {
    const outcome = await transaction<Created | Refusal>(db, async (client) => {
      const keyed = { organisation, commandId: ruleId, bodyHash, at };
      return once(client, keyed, async () => {
        const refusal = await holdRules(client, organisation, buildingId);
        if (refusal) return refusal;
        const stored = await rulesOf(client, buildingId);
        // A former release recorded the key with the rule alone.
        const same = stored.find((rule) => rule.ruleId === ruleId);
        if (same && same.bodyHash !== (bodyHash ?? null)) return reusedKey;
        if (same) return { rule: ruleRowOf(same), isFormer: true };
        if (stored.length >= RULES_OF_BUILDING_MAX)
          return ruleLimit(RULES_OF_BUILDING_MAX, 'rules', 'A building');
        await makeSeries(client, buildingId);
        const seriesId = await seriesIn(client, buildingId, draft.pointId);
        if (seriesId === undefined) return unknownPoint();
        if ((await rulesOfOnePoint(client, buildingId, draft)) >= RULES_OF_POINT_MAX)
          return ruleLimit(RULES_OF_POINT_MAX, 'rules that can match it', 'A point');
        if (stored.length === 0) await followFromNow(client, buildingId);
        await insertRule(client, buildingId, { ...draft, ruleId, seriesId, at, bodyHash });
        return { rule: { ...draft, ruleId, createdAt: at }, isFormer: false };
      });
    });
    if ('refused' in outcome) return outcome;
    const { rule, isFormer } = outcome;
    const replayed = outcome.replayed || isFormer;
    if (!replayed) dueChanged();
    return { rule, replayed };
  },

  async deleteRule(organisation, buildingId, ruleId, { occasion, ...command }) {
    const outcome = await transaction<Deleted | Refusal>(db, async (client) => {
      const keyed = { ...command, organisation, at: occasion.at };
      return once(client, keyed, async () => {
        const refusal = await holdRules(client, organisation, buildingId);
        if (refusal) return refusal;
        const { rowCount } = await client.query(
          'delete from telemetry.rule where id = $1 and building_id = $2',
          [ruleId, buildingId],
        );
        if (rowCount === 0) return unknownRule();
        const announcements = await closeFaultsOf(client, buildingId, ruleId, {
          ...occasion,
          organisation,
        });
        // A building without rules is not evaluated, so its state would be outdated.
        await client.query(
          `delete from telemetry.followed using telemetry.series
           where series.id = series_id and series.building_id = $1
             and not exists (select from telemetry.rule where building_id = $1)`,
          [buildingId],
        );
        return { announcements };
      });
    });
    if ('refused' in outcome) return outcome;
    const { replayed, announcements } = outcome;
    if (!replayed && announcements > 0) announced();
    return { replayed };
  },
});

interface Created {
  readonly rule: RuleRow;
  /** A former release created it for this command. */
  readonly isFormer: boolean;
  readonly replayed: boolean;
}

interface Deleted {
  readonly announcements: number;
  readonly replayed: boolean;
}

const unknownRule = () => refuse('NOT_FOUND', 'No rule has this id.');

export const unknownPoint = () =>
  refuse('REFERENCE_NOT_FOUND', 'pointId is not the internal id of a point of this building.', {
    errors: [{ path: 'pointId', message: 'is not the internal id of a point of this building' }],
  });

/** `null` if no point is given; `undefined` for a point that is not in the building. */
const seriesIn = async (
  client: ClientBase,
  buildingId: string,
  pointId: string | null,
): Promise<number | null | undefined> => {
  if (pointId === null) return null;
  const { rows } = await client.query<{ id: number }>(
    'select id from telemetry.series where building_id = $1 and point_id = $2',
    [buildingId, pointId],
  );
  return rows[0]?.id;
};

const ruleLimit = (limit: number, what: string, owner: string) =>
  refuse('RULE_LIMIT_REACHED', `${owner} has at most ${limit} ${what}.`, { limit });

/**
 * The maximum number of rules, by point or by class, that match one point of `target`. For a class
 * without points, the number of its own rules.
 */
const rulesOfOnePoint = async (
  client: ClientBase,
  buildingId: string,
  { pointId, pointClass }: RuleTarget,
): Promise<number> => {
  const { rows } = await client.query<{ most: number }>(
    `with target as (
       select coalesce($3::text, (select point_class from graph.point where id = $2::uuid))
              as point_class
     ), of_class as (
       select count(*)::int as rules from telemetry.rule join target using (point_class)
       where building_id = $1
     ), of_point as (
       select count(*)::int as rules from telemetry.rule
       join telemetry.series on series.id = rule.series_id
       join graph.point on point.id = series.point_id
       where rule.building_id = $1
         and (point.id = $2::uuid or ($2::uuid is null and point.point_class = $3::text))
       group by point.id
     )
     select (select rules from of_class) + coalesce((select max(rules) from of_point), 0) as most`,
    [buildingId, pointId, pointClass],
  );
  return rows[0]!.most;
};

/**
 * Observations before the first rule are not evaluated. There may be an outdated state, because an
 * import deletes rules with their points.
 */
const followFromNow = (client: ClientBase, buildingId: string) =>
  client.query(
    `insert into telemetry.followed (series_id, observed_at, value)
     select series_id, observed_at, value from telemetry.latest
     join telemetry.series on series.id = series_id
     where series.building_id = $1
     on conflict (series_id) do update
       set observed_at = excluded.observed_at, value = excluded.value`,
    [buildingId],
  );

const insertRule = (
  client: ClientBase,
  buildingId: string,
  rule: RuleDraft & {
    readonly ruleId: string;
    readonly seriesId: number | null;
    readonly at: string;
    readonly bodyHash: string | undefined;
  },
) =>
  client.query(
    `insert into telemetry.rule (id, building_id, title, severity, series_id, point_class,
       comparison, threshold, for_seconds, created_at, body_hash, raise_ticket)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      rule.ruleId,
      buildingId,
      rule.title,
      rule.severity,
      rule.seriesId,
      rule.pointClass,
      rule.comparison,
      rule.threshold,
      rule.forSeconds,
      rule.at,
      rule.bodyHash ?? null,
      rule.raiseTicket === undefined ? null : JSON.stringify(rule.raiseTicket),
    ],
  );
