/**
 * The interruption of a read model when the process that feeds it dies or hangs: two servers with
 * production settings on one database. The owner of the ticket list gets the signal, and tickets
 * are raised at the other server until its list shows one.
 *
 *     node bench/take-over.ts [rounds]
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawnServer, type ServerProcess } from '../test/support/servers/server.ts';
import { temporaryDirectory } from '../test/support/directory.ts';
import { benchCluster } from './support/cluster.ts';

const rounds = Number(process.argv[2] ?? 3);
const AGENT = 'agent@acme.test';
const LIST = '/api/service-desk/requests';

const cluster = await benchCluster();
const environment = {
  DATABASE_URL: await cluster.database('platform'),
  ATRIUM_DATA: temporaryDirectory('take-over'),
};
const start = async () => {
  const server = await spawnServer(environment);
  await server.ready();
  return server;
};

const owns = async (server: ServerProcess) => {
  const path = '/api/v1/operations/projections';
  const { body } = await server.call('operator@atrium.test', 'GET', path);
  const models: { name: string; owner: string }[] = body.items;
  return models.some(({ name, owner }) => name === 'ticket-list' && owner === 'this');
};

/** Milliseconds until the list of `server` shows a ticket raised there after the call. */
const shownAfter = async (server: ServerProcess, buildingId: string) => {
  const from = performance.now();
  const subject = randomUUID();
  const body = { subject, description: subject, buildingId };
  const raised = await server.call(AGENT, 'POST', LIST, { body });
  if (raised.status !== 201) throw new Error(JSON.stringify(raised.body));
  for (;;) {
    const { body } = await server.call(AGENT, 'GET', `${LIST}?limit=1`);
    if (body.items[0]?.id === raised.body.id) return performance.now() - from;
    await sleep(20);
  }
};

const measured: Record<string, number[]> = { SIGKILL: [], SIGSTOP: [] };
let [one, two] = [await start(), await start()];
const { body: buildings } = await one.call(AGENT, 'GET', '/api/v1/buildings');
const buildingId: string = buildings.items[0].id;
for (let round = 0; round < rounds; round += 1) {
  for (const signal of ['SIGKILL', 'SIGSTOP'] as const) {
    if (await owns(two)) [one, two] = [two, one];
    await shownAfter(two, buildingId);
    await one.signal(signal);
    const ms = await shownAfter(two, buildingId);
    measured[signal]!.push(ms);
    console.log(`${signal}: shown after ${(ms / 1_000).toFixed(1)} s`);
    if (signal === 'SIGSTOP') await one.signal('SIGKILL');
    one = await start();
  }
}
for (const [signal, times] of Object.entries(measured)) {
  const [least, most] = [Math.min(...times), Math.max(...times)].map((ms) => ms / 1_000);
  console.log(`${signal}: ${least!.toFixed(1)} to ${most!.toFixed(1)} s in ${times.length} rounds`);
}
await one.signal('SIGTERM');
await two.signal('SIGTERM');
await cluster.stop();
