/**
 * The cost of a raised ticket for `npm start`'s server at a steady rate, background work included:
 * CPU of the server and of Postgres, without that of the idle server, and commits.
 *
 *     node bench/raised.ts [seconds] [tickets a second] [rounds] [--profile directory]
 *
 * The load is open-loop with random arrivals. The number of tickets per batch depends on the speed
 * of the machine, so compare CPU only between runs with about the same number of commits.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { prepareLog } from '../src/engine/log/postgres/store.ts';
import { benchCluster } from './support/cluster.ts';
import { processUs, treeUs } from './support/cpu.ts';
import { cpuFigures, median, recordFigures } from './support/figures.ts';
import { shippedServer } from './support/shipped-server.ts';
import { randomFrom } from './support/simulation/random.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { profile: { type: 'string' } },
});
const [seconds = 15, perSecond = 40, rounds = 3] = positionals.map(Number);
/** Background work after a response has ended after this time. */
const SETTLE_MS = 3_000;
const WARM_UP_SECONDS = 5;

const cluster = await benchCluster();
const url = await cluster.database('raised');
await prepareLog(url);
const client = new Client({ connectionString: url });
await client.connect();
const server = await shippedServer(url, [], options.profile ?? null);
const random = randomFrom(1);
const [create] = server.requests.create;

const seen = async () => {
  const { rows } = await client.query<{ commits: number }>(
    `select xact_commit::int as commits from pg_stat_database where datname = current_database()`,
  );
  return {
    nodeUs: processUs(server.pid),
    postgresUs: treeUs(cluster.postmaster) ?? Number.NaN,
    commits: rows[0]!.commits,
    atMs: performance.now(),
  };
};
type Seen = Awaited<ReturnType<typeof seen>>;

const raise = async () => {
  const { path, method, headers, body } = create!;
  const answer = await fetch(server.url + path, { method, headers, body } as RequestInit);
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
};

/** @returns The cost until the end of the wait for background work after the last ticket. */
const run = async (rate: number, forSeconds: number) => {
  const before = await seen();
  const answers: Promise<void>[] = [];
  const beganMs = performance.now();
  for (let atMs = random.exponential(1_000 / rate); atMs < forSeconds * 1_000;) {
    const ahead = beganMs + atMs - performance.now();
    if (ahead > 1) await sleep(ahead);
    answers.push(raise());
    atMs += random.exponential(1_000 / rate);
  }
  const left = beganMs + forSeconds * 1_000 - performance.now();
  await sleep(Math.max(0, left) + SETTLE_MS);
  await Promise.all(answers);
  const after = await seen();
  const used = (figure: keyof Seen) => after[figure] - before[figure];
  return {
    raised: answers.length,
    seconds: used('atMs') / 1_000,
    nodeUs: used('nodeUs'),
    postgresUs: used('postgresUs'),
    commits: used('commits'),
  };
};
type Used = Awaited<ReturnType<typeof run>>;

await run(perSecond, WARM_UP_SECONDS);
const figures: Record<'nodeUs' | 'postgresUs' | 'commits', number[]> = {
  nodeUs: [],
  postgresUs: [],
  commits: [],
};
for (let round = 0; round < rounds; round += 1) {
  const idle = await run(Number.MIN_VALUE, seconds);
  const busy = await run(perSecond, seconds);
  for (const figure of Object.keys(figures) as (keyof typeof figures & keyof Used)[])
    figures[figure].push(
      (busy[figure] - (idle[figure] / idle.seconds) * busy.seconds) / busy.raised,
    );
}
const each = {
  nodeUs: median(figures.nodeUs),
  postgresUs: median(figures.postgresUs),
  commits: median(figures.commits),
};
console.log(
  `${perSecond} tickets/s, each: ${(each.nodeUs / 1_000).toFixed(2)} ms here + ` +
    `${(each.postgresUs / 1_000).toFixed(2)} ms in Postgres, ${each.commits.toFixed(1)} commits`,
);
recordFigures(
  { name: 'commits of a ticket', value: each.commits, unit: '', better: 'less' },
  ...cpuFigures('a ticket', each),
);
await client.end();
await server.stop();
await cluster.stop();
