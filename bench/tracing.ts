/**
 * What tracing costs: the shipped server with all its roles on the embedded log, without a
 * collector, with one that is sent nothing because no request is sampled, and with one that is
 * sent every span; in the same run, in turns.
 *
 *     node bench/tracing.ts [rounds] [reads] [creates]
 *
 * A read is `GET /api/v1/me`: one span. A create is a ticket: its request, command, append, what
 * the read models and processes make of it, and the message on the bus. The figures are medians of
 * the rounds; CPU is that of the server and of Postgres, what follows in the background included,
 * and not of the client or the collector.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { spawnServer, type ServerProcess } from '../test/support/servers/server.ts';
import { benchCluster } from './support/cluster.ts';
import { processUs, treeUs } from './support/cpu.ts';
import { median } from './support/figures.ts';

const rounds = Number(process.argv[2] ?? 2);
const reads = Number(process.argv[3] ?? 4_000);
const creates = Number(process.argv[4] ?? 400);
const CONNECTIONS = 16;
/** What a load leaves behind is done by then, and the spans are sent. */
const SETTLE_MS = 2_000;

const collected = { spans: 0, bytes: 0 };
const take = async (request: IncomingMessage, response: ServerResponse) => {
  const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
  collected.bytes += body.length;
  collected.spans += body.split('"spanId":').length - 1;
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
};
const collector = createServer((...exchange) => void take(...exchange)).listen(0, '127.0.0.1');
await once(collector, 'listening');
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;

const on = {
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_BSP_SCHEDULE_DELAY: '500',
  // So large that none is lost.
  OTEL_BSP_MAX_QUEUE_SIZE: '100000',
};
const contenders: Readonly<Record<string, Record<string, string>>> = {
  off: {},
  'on, nothing sampled': { ...on, OTEL_TRACES_SAMPLER: 'always_off' },
  'on, everything sampled': on,
};

const cluster = await benchCluster();
const directory = mkdtempSync(join(tmpdir(), 'atrium-tracing-'));

interface Figures {
  readonly nodeUs: number;
  readonly postgresUs: number;
  readonly spans: number;
}

const load = async (
  server: ServerProcess,
  amount: number,
  request: { method: 'GET' | 'POST'; path: string; email: string; body?: object },
): Promise<Figures> => {
  const { method, path, email, body } = request;
  const authorization = `Bearer ${await server.tokenOf(email)}`;
  const [nodeBefore, postgresBefore] = [
    processUs(server.process.pid!),
    treeUs(cluster.postmaster) ?? 0,
  ];
  const spansBefore = collected.spans;
  const result = await autocannon({
    url: `${server.url}${path}`,
    connections: CONNECTIONS,
    amount,
    method,
    headers: { authorization, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${path}: not all were served`);
  await sleep(SETTLE_MS);
  return {
    nodeUs: (processUs(server.process.pid!) - nodeBefore) / amount,
    postgresUs: ((treeUs(cluster.postmaster) ?? 0) - postgresBefore) / amount,
    spans: (collected.spans - spansBefore) / amount,
  };
};

const agent = 'agent@acme.test';
const figures = new Map<string, Figures[]>();
const servers = new Map<string, ServerProcess>();
for (const [name, env] of Object.entries(contenders)) {
  const database = `tracing_${servers.size}`;
  const server = await spawnServer({
    DATABASE_URL: await cluster.database(database),
    ATRIUM_DATA: join(directory, database),
    ...env,
  });
  await server.ready();
  servers.set(name, server);
}

const measure = async (name: string) => {
  const server = servers.get(name)!;
  const { body } = await server.call(agent, 'GET', '/api/v1/buildings');
  const ticket = { buildingId: body.items[0].id, description: 'It drips.' };
  const read = { method: 'GET', path: '/api/v1/me', email: agent } as const;
  const create = { method: 'POST', path: '/api/service-desk/requests', email: agent } as const;
  return {
    read: await load(server, reads, read),
    create: await load(server, creates, { ...create, body: ticket }),
  };
};

// The first round warms up code and caches, and counts for nothing.
for (let round = 0; round <= rounds; round += 1)
  for (const name of servers.keys()) {
    const done = await measure(name);
    if (round === 0) continue;
    for (const [kind, figure] of Object.entries(done)) {
      const key = `${kind}: ${name}`;
      figures.set(key, [...(figures.get(key) ?? []), figure]);
    }
  }

console.table(
  [...figures]
    .toSorted(([a], [b]) => (a.split(':')[0]! < b.split(':')[0]! ? -1 : 1))
    .map(([what, of]) => ({
      what,
      'CPU µs, server': median(of.map(({ nodeUs }) => nodeUs)).toFixed(0),
      'CPU µs, Postgres': median(of.map(({ postgresUs }) => postgresUs)).toFixed(0),
      'spans a request': median(of.map(({ spans }) => spans)).toFixed(2),
    })),
);
console.log(
  `${collected.spans} spans, ${Math.round(collected.bytes / collected.spans)} bytes each`,
);

for (const server of servers.values()) await server.signal('SIGKILL');
collector.closeAllConnections();
collector.close();
await cluster.stop();
rmSync(directory, { recursive: true, force: true });
