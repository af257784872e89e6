/** Reads samples of points from the view over live rows and sealed days. */
import type { ClientBase, Pool } from 'pg';
import { validate as isUuid } from 'uuid';
import { DAY_MS } from '../../engine/time/calendar.ts';
import { transaction } from '../../engine/postgres/transaction.ts';
import {
  DRY_RUN_CONNECTION_HELD_MAX_MS,
  DRY_RUN_READ_ROWS,
  OBSERVATIONS_PAGE_MAX,
  OBSERVATIONS_READ_AT_ONCE_DAYS,
  OBSERVATIONS_READ_MAX_MS,
  OBSERVATIONS_READ_QUICK_MS,
} from './limits.ts';
import { OBSERVED_AT_MIN } from '../../domain/telemetry/limits.ts';
import type { RuleSample } from '../../domain/telemetry/rules.ts';
import { meanOf } from './mean.ts';
import type {
  BucketRow,
  PointRange,
  ReadPage,
  SampleRange,
  SampleRow,
  Telemetry,
} from './telemetry.ts';

type Reads = Pick<Telemetry, 'samples' | 'buckets'>;

/** @param keptFromMs Older samples are not returned. */
export const telemetryReads = (db: Pool, keptFromMs: () => number): Reads => ({
  async samples(point, asked) {
    const range = within(asked, keptFromMs());
    const series = await seriesOf(db, point);
    if (!series) return null;
    const { valueType } = series;
    return inSlices(series, range, async (id, slice, limit): Promise<readonly SampleRow[]> => {
      const rows = await readSamples(db, id, slice, limit);
      return rows.map(({ atMs, value }) => ({
        timestamp: new Date(atMs).toISOString(),
        value: valueType === 'boolean' ? value === 1 : value,
      }));
    });
  },

  async buckets(point, asked, bucketMs) {
    const range = within(asked, keptFromMs());
    const series = await seriesOf(db, point);
    if (!series) return null;
    return inSlices(series, range, async (id, slice, limit): Promise<readonly BucketRow[]> => {
      const { rows } = await db.query<Omit<BucketRow, 'timestamp'> & { at: Date | string }>(
        `select date_bin($7 * interval '1 millisecond', observed_at, timestamptz 'epoch') as at,
                min(value), max(value), count(*)::int, ${meanOf('value')} as mean
         ${SELECTED} group by 1 order by 1 limit $6`,
        [...selected(id, slice), limit, bucketMs],
      );
      return rows.map(({ at, min, max, mean, count }) => ({
        timestamp: new Date(at).toISOString(),
        min,
        max,
        mean,
        count,
      }));
    });
  },
});

/** Samples of a series, sorted by time. */
export const readSamples = async (
  db: Pool,
  seriesId: number,
  range: SampleRange,
  limit: number,
  direction: 'asc' | 'desc' = 'asc',
): Promise<readonly RuleSample[]> => {
  const { rows } = await db.query<RuleSample>(
    `${SAMPLES} order by observed_at ${direction} limit $6`,
    [...selected(seriesId, range), limit],
  );
  return rows;
};

/**
 * Calls `page` with all samples of a day, sorted by time, up to {@link DRY_RUN_READ_ROWS} at once.
 * A cursor reads those after the first page, because each further statement would unpack and sort
 * the whole day again.
 *
 * @param heldMaxMs A cursor that has been read for so long is replaced by another one, so that no
 *   connection is held for long.
 */
export const readDay = async (
  db: Pool,
  seriesId: number,
  { fromMs, toMs }: SampleRange,
  page: (samples: readonly RuleSample[]) => Promise<void>,
  heldMaxMs = DRY_RUN_CONNECTION_HELD_MAX_MS,
): Promise<void> => {
  let last = await readSamples(db, seriesId, { fromMs, toMs }, DRY_RUN_READ_ROWS);
  await page(last);
  while (last.length === DRY_RUN_READ_ROWS) {
    const rest = { fromMs: last.at(-1)!.atMs + 1, toMs };
    last = await transaction(db, async (client) => {
      const cursor = `declare later cursor for ${SAMPLES} order by observed_at`;
      await client.query(cursor, [...selected(seriesId, rest)]);
      let untilMs: number | null = null;
      for (;;) {
        const { rows } = await client.query<RuleSample>(`fetch ${DRY_RUN_READ_ROWS} from later`);
        // Counted after the first one, which unpacks and sorts the whole day.
        untilMs ??= performance.now() + heldMaxMs;
        await page(rows);
        if (rows.length < DRY_RUN_READ_ROWS || performance.now() >= untilMs) return rows;
      }
    });
  }
};

/** The last sample of a series before this time; `null`: there is none. */
export const lastSampleBefore = async (db: Pool, seriesId: number, beforeMs: number) => {
  const before = new Date(beforeMs).toISOString();
  // Every sealed day has a sample, but all samples of the day of `beforeMs` may be later.
  const { rows } = await db.query<{ dayMs: number }>(
    `select (extract(epoch from day) * 1000)::double precision as "dayMs"
     from (
       (select (observed_at at time zone 'UTC')::date as day from telemetry.observation
        where series_id = $1 and observed_at < $2 order by observed_at desc limit 1)
       union
       (select day from telemetry.sealed_day
        where series_id = $1 and day <= $3 order by day desc limit 2)
     ) as days order by day desc`,
    [seriesId, before, before.slice(0, 10)],
  );
  for (const { dayMs } of rows) {
    const range = { fromMs: dayMs, toMs: Math.min(dayMs + DAY_MS, beforeMs) };
    const [last] = await readSamples(db, seriesId, range, 1, 'desc');
    if (last !== undefined) return last;
  }
  return null;
};

