/**
 * The cost of tracing: of a span alone, from its beginning until it is sent; and of the shipped
 * server with all roles on the embedded log: without a collector, with a collector but no sampled
 * request, and with every span sampled, in the same run, in turns.
 *
 *     node bench/tracing.ts [rounds] [reads] [creates]
 *
 * A read is `GET /api/v1/me`: one span. A create is a ticket: its request, command, append, the
 * work of read models and processes, and the message on the bus. The figures are medians of the
 * rounds; CPU is that of the server and of Postgres, background work included, and not of the
 * client or the collector.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { openTelemetry } from '../src/engine/observe/open-telemetry.ts';
import { spawnServer, type ServerProcess } from '../test/support/servers/server.ts';
import { benchCluster } from './support/cluster.ts';
import { processUs, treeUs } from './support/cpu.ts';
import { median } from './support/figures.ts';

const CONNECTIONS = 16;
/** Time for the background work of a load, and for sending the spans. */
const SETTLE_MS = 2_000;
/** Large enough that no span is dropped. */
const QUEUE_SPANS = 100_000;
const SPANS_ALONE = 50_000;

interface Collected {
  readonly spans: number;
  readonly bytes: number;
}

/** In a separate process, so that its CPU is not counted. */
const collect = async () => {
  const collected = { spans: 0, bytes: 0 };
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
    collected.bytes += body.length;
    collected.spans += body.split('"spanId":').length - 1;
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  const server = createServer((...exchange) => void take(...exchange)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.on('message', () => process.send!(collected));
  process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
};

/** CPU of one span with the attributes of a request, in microseconds. */
const spanAlone = async (endpoint: string): Promise<number> => {
  const tracing = openTelemetry({
    endpoint: `${endpoint}/v1/traces`,
    sampling: { sampler: 'always_on', ratio: 1 },
    serviceName: 'bench',
    version: '0',
    instance: 'bench',
    queueSpansMax: QUEUE_SPANS,
    sendEveryMs: 100,
  });
  const attributes = {
    'http.request.method': 'GET',
    'http.route': '/api/v1/me',
    'url.path': '/api/v1/me',
    'url.scheme': 'http',
    'client.address': '127.0.0.1',
    'atrium.request.id': '01a2b3c4-0000-7000-8000-000000000000',
  };
  const work = async (count: number) => {
    for (let at = 0; at < count; at += 1) {
      const span = tracing.begin(
        () => ({ name: 'GET /api/v1/me', kind: 'server', attributes }),
        undefined,
      )!;
      await span.run(async () => {});
      span.set({ 'http.response.status_code': 200 });
      span.end();
      if (at % 100 === 0) await nextTurn();
    }
  };
  await work(SPANS_ALONE / 5);
  const before = process.cpuUsage();
  await work(SPANS_ALONE);
  await sleep(SETTLE_MS);
  const { user, system } = process.cpuUsage(before);
  await tracing.close();
  return (user + system) / SPANS_ALONE;
};

interface Load {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly amount: number;
  readonly body?: object;
}

const run = async () => {
  const given = (at: number, fallback: number) => Number(process.argv[at] ?? fallback);
  const [rounds, reads, creates] = [given(2, 2), given(3, 4_000), given(4, 400)];
  const collector = fork(import.meta.filename, ['--collector']);
  const [endpoint] = (await once(collector, 'message')) as [string];
  const collected = async () => {
    collector.send('?');
    return ((await once(collector, 'message')) as [Collected])[0];
  };
  console.log(`a span alone: ${(await spanAlone(endpoint)).toFixed(1)} µs of CPU`);

  const cluster = await benchCluster();
  const directory = mkdtempSync(join(tmpdir(), 'atrium-tracing-'));
  const on = {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_BSP_SCHEDULE_DELAY: '500',
    OTEL_BSP_MAX_QUEUE_SIZE: String(QUEUE_SPANS),
  };
  const contenders = {
    off: {},
    'on, nothing sampled': { ...on, OTEL_TRACES_SAMPLER: 'always_off' },
    'on, everything sampled': on,
  };
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

  const agent = 'agent@acme.test';
  const measured = async (server: ServerProcess, { method, path, amount, body }: Load) => {
    const authorization = `Bearer ${await server.tokenOf(agent)}`;
    const pid = server.process.pid!;
    const spans = (await collected()).spans;
    const [node, postgres] = [processUs(pid), treeUs(cluster.postmaster) ?? 0];
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
      nodeUs: (processUs(pid) - node) / amount,
      postgresUs: ((treeUs(cluster.postmaster) ?? 0) - postgres) / amount,
      spans: ((await collected()).spans - spans) / amount,
    };
  };

  const figures = new Map<string, Awaited<ReturnType<typeof measured>>[]>();
  // The first round warms up code and caches, and is not counted.
  for (let round = 0; round <= rounds; round += 1)
    for (const [name, server] of servers) {
      const { body } = await server.call(agent, 'GET', '/api/v1/buildings');
      const ticket = { buildingId: body.items[0].id, description: 'It drips.' };
      const desk = '/api/service-desk/requests';
      const loads: Record<string, Load> = {
        read: { method: 'GET', path: '/api/v1/me', amount: reads },
        create: { method: 'POST', path: desk, amount: creates, body: ticket },
      };
      for (const [kind, load] of Object.entries(loads)) {
        const figure = await measured(server, load);
        const key = `${kind}: ${name}`;
        if (round > 0) figures.set(key, [...(figures.get(key) ?? []), figure]);
      }
    }

  console.table(
    [...figures]
      .toSorted(([a], [b]) => a.charCodeAt(0) - b.charCodeAt(0))
      .map(([what, of]) => ({
        what,
        'CPU µs, server': median(of.map(({ nodeUs }) => nodeUs)).toFixed(0),
        'CPU µs, Postgres': median(of.map(({ postgresUs }) => postgresUs)).toFixed(0),
        'spans a request': median(of.map(({ spans }) => spans)).toFixed(2),
      })),
  );
  const { spans, bytes } = await collected();
  console.log(`${spans} spans, ${Math.round(bytes / spans)} bytes each`);

  for (const server of servers.values()) await server.signal('SIGKILL');
  collector.kill();
  await cluster.stop();
  rmSync(directory, { recursive: true, force: true });
};

if (process.argv[2] === '--collector') await collect();
else await run();
