/**
 * What it costs to take in telemetry, to keep it and to read it.
 *
 *   node bench/ingest.ts [seconds] [points]
 *
 * Ingests of 1,000 samples, durable and announced in the embedded log, against COPY of the same
 * rows into the same table; then sizes and reads, live and sealed.
 */
import { migrate } from '../src/db/migrate.ts';
import { openDatabase } from '../src/db/pool.ts';
import { isRefusal } from '../src/domain/decider.ts';
import { outboxRelay } from '../src/graph/outbox-relay.ts';
import { postgresGraph } from '../src/graph/postgres-graph.ts';
import { systemClock } from '../src/ops/clock.ts';
import { loggerOf } from '../src/ops/logging.ts';
import { postgresEventStore, prepareLog } from '../src/store/postgres/store.ts';
import { copyLiveRows } from '../src/telemetry/copy-rows.ts';
import { loadTelemetry, type PointDay } from '../src/telemetry/load.ts';
import { makeMonths, monthsIn } from '../src/telemetry/months.ts';
import { postgresTelemetry } from '../src/telemetry/postgres-telemetry.ts';
import { sealFinishedDays } from '../src/telemetry/sealing.ts';
import { transaction } from '../src/db/transaction.ts';
import { benchCluster } from './support/cluster.ts';
import { cpuSince, cpuTime } from './support/cpu.ts';
import { benchPlatform } from './support/platform.ts';

const seconds = Number(process.argv[2] ?? 8);
const pointCount = Number(process.argv[3] ?? 2_000);
const BATCH = 1_000;
const WRITERS = 4;
const DAY_MS = 86_400_000;
const TEN_MINUTES_MS = 600_000;

const cluster = await benchCluster();
const logger = loggerOf('warn');
const by = { kind: 'user', id: 'bench' } as const;

/** A building of so many points in a database of its own. */
const opened = async (name: string) => {
  const url = await cluster.database(name);
  await prepareLog(url);
  const database = openDatabase({ url, logger });
  await migrate(database.pool);
  const db = database.pool;
  const log = postgresEventStore({ url, logger });
  const relay = outboxRelay({ db, log, logger });
  const graph = postgresGraph({ db, announced: () => {}, followers: [] });
  const imported = await graph.importBuilding('acme', building(), { at: systemClock.now(), by });
  if (isRefusal(imported)) throw new Error(imported.detail);
  const { buildingId } = imported;
  const { rows } = await db.query<{ id: string }>('select id from graph.point order by id');
  const telemetry = postgresTelemetry({
    db,
    clock: systemClock,
    announced: relay.wake,
    retentionDays: null,
  });
  const stop = new AbortController();
  const relaying = relay.run(stop.signal);
  const close = async () => {
    stop.abort();
    await relaying;
    await log.close();
    await database.close();
  };
  return { url, db, log, buildingId, telemetry, ids: rows.map(({ id }) => id), close };
};
type Opened = Awaited<ReturnType<typeof opened>>;

const building = () => ({
  site: { code: 'S', name: 'Site' },
  building: {
    code: 'B',
    name: 'Building',
    storeys: [
      {
        code: '00',
        name: 'Ground floor',
        level: 0,
        elements: [
          {
            code: 'E',
            name: 'Element',
            elementTypeSlug: 'ahu',
            points: Array.from({ length: pointCount }, (_, index) => ({
              code: `P${index}`,
              name: `Point ${index}`,
              pointClass: 'Zone_Air_Temperature_Sensor',
              valueType: 'number' as const,
              unit: '°C',
            })),
          },
        ],
      },
    ],
  },
});

/** A temperature in hundredths of a degree. */
const valueAt = (point: number, step: number): number =>
  Math.round(2_150 + 150 * Math.sin(step / 23 + point) + ((point * 31 + step * 17) % 40)) / 100;

const per = (us: number | null, count: number) =>
  us === null ? '?' : `${(us / count).toFixed(1)} µs`;

