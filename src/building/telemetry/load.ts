/**
 * Bulk-loads a building's history, for sandboxes: finished days as sealed rows, and the current day
 * as live rows, by binary COPY. A million samples take about a tenth of a second and 3 MB;
 * `docs/reference/performance.md` has the figures.
 *
 * The samples are not announced, and not evaluated by rules. Only for points without samples.
 */
import type { Pool, PoolClient } from 'pg';
import { DAY_MS } from '../../engine/time/calendar.ts';
import { sealedGridOf } from '../../domain/telemetry/sealed-day.ts';
import { transaction } from '../../engine/postgres/transaction.ts';
import { copyLiveRows, copySealedDays, type LiveRow, type SealedRow } from './copy-rows.ts';
import { makeMonths, monthsIn } from './months.ts';
import { makeSeries } from './points.ts';

/** The samples of a finished day of a point, at equal steps. */
export interface PointDay {
  readonly pointId: string;
  /** The day's midnight (UTC), in milliseconds since 1970. */
  readonly dayMs: number;
  /** Time of the first value, in milliseconds since midnight. */
  readonly firstMs: number;
  /** Interval of the values, all of which must be within the day. */
  readonly stepMs: number;
  /**
   * At least one is a number; true is 1, false is 0. NaN: no sample. Read before the next day is
   * requested, which may reuse the array.
   */
  readonly values: Float64Array;
}

/** A sample of the current day. */
export interface PointSample {
  readonly pointId: string;
  readonly atMs: number;
  readonly value: number;
}

export interface TelemetryToLoad {
  readonly buildingId: string;
  /** The range of all samples, for which partitions are created first. Milliseconds. */
  readonly range: { readonly fromMs: number; readonly toMs: number };
  /** Read one by one, with backpressure. In any order. */
  readonly days: Iterable<PointDay>;
  /** Read after all days. */
  readonly live: Iterable<PointSample>;
}

/**
 * Atomic: one transaction without a timeout.
 *
 * @returns The number of samples.
 * @throws For a point that is not in the building, and for an existing day or time of a point.
 */
export const loadTelemetry = (db: Pool, load: TelemetryToLoad): Promise<number> =>
  transaction(db, async (client) => {
    await client.query('set local statement_timeout = 0');
    await client.query('select from graph.building where id = $1 for key share', [load.buildingId]);
    await makeSeries(client, load.buildingId);
    await makeMonths(client, [...monthsIn(daysIn(load.range))]);
    const series = await seriesByPoint(client, load.buildingId);
    const seen = { samples: 0, latest: new Map<number, LiveRow>() };
    await copySealedDays(client, sealedRows(load.days, series, seen));
    await copyLiveRows(client, liveRows(load.live, series, seen));
    await writeLatest(client, [...seen.latest.values()]);
    return seen.samples;
  });

interface Seen {
  samples: number;
  readonly latest: Map<number, LiveRow>;
}

function* daysIn({ fromMs, toMs }: TelemetryToLoad['range']) {
  for (let ms = fromMs; ms < toMs; ms += DAY_MS) yield ms;
  yield toMs;
}

const seriesByPoint = async (client: PoolClient, buildingId: string) => {
  const { rows } = await client.query<{ id: number; pointId: string }>(
    `select id, point_id as "pointId" from telemetry.series where building_id = $1`,
    [buildingId],
  );
  const seriesIds = new Map(rows.map(({ id, pointId }) => [pointId, id]));
  return (pointId: string): number => {
    const id = seriesIds.get(pointId);
    if (id === undefined) throw new Error(`${pointId} is no point of ${buildingId}`);
    return id;
  };
};

function* sealedRows(
  days: TelemetryToLoad['days'],
  seriesOf: (pointId: string) => number,
  seen: Seen,
): Generator<SealedRow> {
  for (const { pointId, dayMs, ...grid } of days) {
    const seriesId = seriesOf(pointId);
    let last = 0;
    for (let place = 0; place < grid.values.length; place += 1) {
      if (Number.isNaN(grid.values[place])) continue;
      seen.samples += 1;
      last = place;
    }
    const atMs = dayMs + grid.firstMs + last * grid.stepMs;
    note(seen, { seriesId, atMs, value: grid.values[last]! });
    yield { seriesId, dayMs, ...sealedGridOf(grid) };
  }
}

function* liveRows(
  samples: TelemetryToLoad['live'],
  seriesOf: (pointId: string) => number,
  seen: Seen,
): Generator<LiveRow> {
  for (const { pointId, atMs, value } of samples) {
    const row = { seriesId: seriesOf(pointId), atMs, value };
    note(seen, row);
    seen.samples += 1;
    yield row;
  }
}

const note = ({ latest }: Seen, row: LiveRow) => {
  const previous = latest.get(row.seriesId);
  if (!previous || previous.atMs <= row.atMs) latest.set(row.seriesId, row);
};

const writeLatest = (client: PoolClient, rows: readonly LiveRow[]) =>
  client.query(
    `insert into telemetry.latest as l (series_id, observed_at, value)
     select id, timestamptz 'epoch' + ms * interval '1 millisecond', value
     from unnest($1::int4[], $2::double precision[], $3::double precision[]) as n (id, ms, value)
     on conflict (series_id) do update
       set observed_at = excluded.observed_at, value = excluded.value
       where l.observed_at <= excluded.observed_at`,
    [
      rows.map(({ seriesId }) => seriesId),
      rows.map(({ atMs }) => atMs),
      rows.map(({ value }) => value),
    ],
  );
