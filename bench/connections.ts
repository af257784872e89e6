/**
 * The Postgres connections and the memory of one server with all roles: while idle, while callers
 * raise and read tickets, and afterwards. Connections are grouped by application name.
 *
 *     node bench/connections.ts [seconds of each] [callers]
 *
 * The server is a separate process on the embedded Postgres; connections are counted five times a
 * second.
 */
import { mkdtempSync, rmSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { servers } from '../test/support/servers/servers.ts';
import { ticketLoad } from '../test/support/servers/ticket-load.ts';
import { quantile } from './support/figures.ts';
import { residentMib } from './support/memory.ts';

const seconds = Number(process.argv[2] ?? 20);
const callers = Number(process.argv[3] ?? 32);
const LOOK_MS = 200;

const directory = mkdtempSync(join(tmpdir(), 'atrium-connections-'));
chmodSync(directory, 0o711);
const running = servers();
const server = await running.start({ ATRIUM_DATA: directory });
const watching = new Client({
  connectionString: `postgres://atrium@localhost/atrium?host=${directory}/postgres/run`,
});
await watching.connect();

/** By name, the number of connections per sample: median and maximum. */
const watched = async (what: string, forSeconds: number) => {
  const looks: ReadonlyMap<string, number>[] = [];
  for (let left = (forSeconds * 1_000) / LOOK_MS; left > 0; left -= 1) {
    const { rows } = await watching.query<{ name: string; n: string }>(
      `select application_name as name, count(*) as n from pg_stat_activity
       where backend_type = 'client backend' and pid <> pg_backend_pid() group by 1`,
    );
    looks.push(new Map(rows.map(({ name, n }) => [name, Number(n)])));
    await sleep(LOOK_MS);
  }
  const names = [...new Set(looks.flatMap((look) => [...look.keys()]))].toSorted();
  const shown = (counts: readonly number[]) =>
    `${quantile(counts, 0.5)}, at most ${Math.max(...counts)}`;
  const all = looks.map((look) => [...look.values()].reduce((sum, n) => sum + n, 0));
  const memory = residentMib(server.process.pid!).toFixed(0);
  console.log(`${what}: ${shown(all)} connections; ${memory} MiB`);
  for (const name of names)
    console.log(`  ${name.padEnd(24)} ${shown(looks.map((look) => look.get(name) ?? 0))}`);
};

try {
  await watched('just started', 5);
  // Connections that are idle for this long are closed.
  await sleep(30_000);
  await watched('idle', seconds);
  const load = await ticketLoad({ servers: () => [server], lanes: callers, readers: callers });
  await watched(`${callers} writers and ${callers} readers`, seconds);
  await load.stop();
  await sleep(30_000);
  await watched('afterwards', seconds);
} finally {
  await watching.end();
  await running.release();
  rmSync(directory, { recursive: true, force: true });
}
