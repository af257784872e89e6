/**
 * The cost of ingesting telemetry, durable and announced in the embedded log, against COPY of the
 * same rows into the same table.
 *
 *     node bench/ingest.ts [seconds] [points]
 *
 * Samples arrive as in production: every point at one time, and then at the next, 1,000 per
 * request. The clock stops when the last announcement is in the log.
 */
import { transaction } from '../src/engine/postgres/transaction.ts';
import { isRefusal } from '../src/engine/aggregates/decider.ts';
import { systemClock } from '../src/engine/time/clock.ts';
import { copyLiveRows } from '../src/building/telemetry/copy-rows.ts';
import { makeMonths, monthsIn } from '../src/building/telemetry/months.ts';
import { benchCluster } from './support/cluster.ts';
import { cpuSince, cpuTime } from './support/cpu.ts';
import { meteredBuilding, type MeteredBuilding } from './support/metered-building.ts';
import { benchPlatform } from './support/platform.ts';

const seconds = Number(process.argv[2] ?? 8);
const pointCount = Number(process.argv[3] ?? 2_000);
const BATCH = 1_000;
const WRITERS = 4;
const RATE_BAR = 40_000;
const COPY_BAR = 0.2;
const START_MS = Date.UTC(2026, 2, 2);

interface Ingested {
  readonly samples: number;
  readonly rate: number;
  readonly cpu: string;
}

/** The n-th sample of all. */
const sampleAt = (nth: number) => {
  const [step, point] = [Math.floor(nth / pointCount), nth % pointCount];
  const value = Math.round(2_150 + 150 * Math.sin(step / 23 + point)) / 100;
  return { point, value, atMs: START_MS + step * 1_000 };
};

const batchFrom = (first: number) =>
  Array.from({ length: BATCH }, (_, index) => sampleAt(first + index));

const ingestInto = async (building: MeteredBuilding): Promise<Ingested> => {
  const { db, telemetry, buildingId, pointIds } = building;
  const by = { kind: 'user', id: 'bench' } as const;
  const [started, before] = [performance.now(), cpuTime(cluster.postmaster)];
  let next = 0;
  const write = async () => {
    while (performance.now() - started < seconds * 1_000) {
      next += BATCH;
      const observations = batchFrom(next - BATCH).map(({ point, value, atMs }) => ({
        pointId: pointIds[point]!,
        value,
        atMs,
      }));
      const occasion = { at: systemClock.now(), by, origin: 'api' } as const;
      const outcome = await telemetry.observe('acme', buildingId, observations, occasion);
      if (isRefusal(outcome)) throw new Error(outcome.detail);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  for (let waiting = 1; waiting > 0;)
    waiting = (await db.query('select from graph.announcement limit 1')).rowCount ?? 0;
  const tookS = (performance.now() - started) / 1_000;
  const { nodeUs, postgresUs } = cpuSince(before, cpuTime(cluster.postmaster));
  const each = (us: number | null) => (us === null ? '?' : (us / next).toFixed(1));
  const cpu = `${each(nodeUs)} µs here and ${each(postgresUs)} in Postgres a sample`;
  return { samples: next, rate: next / tookS, cpu };
};

/** The same rows, so many a commit. */
const copyInto = async ({ db }: MeteredBuilding, samples: number, atOnce: number) => {
  await transaction(db, (client) => makeMonths(client, [...monthsIn([START_MS])]));
  await db.query('truncate telemetry.observation');
  const started = performance.now();
  for (let done = 0; done < samples; done += atOnce) {
    const rows = Array.from({ length: Math.min(atOnce, samples - done) }, (_, index) => {
      const { point, value, atMs } = sampleAt(done + index);
      return { seriesId: point + 1, atMs, value };
    });
    await transaction(db, (client) => copyLiveRows(client, rows));
  }
  return samples / ((performance.now() - started) / 1_000);
};

const report = (what: string, figures: string) => console.log(`${what.padEnd(60)} ${figures}`);
const thousands = (rate: number) => `${(rate / 1_000).toFixed(1)} k/s`;

const cluster = await benchCluster();
try {
  const alone = await meteredBuilding(await cluster.database('alone'), pointCount);
  const ingested = await ingestInto(alone);
  await alone.close();
  const verdict = ingested.rate >= RATE_BAR ? 'holds' : 'missed';
  report(
    `ingest of 1,000, ${WRITERS} at once, durable and announced`,
    `${thousands(ingested.rate)}, ${ingested.cpu}: ${verdict}`,
  );

  const reference = await meteredBuilding(await cluster.database('reference'), pointCount);
  for (const atOnce of [BATCH, 500_000]) {
    const rate = await copyInto(reference, Math.min(ingested.samples, 500_000), atOnce);
    const ratio = ingested.rate / rate;
    report(
      `COPY into the same table, ${atOnce.toLocaleString('en')} a commit`,
      `${thousands(rate)}: ${ratio.toFixed(2)}×, ${ratio >= COPY_BAR ? 'holds' : 'missed'}`,
    );
  }
  await reference.close();

  const whole = await meteredBuilding(await cluster.database('whole'), pointCount);
  const platform = await benchPlatform(whole.url, whole.log);
  const followed = await ingestInto(whole);
  report(
    'ingest, and a whole platform that follows it',
    `${thousands(followed.rate)}, ${followed.cpu}`,
  );
  await platform.stop();
  await whole.close();
} finally {
  await cluster.stop();
}
