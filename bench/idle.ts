/**
 * What platforms cost that nobody uses: all roles, in one process, each with a database of its own
 * in one cluster.
 *
 *     node bench/idle.ts [platforms] [seconds] [seconds before]
 *
 * Processor time of this process and of Postgres as a share of one core, commits a second over all
 * databases, and connections, from so long after the start on: what is only done once is over after
 * some seconds, and V8 has given back what the start has left behind after a minute. The log is the
 * embedded one; fsync is on.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { benchCluster } from './support/cluster.ts';
import { cpuSince, cpuTime } from './support/cpu.ts';
import { benchLog } from './support/log.ts';
import { benchPlatform } from './support/platform.ts';

const count = Number(process.argv[2] ?? 1);
const seconds = Number(process.argv[3] ?? 30);
const settleSeconds = Number(process.argv[4] ?? 60);

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

const share = (us: number) => `${(us / seconds / 1e4).toFixed(2)} %`;
const memoryMb = Math.round(process.memoryUsage().rss / 1e6);
console.log(
  `${count} platforms, idle for ${seconds} s: ${share(nodeUs)} of a core here and ` +
    `${share(postgresUs ?? Number.NaN)} in Postgres, ` +
    `${((after.commits - before.commits) / seconds).toFixed(1)} commits a second, ` +
    `${after.connections} connections, ${memoryMb} MB`,
);

await watching.end();
for (const { platform, log } of platforms) {
  await platform.stop();
  await log.close();
}
await cluster.stop();
