/**
 * The cost of idle platforms: all roles, in one process, each with its own database in one cluster.
 *
 *     node bench/idle.ts [platforms] [seconds] [seconds before] [--statements]
 *
 * Processor time of this process and of Postgres as a share of one core, commits a second over all
 * databases, and connections. `seconds before` is the delay after the start: one-time work is done
 * after some seconds, and V8 has freed the memory of the start after a minute. The log is the
 * embedded one; fsync is on. With `--statements` the server then logs its statements for the same
 * time again, and each text is listed with its count.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { benchCluster } from './support/cluster.ts';
import { cpuSince, cpuTime } from './support/cpu.ts';
import { recordFigures } from './support/figures.ts';
import { benchLog } from './support/log.ts';
import { benchPlatform } from './support/platform.ts';

interface Bar {
  readonly process?: number;
  readonly postgres?: number;
  readonly connections?: number;
  readonly memory?: number;
}
/** Shares of a core in per cent; MB. */
const BARS: Readonly<Record<'one' | 'ten', Bar>> = {
  one: { process: 0.1, postgres: 0.05, connections: 2, memory: 150 },
  ten: { process: 0.5, postgres: 0.3, connections: 8 },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { statements: { type: 'boolean', default: false } },
});
const [count = 1, seconds = 30, settleSeconds = 60] = positionals.map(Number);

const cluster = await benchCluster();
const url = await cluster.database('watching');
const platforms = [];
for (let at = 0; at < count; at += 1) {
  const own = await cluster.database(`platform_${at}`);
  const { log } = await benchLog('postgres', own);
  platforms.push({ log, platform: await benchPlatform(own, log) });
}
await sleep(settleSeconds * 1_000);

const watching = new Client({ connectionString: url });
await watching.connect();
const seen = async () => {
  const { rows } = await watching.query<{ commits: number; connections: number }>(
    `select sum(xact_commit)::float8 as commits, sum(numbackends)::float8 as connections
     from pg_stat_database where datname like 'platform%'`,
  );
  return { ...rows[0]!, cpu: cpuTime(cluster.postmaster) };
};
const before = await seen();
await sleep(seconds * 1_000);
const after = await seen();
const { nodeUs, postgresUs } = cpuSince(before.cpu, after.cpu);

const percent = (us: number | null) => (us ?? Number.NaN) / seconds / 1e4;
const memoryMb = Math.round(process.memoryUsage().rss / 1e6);
console.log(
  `${count} platforms, idle for ${seconds} s: ${percent(nodeUs).toFixed(2)} % of a core here and ` +
    `${percent(postgresUs).toFixed(2)} % in Postgres, ` +
    `${((after.commits - before.commits) / seconds).toFixed(1)} commits a second, ` +
    `${after.connections} connections, ${memoryMb} MB`,
);
const bar: Bar = count === 1 ? BARS.one : count === 10 ? BARS.ten : {};
recordFigures(
  { name: 'the process', value: percent(nodeUs), unit: '%', better: 'less', bar: bar.process },
  { name: 'Postgres', value: percent(postgresUs), unit: '%', better: 'less', bar: bar.postgres },
  { name: 'connections', value: after.connections, unit: '', better: 'less', bar: bar.connections },
  { name: 'memory', value: memoryMb, unit: 'MB', better: 'less', bar: bar.memory },
);

if (values.statements) {
  const from = readFileSync(cluster.log).length;
  const logging = async (which: 'all' | 'none') => {
    await watching.query(`alter system set log_statement = '${which}'`);
    await watching.query('select pg_reload_conf()');
  };
  await logging('all');
  await sleep(seconds * 1_000);
  await logging('none');
  const sent = new Map<string, number>();
  for (const [, text] of readFileSync(cluster.log)
    .subarray(from)
    .toString()
    .matchAll(/LOG: {2}(?:statement|execute [^:]*): (.*(?:\n\t.*)*)/g)) {
    const line = text!.replaceAll(/\s+/g, ' ').slice(0, 160);
    sent.set(line, (sent.get(line) ?? 0) + 1);
  }
  for (const [text, times] of [...sent].toSorted(([, one], [, other]) => other - one))
    console.log(`${(times / seconds).toFixed(2)}/s  ${text}`);
}

await watching.end();
for (const { platform, log } of platforms) {
  await platform.stop();
  await log.close();
}
await cluster.stop();
