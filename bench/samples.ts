/**
 * The cost of storing and reading samples, live and sealed.
 *
 *     node bench/samples.ts [points] [days]
 *
 * Every point has a sample every ten minutes, in hundredths of a degree: loaded as sealed days, as
 * for sandboxes, and written live and then sealed.
 */
import { transaction } from '../src/engine/postgres/transaction.ts';
import { copyLiveRows } from '../src/building/telemetry/copy-rows.ts';
import { loadTelemetry, type PointDay } from '../src/building/telemetry/load.ts';
import { makeMonths, monthsIn } from '../src/building/telemetry/months.ts';
import { sealFinishedDays } from '../src/building/telemetry/sealing.ts';
import { benchCluster } from './support/cluster.ts';
import { median } from './support/figures.ts';
import { meteredBuilding, type MeteredBuilding } from './support/metered-building.ts';

const pointCount = Number(process.argv[2] ?? 1_000);
const days = Number(process.argv[3] ?? 30);
const DAY_MS = 86_400_000;
const STEP_MS = 600_000;
const STEPS = DAY_MS / STEP_MS;
const START_MS = Date.UTC(2026, 0, 1);
const LIVE_DAYS = 3;
/** A larger `COPY` would exceed the statement timeout of our connections. */
const LOADED_AT_ONCE_DAYS = 30;

const valueAt = (point: number, step: number): number =>
  Math.round(2_150 + 150 * Math.sin(step / 23 + point) + ((point * 31 + step * 17) % 40)) / 100;

const bytesOf = async ({ db }: MeteredBuilding, table: string): Promise<number> => {
  const { rows } = await db.query<{ bytes: number }>(
    `select sum(pg_total_relation_size(inhrelid))::bigint as bytes from pg_inherits
     where inhparent = 'telemetry.${table}'::regclass`,
  );
  return rows[0]!.bytes;
};

function* sealedDays(pointIds: readonly string[], first: number, end: number): Generator<PointDay> {
  for (let day = first; day < end; day += 1)
    for (const [point, pointId] of pointIds.entries()) {
      const values = Float64Array.from({ length: STEPS }, (_, step) =>
        valueAt(point, day * STEPS + step),
      );
      yield { pointId, dayMs: START_MS + day * DAY_MS, firstMs: 0, stepMs: STEP_MS, values };
    }
}

function* liveRows() {
  for (let step = 0; step < LIVE_DAYS * STEPS; step += 1)
    for (let point = 0; point < pointCount; point += 1)
      yield {
        seriesId: point + 1,
        atMs: START_MS + step * STEP_MS,
        value: valueAt(point, step),
      };
}

const tookMs = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work();
  return performance.now() - started;
};

const medianMs = async (work: () => Promise<unknown>): Promise<string> => {
  const times: number[] = [];
  for (let run = 0; run < 15; run += 1) times.push(await tookMs(work));
  return median(times).toFixed(1);
};

/** Reads a point's range as samples, and as hourly buckets. */
const readMs = async (building: MeteredBuilding, ofDays: number): Promise<string> => {
  const { telemetry, buildingId, pointIds } = building;
  const wanted = { organisation: 'acme', buildingId, pointId: pointIds[7]! };
  const range = { fromMs: START_MS, toMs: START_MS + ofDays * DAY_MS };
  const samples = await medianMs(() => telemetry.samples(wanted, range));
  return `${samples} / ${await medianMs(() => telemetry.buckets(wanted, range, 3_600_000))} ms`;
};

const byTheDay = async ({ telemetry, buildingId, pointIds }: MeteredBuilding): Promise<string> => {
  const wanted = { organisation: 'acme', buildingId, pointId: pointIds[7]! };
  const range = { fromMs: START_MS, toMs: START_MS + days * DAY_MS };
  return `${await medianMs(() => telemetry.buckets(wanted, range, DAY_MS))} ms`;
};

const report = (what: string, figures: string) => console.log(`${what.padEnd(60)} ${figures}`);

const cluster = await benchCluster();
try {
  const loaded = await meteredBuilding(await cluster.database('loaded'), pointCount);
  const { db, telemetry, buildingId, pointIds } = loaded;
  const samples = days * STEPS * pointCount;
  const loadMs = await tookMs(async () => {
    for (let day = 0; day < days; day += LOADED_AT_ONCE_DAYS) {
      const end = Math.min(day + LOADED_AT_ONCE_DAYS, days);
      const range = { fromMs: START_MS + day * DAY_MS, toMs: START_MS + end * DAY_MS };
      const at = { buildingId, range, days: sealedDays(pointIds, day, end), live: [] };
      await loadTelemetry(db, at);
    }
  });
  const cpu = process.cpuUsage();
  const sealedBytes = ((await bytesOf(loaded, 'sealed_day')) / samples).toFixed(2);
  report(
    `load ${days} days of ${pointCount} points`,
    `${(samples / 1e6).toFixed(1)} M samples in ${(loadMs / 1_000).toFixed(1)} s, ` +
      `${(samples / loadMs / 1_000).toFixed(2)} M/s, ${sealedBytes} B a sample, ` +
      `${((cpu.user + cpu.system) / samples).toFixed(2)} µs of CPU each here, drawing included`,
  );
  await db.query('analyze');
  report(
    `${Math.min(days, 30)} days of a point, sealed: samples / by the hour`,
    await readMs(loaded, Math.min(days, 30)),
  );
  if (days > 30) report(`${days} days of a point, by the day`, await byTheDay(loaded));
  const day = { fromMs: START_MS + DAY_MS, toMs: START_MS + 2 * DAY_MS };
  const each = async () => {
    for (const pointId of pointIds.slice(0, 1_000))
      await telemetry.samples({ organisation: 'acme', buildingId, pointId }, day);
  };
  report(
    'a day of 1,000 points, sealed, one after the other',
    `${(await tookMs(each)).toFixed(0)} ms`,
  );
  await loaded.close();

  const live = await meteredBuilding(await cluster.database('live'), pointCount);
  await transaction(live.db, (client) => makeMonths(client, [...monthsIn([START_MS])]));
  await transaction(live.db, (client) => copyLiveRows(client, liveRows()));
  await live.db.query(
    `insert into telemetry.latest select series_id, max(observed_at), 0
     from telemetry.observation group by series_id`,
  );
  await live.db.query('analyze');
  const liveSamples = LIVE_DAYS * STEPS * pointCount;
  const liveBytes = ((await bytesOf(live, 'observation')) / liveSamples).toFixed(1);
  report(
    `${LIVE_DAYS} days of a point, live: samples / by the hour`,
    await readMs(live, LIVE_DAYS),
  );
  report('bytes a sample, live, with the key', `${liveBytes} B`);
  const later = new Date(START_MS + 10 * DAY_MS).toISOString();
  const sealMs = await tookMs(() => sealFinishedDays(live.db, later));
  report(
    `seal ${LIVE_DAYS} days of ${pointCount} points`,
    `${(sealMs / 1_000).toFixed(1)} s, ${(liveSamples / sealMs).toFixed(0)} k samples/s`,
  );
  report(
    `${LIVE_DAYS} days of a point, sealed: samples / by the hour`,
    await readMs(live, LIVE_DAYS),
  );
  await live.close();
} finally {
  await cluster.stop();
}
