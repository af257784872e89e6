/**
 * Seals finished days: one row per series and day. A day with late samples is sealed again; until
 * then the late samples are stored beside it, and take precedence.
 */
import type { Pool, PoolClient } from 'pg';
import { DAY_MS } from '../../engine/time/calendar.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import {
  mergedSamples,
  samplesOf,
  sealedDayOf,
  unpacked,
  type DaySample,
  type SealedDay,
} from '../../domain/telemetry/sealed-day.ts';
import { transaction } from '../../engine/postgres/transaction.ts';
import {
  SEALED_AFTER_MS,
  SEALED_SAMPLES_AT_ONCE_MAX,
  SEALED_SERIES_AT_ONCE_MAX,
} from './limits.ts';
import { copySealedDays, type SealedRow } from './copy-rows.ts';
import { makeMonths, monthsIn } from './months.ts';

/**
 * Seals samples of days that ended {@link SEALED_AFTER_MS} before `now`, a few series and one day
 * at a time, so that transactions are short, and an interruption loses little work and no data. A
 * series that cannot be sealed stays live until the next call, and stops no other one.
 *
 * @param failed Called for each series that cannot be sealed.
 * @returns The number of sealed days of series.
 */
export const sealFinishedDays = async (
  db: Pool,
  now: Instant,
  signal: AbortSignal = new AbortController().signal,
  failed: (error: unknown, seriesId: number) => void = () => {},
): Promise<number> => {
  const endMs = midnight(Date.parse(now) - SEALED_AFTER_MS);
  const skipped: number[] = [];
  let sealed = 0;
  for (let after = 0; !signal.aborted;) {
    const unsealed = await firstUnsealed(db, after, endMs, skipped);
    if (unsealed.length === 0) {
      const next = await seriesAfter(db, after);
      if (next === null) return sealed;
      after = next;
      continue;
    }
    const days = Map.groupBy(unsealed, ({ atMs }) => midnight(atMs));
    for (const [dayMs, series] of days) {
      const ids = series.map(({ id }) => id);
      const batches = await batchesOf(db, dayMs, ids);
      for (const batch of batches) {
        if (signal.aborted) return sealed;
        try {
          await sealDay(db, dayMs, batch);
          sealed += batch.length;
        } catch (error) {
          const [seriesId, ...others] = batch;
          // Each one alone, because one series may be the cause.
          if (others.length > 0) batches.push(...batch.map((id) => [id]));
          else {
            skipped.push(seriesId!);
            failed(error, seriesId!);
          }
        }
      }
    }
  }
  return sealed;
};

const midnight = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS;

/** The first unsealed day of the next few series, if there is one. */
const firstUnsealed = async (
  db: Pool,
  after: number,
  endMs: number,
  skipped: readonly number[],
) => {
  const { rows } = await db.query<{ id: number; atMs: number }>(
    `select series.id, (extract(epoch from first.observed_at) * 1000)::double precision as "atMs"
     from (select id from telemetry.series where id > $1 order by id limit $2) as series
     cross join lateral (
       select observed_at from telemetry.observation o
       where o.series_id = series.id and o.observed_at < $3
       order by observed_at limit 1
     ) as first
     where series.id <> all($4::int4[])`,
    [after, SEALED_SERIES_AT_ONCE_MAX, new Date(endMs).toISOString(), skipped],
  );
  return rows;
};

/** The last series that {@link firstUnsealed} has searched; `null` at the end. */
const seriesAfter = async (db: Pool, after: number): Promise<number | null> => {
  const { rows } = await db.query<{ last: number | null }>(
    `select max(id) as last
     from (select id from telemetry.series where id > $1 order by id limit $2) as series`,
    [after, SEALED_SERIES_AT_ONCE_MAX],
  );
  return rows[0]!.last;
};

/** Groups series into batches of one transaction. */
const batchesOf = async (db: Pool, dayMs: number, ids: readonly number[]) => {
  const { rows } = await db.query<{ id: number; n: number }>(
    `select series_id as id, count(*)::int as n from telemetry.observation
     where series_id = any($1::int4[]) and observed_at >= $2 and observed_at < $3
     group by series_id`,
    [ids, ...boundsOf(dayMs)],
  );
  const batches: number[][] = [];
  let left = 0;
  for (const { id, n } of rows) {
    if (n > left) {
      batches.push([]);
      left = SEALED_SAMPLES_AT_ONCE_MAX;
    }
    batches.at(-1)!.push(id);
    left -= n;
  }
  return batches;
};

const boundsOf = (dayMs: number) => [
  new Date(dayMs).toISOString(),
  new Date(dayMs + DAY_MS).toISOString(),
];

/** Serialised, because concurrent calls would overwrite each other's result. */
const sealDay = (db: Pool, dayMs: number, ids: readonly number[]): Promise<void> =>
  transaction(db, async (client) => {
    await client.query(`select pg_advisory_xact_lock(hashtext('telemetry sealing'))`);
    await makeMonths(client, [...monthsIn([dayMs])]);
    const live = await takeLive(client, dayMs, ids);
    const before = await takeSealed(client, dayMs, [...live.keys()]);
    await copySealedDays(
      client,
      [...live].map(([seriesId, samples]): SealedRow => {
        const sealed = before.get(seriesId);
        const all = sealed ? mergedSamples(sealed, samples) : samples;
        return { seriesId, dayMs, ...sealedDayOf(all) };
      }),
    );
  });

const takeLive = async (
  client: PoolClient,
  dayMs: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly DaySample[]>> => {
  const { rows } = await client.query<{ id: number } & DaySample>(
    `with taken as (
       delete from telemetry.observation
       where series_id = any($1::int4[]) and observed_at >= $2 and observed_at < $3
       returning series_id, observed_at, value
     )
     select series_id as id, (extract(epoch from observed_at - $2) * 1000)::int as ms, value
     from taken order by series_id, observed_at`,
    [ids, ...boundsOf(dayMs)],
  );
  return Map.groupBy(rows, ({ id }) => id);
};

const takeSealed = async (
  client: PoolClient,
  dayMs: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly DaySample[]>> => {
  const { rows } = await client.query<StoredDay>(
    `delete from telemetry.sealed_day where series_id = any($1::int4[]) and day = $2
     returning series_id as id, first_ms as "firstMs", step_ms as "stepMs",
               offsets_ms as "offsetsMs", divisor, base::double precision, packed, exact`,
    [ids, boundsOf(dayMs)[0]!.slice(0, 10)],
  );
  return new Map(rows.map((row) => [row.id, samplesOf({ ...row, values: valuesOf(row) })]));
};

/** A row of `telemetry.sealed_day`. */
interface StoredDay extends Omit<SealedDay, 'values' | 'packing'> {
  readonly id: number;
  readonly divisor: number | null;
  readonly base: number | null;
  readonly packed: readonly (number | null)[] | null;
  readonly exact: readonly (number | null)[] | null;
}

const valuesOf = ({ divisor, base, packed, exact }: StoredDay): Float64Array => {
  const packing = { divisor: divisor!, base: base! };
  return exact
    ? Float64Array.from(exact, (value) => value ?? Number.NaN)
    : Float64Array.from(packed!, (each) => (each === null ? Number.NaN : unpacked(each, packing)));
};