/** The stored values of samples by series, at most one of each. */
export const storedValues = async (
  client: ClientBase,
  samples: readonly { readonly seriesId: number; readonly atMs: number }[],
): Promise<ReadonlyMap<number, number>> => {
  if (samples.length === 0) return new Map();
  const { rows } = await client.query<{ id: number; value: number }>(
    `select asked.id, stored.value
     from unnest($1::int4[], $2::timestamptz[], $3::date[]) as asked (id, at, day)
     cross join lateral (
       select value from telemetry.sample
       where series_id = asked.id and observed_at = asked.at and day = asked.day limit 1
     ) as stored`,
    [
      samples.map(({ seriesId }) => seriesId),
      samples.map(({ atMs }) => new Date(atMs).toISOString()),
      samples.map(({ atMs }) => new Date(atMs).toISOString().slice(0, 10)),
    ],
  );
  return new Map(rows.map(({ id, value }) => [id, value]));
};

/** Selects by days as well as by times, because sealed samples are found by day. */
const SELECTED = `
  from telemetry.sample
  where series_id = $1 and observed_at >= $2 and observed_at < $3 and day between $4 and $5`;

const SAMPLES = `
  select (extract(epoch from observed_at) * 1000)::double precision as "atMs", value ${SELECTED}`;

const selected = (id: number, { fromMs, toMs }: SampleRange): readonly unknown[] => {
  const [from, to] = [fromMs, toMs].map((ms) => new Date(ms).toISOString());
  return [id, from, to, from!.slice(0, 10), new Date(toMs - 1).toISOString().slice(0, 10)];
};

/** The part of the range that is retained. */
const within = ({ fromMs, toMs }: SampleRange, keptFromMs: number): SampleRange => ({
  fromMs: Math.max(fromMs, keptFromMs, Date.parse(OBSERVED_AT_MIN)),
  toMs,
});

interface Series {
  /** `null`: the point has no series yet. */
  readonly id: number | null;
  readonly valueType: 'number' | 'boolean';
  /** Milliseconds since 1970; `null` before the first sample. */
  readonly latestMs: number | null;
}

const seriesOf = async (
  db: Pool,
  { organisation, buildingId, pointId }: PointRange,
): Promise<Series | null> => {
  if (!isUuid(pointId) || !isUuid(buildingId)) return null;
  const { rows } = await db.query<Series>(
    `select series.id, point.value_type as "valueType",
            (extract(epoch from latest.observed_at) * 1000)::double precision as "latestMs"
     from graph.building b
     join graph.node n on n.building_id = b.id
     join graph.point on point.id = n.id
     left join telemetry.series on series.point_id = n.id
     left join telemetry.latest on latest.series_id = series.id
     where b.organisation = $1 and b.id = $2 and n.id = $3`,
    [organisation, buildingId, pointId],
  );
  return rows[0] ?? null;
};

/**
 * Reads a range in slices of some days, so that every statement is short, until there are enough
 * rows or the time for one response is used up. The first slice is a day, of which a dense point
 * has a million samples.
 */
const inSlices = async <Row extends { readonly timestamp: string }>(
  { id, latestMs }: Series,
  { fromMs, toMs }: SampleRange,
  read: (id: number, slice: SampleRange, limit: number) => Promise<readonly Row[]>,
): Promise<ReadPage<Row>> => {
  const endMs = Math.min(toMs, (latestMs ?? -Infinity) + 1);
  if (id === null || endMs <= fromMs) return { items: [], nextFrom: null };
  const deadline = performance.now() + OBSERVATIONS_READ_MAX_MS;
  const items: Row[] = [];
  for (let atMs = fromMs, days = 1; atMs < endMs;) {
    const beganMs = performance.now();
    if (beganMs > deadline) return { items, nextFrom: new Date(atMs).toISOString() };
    const slice = { fromMs: atMs, toMs: Math.min(midnightAfter(atMs, days), endMs) };
    const rows = await read(id, slice, OBSERVATIONS_PAGE_MAX - items.length + 1);
    for (const row of rows) {
      if (items.length === OBSERVATIONS_PAGE_MAX) return { items, nextFrom: row.timestamp };
      items.push(row);
    }
    const isQuick = performance.now() - beganMs < OBSERVATIONS_READ_QUICK_MS;
    days = isQuick ? OBSERVATIONS_READ_AT_ONCE_DAYS : 1;
    atMs = slice.toMs;
  }
  return { items, nextFrom: null };
};

/** At midnight, so that no bucket spans two slices. */
export const midnightAfter = (ms: number, days: number): number =>
  (Math.floor(ms / DAY_MS) + days) * DAY_MS;
