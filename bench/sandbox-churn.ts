/**
 * One organisation creates large sandboxes and deletes them while they are built, while another one
 * reads its list: latency of the reads, blocking of the server's event loop, and leftovers at the
 * end.
 *
 *     node bench/sandbox-churn.ts [rounds] [--small]
 *
 * The server is that of `npm start`. A round is a sandbox of 50 storeys and 30 days
 * (`--small`: 5 and 2) that is deleted in its phase `telemetry`. Default 10 rounds.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { measuredServer } from '../test/support/worst/server.ts';
import { benchCluster } from './support/cluster.ts';
import { quantile } from './support/figures.ts';
import { residentMib } from './support/memory.ts';

const words = process.argv.slice(2);
const isSmall = words.includes('--small');
const rounds = Number(words.find((word) => !word.startsWith('--')) ?? 10);
const shape = isSmall
  ? { storeys: 5, areaSqm: 5_000, seedTelemetryDays: 2 }
  : { storeys: 50, areaSqm: 50_000, seedTelemetryDays: 30 };
const LOOK_MS = 50;
const READ_EVERY_MS = 100;

const cluster = await benchCluster();
const directory = mkdtempSync(join(tmpdir(), 'atrium-churn-'));
const url = await cluster.database('churn');
const server = await measuredServer({ DATABASE_URL: url, ATRIUM_DATA: directory });
process.once('exit', () => server.kill());

const threads = (): number => readdirSync(`/proc/${server.pid}/task`).length;
const watching = new Client({ connectionString: url });
await watching.connect();
const databases = async (): Promise<number> => {
  const { rows } = await watching.query<{ n: number }>(
    `select count(*)::int as n from pg_database where datname like '%\\_sbx\\_%'`,
  );
  return rows[0]!.n;
};

const asDeveloper = async (method: string, path: string, body?: object) => {
  const given = body && { body: () => JSON.stringify(body) };
  const answer = await server.call('acme', { method, path, role: 'developer', ...given });
  return { status: answer.status, body: answer.text === '' ? null : JSON.parse(answer.text) };
};

const waits: number[] = [];
const over = new AbortController();
const reading = (async () => {
  while (!over.signal.aborted) {
    const began = performance.now();
    const list = { method: 'GET', path: '/api/service-desk/requests', role: 'agent' };
    await server.call('globex', list);
    waits.push(performance.now() - began);
    await sleep(READ_EVERY_MS);
  }
})();

const threadsBefore = threads();
await server.begin();
const began = performance.now();
const gone: number[] = [];
let refused = 0;
for (let round = 0; round < rounds;) {
  const sandbox = { name: `Churn ${round}`, liveTelemetry: false, ...shape };
  const { status, body } = await asDeveloper('POST', '/api/v1/sandboxes', sandbox);
  if (status !== 202) {
    refused += 1;
    await sleep(LOOK_MS);
    continue;
  }
  round += 1;
  const path = `/api/v1/sandboxes/${body.sandboxId}`;
  for (;;) {
    const { progress, status: state } = (await asDeveloper('GET', path)).body;
    if (progress.phase === 'telemetry' || state !== 'provisioning') break;
    await sleep(LOOK_MS);
  }
  const deletedAt = performance.now();
  await asDeveloper('DELETE', path);
  while ((await databases()) > 0) await sleep(LOOK_MS);
  gone.push(performance.now() - deletedAt);
}
const { heldMs, rssMib } = await server.report();
over.abort();
await reading;
const ms = (value: number) => `${value.toFixed(0)} ms`;
console.log(
  `${rounds} sandboxes deleted in phase telemetry in ` +
    `${((performance.now() - began) / 1_000).toFixed(1)} s; ${refused} creates refused meanwhile`,
);
console.log(
  `another organisation's list: ${waits.length} reads, p50 ${ms(quantile(waits, 0.5))}, ` +
    `p99 ${ms(quantile(waits, 0.99))}; event loop held ${ms(heldMs)} at most`,
);
console.log(
  `database gone after the delete: p50 ${ms(quantile(gone, 0.5))}, worst ${ms(Math.max(...gone))}`,
);
console.log(
  `left: ${threads() - threadsBefore} threads more, ${await databases()} databases; ` +
    `${residentMib(server.pid).toFixed(0)} MiB resident, ${rssMib.toFixed(0)} at most`,
);

await watching.end();
await server.stop();
await cluster.stop();
rmSync(directory, { recursive: true, force: true });
