/** What rules remember of points, as rows. */
import type { ClientBase } from 'pg';
import type { Following, RuleSample } from '../domain/telemetry/rules.ts';

export interface RuleMemory {
  /** The sample of a series that the rules have looked at last. */
  last(seriesId: number): RuleSample | null;
  of(ruleId: string, seriesId: number): PairMemory;
}

interface PairMemory extends Pick<Following, 'breachedSinceMs' | 'openedMs'> {
  readonly faultId: string | null;
}

/** A condition that holds and has not held for long enough. */
export interface Breach {
  readonly ruleId: string;
  readonly seriesId: number;
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
  const open = await client.query<Pair & { readonly faultId: string; readonly openedMs: number }>(
    `select rule_id as "ruleId", series_id as "seriesId", id as "faultId",
            ${msOf('opened_at')} as "openedMs"
     from telemetry.fault where series_id = any($1::int4[]) and closed_at is null`,
    [seriesIds],
  );
  const last = new Map(followed.rows.map(({ seriesId, ...sample }) => [seriesId, sample]));
  const since = new Map(breaches.rows.map((row) => [pairKey(row), row.sinceMs]));
  const faults = new Map(open.rows.map((row) => [pairKey(row), row]));
  return {
    last: (seriesId) => last.get(seriesId) ?? null,
    of(ruleId, seriesId) {
      const key = pairKey({ ruleId, seriesId });
      const { faultId = null, openedMs = null } = faults.get(key) ?? {};
      return { breachedSinceMs: since.get(key) ?? null, openedMs, faultId };
    },
  };
};

export const remember = async (
  client: ClientBase,
  changed: {
    readonly followed: readonly (RuleSample & { readonly seriesId: number })[];
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

type Pair = Omit<Breach, 'sinceMs'>;

const pairKey = ({ ruleId, seriesId }: Pair): string => `${ruleId} ${seriesId}`;

const msOf = (column: string) => `(extract(epoch from ${column}) * 1000)::double precision`;
const instantOf = (ms: string) => `timestamptz 'epoch' + ${ms} * interval '1 millisecond'`;