/** Samples as they come: every point at one time, and then at the next. */
const ingestFor = async ({ db, telemetry, buildingId, ids }: Opened, fromMs: number) => {
  let next = 0;
  const started = performance.now();
  const cpu = cpuTime(cluster.postmaster);
  const write = async () => {
    while (performance.now() - started < seconds * 1_000) {
      const first = next;
      next += BATCH;
      const observations = Array.from({ length: BATCH }, (_, index) => {
        const [step, point] = divided(first + index, ids.length);
        const atMs = fromMs + step * 1_000;
        return { pointId: ids[point]!, value: valueAt(point, step), atMs };
      });
      const occasion = { at: systemClock.now(), by, origin: 'api' } as const;
      const outcome = await telemetry.observe('acme', buildingId, observations, occasion);
      if (isRefusal(outcome)) throw new Error(outcome.detail);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  for (;;) {
    const { rowCount } = await db.query('select from graph.announcement limit 1');
    if (rowCount === 0) break;
  }
  const tookS = (performance.now() - started) / 1_000;
  return { samples: next, rate: next / tookS, cpu: cpuSince(cpu, cpuTime(cluster.postmaster)) };
};

const divided = (index: number, by: number): [number, number] => [
  Math.floor(index / by),
  index % by,
];

const copyAll = async ({ db }: Opened, samples: number, fromMs: number) => {
  await transaction(db, (client) => makeMonths(client, [...monthsIn([fromMs])]));
  const started = performance.now();
  for (let done = 0; done < samples; done += BATCH) {
    const rows = Array.from({ length: BATCH }, (_, index) => {
      const [step, point] = divided(done + index, pointCount);
      return { seriesId: point + 1, atMs: fromMs + step * 1_000, value: valueAt(point, step) };
    });
    await transaction(db, (client) => copyLiveRows(client, rows));
  }
  return samples / ((performance.now() - started) / 1_000);
};

const report = (what: string, figures: string) => console.log(`${what.padEnd(58)} ${figures}`);
const k = (rate: number) => `${(rate / 1_000).toFixed(1)} k/s`;

try {
  const fromMs = Date.UTC(2026, 2, 2);
  const alone = await opened('alone');
  const ingested = await ingestFor(alone, fromMs);
  await alone.close();
  const reference = await opened('copied');
  const copied = await copyAll(reference, Math.min(ingested.samples, 1_000_000), fromMs);
  const copyLarge = await (async () => {
    const started = performance.now();
    const rows = Array.from({ length: 500_000 }, (_, index) => {
      const [step, point] = divided(index, pointCount);
      return { seriesId: point + 1, atMs: fromMs + DAY_MS + step * 1_000, value: 21.5 };
    });
    const made = performance.now();
    await transaction(reference.db, (client) => copyLiveRows(client, rows));
    return { rate: 500_000 / ((performance.now() - made) / 1_000), started };
  })();
  await reference.close();
  report(
    `ingest of 1,000, durable and announced, ${WRITERS} at once`,
    `${k(ingested.rate)}, ${per(ingested.cpu.nodeUs, ingested.samples)} here and ` +
      `${per(ingested.cpu.postgresUs, ingested.samples)} in Postgres a sample`,
  );
  report(
    'COPY into the same table, 1,000 a commit',
    `${k(copied)}: ${(ingested.rate / copied).toFixed(2)}×`,
  );
  report(
    'COPY into the same table, 500,000 at once',
    `${k(copyLarge.rate)}: ${(ingested.rate / copyLarge.rate).toFixed(2)}×`,
  );

  const whole = await opened('whole');
  const platform = await benchPlatform(whole.url, whole.log);
  const beside = await ingestFor(whole, fromMs);
  report(
    'the same, with all roles of a platform that follow it',
    `${k(beside.rate)}, ${per(beside.cpu.nodeUs, beside.samples)} here and ` +
      `${per(beside.cpu.postgresUs, beside.samples)} in Postgres a sample`,
  );
  await platform.stop();
  await whole.close();

  const kept = await opened('kept');
  const sizeOf = async (table: string) => {
    const { rows } = await kept.db.query<{ bytes: number }>(
      `select sum(pg_total_relation_size(inhrelid))::bigint as bytes from pg_inherits
       where inhparent = 'telemetry.${table}'::regclass`,
    );
    return rows[0]!.bytes;
  };
  const days = 30;
  const start = Date.UTC(2026, 0, 1);
  function* history(): Generator<PointDay> {
    for (let day = 0; day < days; day += 1)
      for (const [point, pointId] of kept.ids.entries())
        yield {
          pointId,
          dayMs: start + day * DAY_MS,
          firstMs: 0,
          stepMs: TEN_MINUTES_MS,
          values: Array.from({ length: 144 }, (_, step) => valueAt(point, day * 144 + step)),
        };
  }
  const loading = performance.now();
  const samples = await loadTelemetry(kept.db, {
    buildingId: kept.buildingId,
    range: { fromMs: start, toMs: start + days * DAY_MS },
    days: history(),
    live: [],
  });
  const loadedMs = performance.now() - loading;
  report(
    `load ${days} days of ${pointCount} points at 10 minutes`,
    `${(samples / 1e6).toFixed(1)} M in ${(loadedMs / 1_000).toFixed(1)} s, ` +
      `${k(samples / (loadedMs / 1_000))}, ${((await sizeOf('sealed_day')) / samples).toFixed(2)} B a sample`,
  );

  const timed = async (work: () => Promise<unknown>) => {
    const times: number[] = [];
    for (let run = 0; run < 21; run += 1) {
      const began = performance.now();
      await work();
      times.push(performance.now() - began);
    }
    return times.toSorted((a, b) => a - b)[10]!.toFixed(1);
  };
  const wanted = { organisation: 'acme', buildingId: kept.buildingId, pointId: kept.ids[7]! };
  const month = { fromMs: start, toMs: start + days * DAY_MS };
  report(
    'read a month of a point, sealed: samples / by the hour',
    `${await timed(() => kept.telemetry.samples(wanted, month))} / ` +
      `${await timed(() => kept.telemetry.buckets(wanted, month, 3_600_000))} ms`,
  );
  const aDay = { fromMs: start + 3 * DAY_MS, toMs: start + 4 * DAY_MS };
  const thousand = kept.ids.slice(0, 1_000);
  const began = performance.now();
  for (const pointId of thousand) await kept.telemetry.samples({ ...wanted, pointId }, aDay);
  report(
    'read a day of 1,000 points, sealed, one after the other',
    `${(performance.now() - began).toFixed(0)} ms`,
  );

  await kept.db.query('truncate telemetry.sealed_day');
  await transaction(kept.db, (client) => makeMonths(client, [...monthsIn([start])]));
  const liveDays = 3;
  function* live() {
    for (let step = 0; step < liveDays * 144; step += 1)
      for (let point = 0; point < pointCount; point += 1)
        yield {
          seriesId: point + 1,
          atMs: start + step * TEN_MINUTES_MS,
          value: valueAt(point, step),
        };
  }
  await transaction(kept.db, (client) => copyLiveRows(client, live()));
  const liveSamples = liveDays * 144 * pointCount;
  report('bytes a sample, live', `${((await sizeOf('observation')) / liveSamples).toFixed(1)} B`);
  const someDays = { fromMs: start, toMs: start + liveDays * DAY_MS };
  report(
    `read ${liveDays} days of a point, live: samples / by the hour`,
    `${await timed(() => kept.telemetry.samples(wanted, someDays))} / ` +
      `${await timed(() => kept.telemetry.buckets(wanted, someDays, 3_600_000))} ms`,
  );
  const sealing = performance.now();
  const sealed = await sealFinishedDays(kept.db, new Date(start + 10 * DAY_MS).toISOString());
  const sealedMs = performance.now() - sealing;
  report(
    `seal ${liveDays} days of ${pointCount} points`,
    `${sealed} rows in ${(sealedMs / 1_000).toFixed(1)} s, ${k(liveSamples / (sealedMs / 1_000))}`,
  );
  report(
    `read ${liveDays} days of a point, sealed: samples / by the hour`,
    `${await timed(() => kept.telemetry.samples(wanted, someDays))} / ` +
      `${await timed(() => kept.telemetry.buckets(wanted, someDays, 3_600_000))} ms`,
  );
  await kept.close();
} finally {
  await cluster.stop();
}
