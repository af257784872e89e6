/**
 * The maximum amplification by webhooks: one organisation has 50 of them, ten for each of five
 * hosts, and sends the largest batches of observations without a pause, two at once. Another one
 * reads its list and gets deliveries, at one of these hosts and at a different one. Measures the
 * other organisation's delays, and the server's memory.
 *
 *     node bench/webhook-amplifier.ts [points of each batch] [seconds] [--small]
 */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { largeBuilding } from '../test/support/worst/building-requests.ts';
import { measuredServer } from '../test/support/worst/server.ts';
import { benchCluster } from './support/cluster.ts';
import { quantile } from './support/figures.ts';

const isSmall = process.argv.includes('--small');
const [points = isSmall ? 100 : 5_000, seconds = isSmall ? 5 : 30] = process.argv
  .slice(2)
  .filter((word) => !word.startsWith('--'))
  .map(Number);
const HOSTS = 5;
const WEBHOOKS_OF_HOST = 10;
const FLOOD = 'flood';
const CALM = 'calm';
const PAUSE_MS = 100;

const sink = fork(new URL('./support/webhook-sink.ts', import.meta.url), { stdio: 'inherit' });
const flood = { answered: 0 };
const sinkPort = await new Promise<number>((found) =>
  sink.on('message', (message: { port?: number; answered?: number }) => {
    if (message.port !== undefined) found(message.port);
    flood.answered = message.answered ?? flood.answered;
  }),
);

/** Delays from the time of the observation to the request, by path. */
const delays: Record<string, number[]> = { '/shared': [], '/own': [] };
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { timestamp } = JSON.parse(Buffer.concat(chunks).toString()) as { timestamp: string };
    delays[request.url!]?.push(Date.now() - Date.parse(timestamp));
    response.end();
  });
});
await new Promise<void>((listening) => receiver.listen(0, '0.0.0.0', listening));
const { port } = receiver.address() as AddressInfo;

const cluster = await benchCluster();
const databaseUrl = await cluster.database('amplifier');
const directory = mkdtempSync(join(tmpdir(), 'atrium-amplifier-'));
const server = await measuredServer({ DATABASE_URL: databaseUrl, ATRIUM_DATA: directory });
process.once('exit', () => server.kill());

const ask = async (organisation: string, method: string, path: string, sent?: object) => {
  const body = sent && (() => JSON.stringify(sent));
  const { status, text } = await server.call(organisation, { method, path, role: 'manager', body });
  if (status >= 300) throw new Error(`${path}: ${status} ${text.slice(0, 500)}`);
  return JSON.parse(text);
};
const subscribe = (organisation: string, url: string) =>
  ask(organisation, 'POST', '/api/v1/webhooks', { url, events: ['building.point.updated'] });

const PAGE = 1_000;
const building = async (organisation: string, count: number) => {
  const { buildingId } = await ask(
    organisation,
    'POST',
    '/api/v1/buildings/import',
    largeBuilding(count),
  );
  const path = `/api/v1/buildings/${buildingId}`;
  const pointIds: string[] = [];
  for (let offset = 0; offset < count; offset += PAGE) {
    const page = await ask(organisation, 'GET', `${path}/points?limit=${PAGE}&offset=${offset}`);
    pointIds.push(...page.items.map(({ id }: { id: string }) => id));
  }
  /** Sends one batch: each point once, with the current time. */
  return async () => {
    const timestamp = new Date().toISOString();
    const observations = pointIds.map((pointId, at) => ({ pointId, value: at + 0.5, timestamp }));
    await ask(organisation, 'POST', `${path}/observations`, { observations });
  };
};
for (let host = 1; host <= HOSTS; host += 1)
  for (let count = 0; count < WEBHOOKS_OF_HOST; count += 1)
    await subscribe(FLOOD, `http://127.0.1.${host}:${sinkPort}/${count}`);
await subscribe(CALM, `http://127.0.1.1:${port}/shared`);
await subscribe(CALM, `http://127.0.2.1:${port}/own`);

const flooded = await building(FLOOD, points);
const calm = await building(CALM, 1);

const until = performance.now() + seconds * 1_000;
const isOver = () => performance.now() >= until;
const ingested = { points: 0 };
const flooding = async () => {
  while (!isOver()) {
    await flooded();
    ingested.points += points;
  }
};
const lists: number[] = [];
const reading = async () => {
  while (!isOver()) {
    const began = performance.now();
    await ask(CALM, 'GET', '/api/service-desk/requests');
    lists.push(performance.now() - began);
    await sleep(PAUSE_MS);
  }
};
const announced = { count: 0 };
const telling = async () => {
  while (!isOver()) {
    await calm();
    announced.count += 1;
    await sleep(PAUSE_MS);
  }
};

await server.begin();
await Promise.all([flooding(), flooding(), reading(), telling()]);
const { heldMs, delayMs, rssMib } = await server.report();
const inTime = flood.answered;
const missing = () => Object.values(delays).some(({ length }) => length < announced.count);
for (const end = performance.now() + 60_000; missing() && performance.now() < end;)
  await sleep(PAUSE_MS);

const spread = (values: readonly number[]) =>
  `p50 ${quantile(values, 0.5).toFixed(0)}, p99 ${quantile(values, 0.99).toFixed(0)} ms`;
console.log(
  `${ingested.points} points to ${HOSTS * WEBHOOKS_OF_HOST} webhooks in ${seconds} s: ` +
    `${inTime} deliveries, ${(inTime / seconds / HOSTS).toFixed(0)} a second to each host`,
);
console.log(`a list of another organisation: ${spread(lists)} of ${lists.length}`);
for (const [path, values] of Object.entries(delays))
  console.log(`its deliveries, ${path}: ${spread(values)}; ${values.length} of ${announced.count}`);
console.log(
  `event loop held ${heldMs.toFixed(1)} ms at most, late by ${delayMs.toFixed(1)} ms; ` +
    `memory at most ${rssMib.toFixed(0)} MiB`,
);

await server.stop();
sink.kill();
receiver.close();
await cluster.stop();
rmSync(directory, { recursive: true, force: true });
