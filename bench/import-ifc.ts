/**
 * The cost of importing an IFC file, in its thread and for the rest of the process.
 *
 *     node bench/import-ifc.ts FILE [rounds]
 *
 * Each round creates a building and then imports the file again with `replace=true`. Times are from
 * the first byte to the commit; memory is the largest growth of the process; the delay is the
 * longest blocking of the event loop in the server's thread.
 */
import { createReadStream, statSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { migrate } from '../src/engine/postgres/migrate.ts';
import { migrations } from '../src/migrations/migrations.ts';
import { openDatabase } from '../src/engine/postgres/pool.ts';
import { isRefusal } from '../src/engine/aggregates/decider.ts';
import type { ImportOptions } from '../src/building/graph/graph.ts';
import { buildingImports } from '../src/building/imports/imports.ts';
import { systemClock } from '../src/engine/time/clock.ts';
import { loggerOf } from '../src/engine/observe/logging.ts';
import { benchCluster } from './support/cluster.ts';
import { cpuSince, cpuTime } from './support/cpu.ts';
import { median } from './support/figures.ts';

const path = process.argv[2];
if (path === undefined) throw new Error('node bench/import-ifc.ts FILE [rounds]');
const rounds = Number(process.argv[3] ?? 5);
/** Interval of sampling memory. */
const LOOK_MS = 5;

const cluster = await benchCluster();
const db = openDatabase({ url: await cluster.database('imports'), logger: loggerOf('warn') });
await migrate(db.pool, migrations);
const imports = buildingImports({ databaseUrl: db.url });

const measured = async (into: Pick<ImportOptions, 'buildingId' | 'replace'>) => {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const before = process.memoryUsage.rss();
  let peak = before;
  const looking = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), LOOK_MS);
  delay.enable();
  const cpu = cpuTime(cluster.postmaster);
  const began = performance.now();
  const outcome = await imports.run(
    { format: 'ifc', bytes: createReadStream(path) },
    {
      organisation: 'bench',
      caller: 'bench',
      named: false,
      options: { at: systemClock.now(), by: { kind: 'system', id: 'bench' }, ...into },
    },
  );
  const ms = performance.now() - began;
  const { nodeUs, postgresUs } = cpuSince(cpu, cpuTime(cluster.postmaster));
  delay.disable();
  clearInterval(looking);
  if (isRefusal(outcome)) throw new Error(outcome.detail);
  const postgresMs = (postgresUs ?? Number.NaN) / 1e3;
  const grownMb = (peak - before) / 1e6;
  return { outcome, ms, nodeMs: nodeUs / 1e3, postgresMs, grownMb, delayMs: delay.max / 1e6 };
};

type Measured = Awaited<ReturnType<typeof measured>>;
const made: Measured[] = [];
const replaced: Measured[] = [];
for (let round = 0; round < rounds; round += 1) {
  const first = await measured({});
  made.push(first);
  replaced.push(await measured({ buildingId: first.outcome.buildingId, replace: true }));
}

const line = (what: string, all: readonly Measured[]) => {
  const of = (member: 'ms' | 'nodeMs' | 'postgresMs') =>
    (median(all.map((each) => each[member])) / 1e3).toFixed(2);
  const worst = (member: 'grownMb' | 'delayMs') =>
    Math.max(...all.map((each) => each[member])).toFixed(0);
  return (
    `${what}: ${of('ms')} s, CPU ${of('nodeMs')} s here and ${of('postgresMs')} s in Postgres, ` +
    `at most ${worst('grownMb')} MB, event loop held up ${worst('delayMs')} ms`
  );
};
const { created } = made[0]!.outcome;
console.log(`${(statSync(path).size / 1e6).toFixed(1)} MB, ${JSON.stringify(created)}`);
console.log(line('a new building', made));
console.log(line('again with replace=true', replaced));

await db.close();
await cluster.stop();
