/** The rows with the rules' state of points. */
import type { ClientBase } from 'pg';
import { FAULTS_OF_POINT_AN_HOUR_MAX } from '../../domain/telemetry/limits.ts';
import type { Fault, Flapping } from '../../domain/telemetry/flapping.ts';
import type { RuleSample } from '../../domain/telemetry/rules.ts';

export interface RuleMemory {
  /** The last sample of a series that the rules have evaluated. */
  last(seriesId: number): RuleSample | null;
  of(ruleId: string, seriesId: number): PairMemory;
}

export interface PairMemory {
  readonly breachedSinceMs: number | null;
  /** The open fault. */
  readonly fault: StoredFault | null;
}

export interface StoredFault extends Fault {
  readonly faultId: string;
}

/** Since when the condition of the pair's open fault has held; `null`: it does not hold. */
export const openedMsOf = ({ fault }: PairMemory): number | null => {
  if (!fault?.flapping) return fault?.openedMs ?? null;
  return fault.flapping.isBreached ? fault.flapping.changedMs : null;
};

export interface Pair {
  readonly ruleId: string;
  readonly seriesId: number;
}

/** A condition that holds, but not yet for long enough. */
export interface Breach extends Pair {
  readonly sinceMs: number;
}

export const memoryOf = async (
  client: ClientBase,
  seriesIds: readonly number[],
): Promise<RuleMemory> => {
  const followed = await client.query<RuleSample & { readonly seriesId: number }>(
    `select series_id as "seriesId", ${msOf('observed_at')} as "atMs", value
     from telemetry.followed where series_id = any($1::int4[])`,
    [seriesIds],
  );
  const breaches = await client.query<Breach>(
    `select rule_id as "ruleId", series_id as "seriesId", ${msOf('since')} as "sinceMs"
     from telemetry.breach where series_id = any($1::int4[])`,
    [seriesIds],
  );
  const open = await client.query<FaultRow>(
    `select ${FAULT} from telemetry.fault
     where series_id = any($1::int4[]) and closed_at is null`,
    [seriesIds],
  );
  const last = new Map(followed.rows.map(({ seriesId, ...sample }) => [seriesId, sample]));
  const since = new Map(breaches.rows.map((row) => [pairKey(row), row.sinceMs]));
  const faults = new Map(open.rows.map((row) => [pairKey(row), storedFault(row)]));
  return {
    last: (seriesId) => last.get(seriesId) ?? null,
    of(ruleId, seriesId) {
      const key = pairKey({ ruleId, seriesId });
      return { breachedSinceMs: since.get(key) ?? null, fault: faults.get(key) ?? null };
    },
  };
};

/** The faults of a pair since `atMs`, which count against its limit, oldest first. */
export const recentFaultsOf = async (
  client: ClientBase,
  pairs: readonly (Pair & { readonly atMs: number })[],
): Promise<ReadonlyMap<string, readonly StoredFault[]>> => {
  if (pairs.length === 0) return new Map();
  const { rows } = await client.query<FaultRow>(
    `select recent.* from unnest($1::uuid[], $2::int4[], $3::double precision[])
       as pair (rule, series, ms)
     cross join lateral (
       select ${FAULT} from telemetry.fault
       where rule_id = pair.rule and series_id = pair.series
         and opened_at > ${instantOf('pair.ms')} - interval '1 hour'
       order by opened_at desc limit ${FAULTS_OF_POINT_AN_HOUR_MAX}
     ) as recent
     order by "openedMs"`,
    [
      pairs.map(({ ruleId }) => ruleId),
      pairs.map(({ seriesId }) => seriesId),
      pairs.map(({ atMs }) => atMs),
    ],
  );
  const recent = new Map<string, StoredFault[]>();
  for (const row of rows) {
    const key = pairKey(row);
    recent.set(key, [...(recent.get(key) ?? []), storedFault(row)]);
  }
  return recent;
};

interface FaultRow extends Pair {
  readonly faultId: string;
  readonly openedMs: number;
  readonly closedMs: number | null;
  readonly value: number | null;
  readonly flapCount: number;
  readonly changedMs: number | null;
  readonly isBreached: boolean;
}

const storedFault = (row: FaultRow): StoredFault => {
  const { faultId, openedMs, closedMs, value, flapCount, changedMs, isBreached } = row;
  const flapping: Flapping | null =
    closedMs === null && changedMs !== null ? { changedMs, isBreached } : null;
  return { faultId, openedMs, closedMs, value, flapCount, flapping };
};

export const remember = async (
  client: ClientBase,
  changed: {
    readonly followed: readonly Followed[];
    readonly breaches: readonly Breach[];
    readonly recovered: readonly Pair[];
  },
): Promise<void> => {
  const { followed, breaches, recovered } = changed;
  if (followed.length > 0)
    await client.query(
      `insert into telemetry.followed as f (series_id, observed_at, value)
       select id, ${instantOf('ms')}, value
       from unnest($1::int4[], $2::double precision[], $3::double precision[]) as n (id, ms, value)
       on conflict (series_id) do update
         set observed_at = excluded.observed_at, value = excluded.value`,
      [
        followed.map(({ seriesId }) => seriesId),
        followed.map(({ atMs }) => atMs),
        followed.map(({ value }) => value),
      ],
    );
  if (breaches.length > 0)
    await client.query(
      `insert into telemetry.breach (rule_id, series_id, since)
       select rule, id, ${instantOf('ms')}
       from unnest($1::uuid[], $2::int4[], $3::double precision[]) as n (rule, id, ms)
       on conflict (rule_id, series_id) do update set since = excluded.since`,
      [
        breaches.map(({ ruleId }) => ruleId),
        breaches.map(({ seriesId }) => seriesId),
        breaches.map(({ sinceMs }) => sinceMs),
      ],
    );
  if (recovered.length > 0)
    await client.query(
      `delete from telemetry.breach using unnest($1::uuid[], $2::int4[]) as n (rule, id)
       where rule_id = n.rule and series_id = n.id`,
      [recovered.map(({ ruleId }) => ruleId), recovered.map(({ seriesId }) => seriesId)],
    );
};

/** The last sample of a series that the rules have evaluated. */
export type Followed = RuleSample & { readonly seriesId: number };

export const pairKey = ({ ruleId, seriesId }: Pair): string => `${ruleId} ${seriesId}`;

const msOf = (column: string) => `(extract(epoch from ${column}) * 1000)::double precision`;
const instantOf = (ms: string) => `timestamptz 'epoch' + ${ms} * interval '1 millisecond'`;

const FAULT = `id as "faultId", rule_id as "ruleId", series_id as "seriesId",
  ${msOf('opened_at')} as "openedMs", ${msOf('closed_at')} as "closedMs",
  case when value_known then value end as value, flap_count as "flapCount",
  ${msOf('flapped_at')} as "changedMs", flap_breached as "isBreached"`;
