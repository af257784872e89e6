/**
 * Webhook deliveries with a durable outcome: a platform with all roles, events appended to its log,
 * receivers in a separate process; against a tuned graphile-worker with the same signed POST and
 * the same row for the outcome, in the same run. Then a steady load to healthy receivers, alone and
 * beside a hundred receivers that never answer.
 *
 *     node bench/webhooks.ts [deliveries] [seconds of each steady load] [deliveries a second]
 *         [--alone]
 *
 * The platform's figures include everything after the event in the log: queueing, the backlog, the
 * attempt, its event, and the lists that show it. fsync is on for both.
 */
import { fork } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import { Pool as DatabasePool } from 'pg';
import { Pool } from 'undici';
import { systemAuthority } from '../src/domain/authority.ts';
import { secretsOf } from '../src/engine/secrets/secrets.ts';
import { bodySignature, signingKeys, standardSignature } from '../src/outbound/signatures.ts';
import { untrustedHttp } from '../src/outbound/untrusted-http.ts';
import type { EventStore } from '../src/engine/log/event-store.ts';
import {
  subscriptionRepository,
  subscriptionStream,
} from '../src/use-cases/webhooks/subscriptions.ts';
import { tellPoints } from '../test/support/webhooks/telemetry.ts';
import { benchCluster } from './support/cluster.ts';
import { cpuSince, cpuTime } from './support/cpu.ts';
import { cpuFigures, quantile, recordFigures } from './support/figures.ts';
import { benchLog } from './support/log.ts';
import { benchPlatform } from './support/platform.ts';

const deliveries = Number(process.argv[2] ?? 20_000);
const seconds = Number(process.argv[3] ?? 8);
const perSecond = Number(process.argv[4] ?? 200);
const SUBSCRIPTIONS = 10;
const ORGANISATIONS = 10;
const POINTS = 50;
const secrets = secretsOf([Buffer.alloc(32, 7)]);

const sink = fork(new URL('./support/webhook-sink.ts', import.meta.url), { stdio: 'inherit' });
const sinks = { answered: 0 };
const port = await new Promise<number>((found) =>
  sink.on('message', (message: { port?: number; answered?: number }) => {
    if (message.port !== undefined) found(message.port);
    sinks.answered = message.answered ?? sinks.answered;
  }),
);
const at = (path: string) => `http://127.0.0.1:${port}${path}`;

const cluster = await benchCluster();

const subscribe = async (log: EventStore, url: string, organisation: string) => {
  const webhookId = randomUUID();
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const command = {
    type: 'RegisterSubscription',
    authority: systemAuthority,
    webhookId,
    organisation,
    url,
    events: ['building.point.updated'],
    buildingId: null,
    description: null,
    sealedSecret: secrets.seal(secret, subscriptionStream(webhookId)),
  } as const;
  const occasion = {
    at: new Date().toISOString(),
    by: { kind: 'system', id: 'bench' },
    origin: 'system',
  } as const;
  await subscriptionRepository(log).give(webhookId, { commandId: randomUUID(), command }, occasion);
  return webhookId;
};

const ours = async () => {
  const url = await cluster.database('webhooks');
  const { log } = await benchLog('postgres', url);
  const reach = untrustedHttp({ allowPrivate: true });
  const platform = await benchPlatform(url, log, { untrustedHttp: reach });
  const db = new DatabasePool({ connectionString: url });
  /** Number of deliveries with a durable outcome, counted in the log, once all have arrived. */
  const recorded = async () => {
    const { rows } = await db.query<{ n: string }>(
      `select coalesce(sum(case type when 'DeliveryAttempted' then 1
                else json_array_length(data -> 'deliveries') end), 0) as n
       from es.event where type in ('DeliveryAttempted', 'DeliveriesSucceeded')`,
    );
    return Number(rows[0]!.n);
  };
  // Many hosts and organisations, because each is limited, and the process is to be measured.
  for (let count = 0; count < ORGANISATIONS * SUBSCRIPTIONS; count += 1) {
    const url = `http://127.0.${2 + (count >> 8)}.${count % 256}:${port}/`;
    await subscribe(log, url, `fast-${count % ORGANISATIONS}`);
  }
  const tellFast = (count: number) =>
    tellPoints(log, { organisation: `fast-${count % ORGANISATIONS}`, points: POINTS });
  const drain = async (wanted: number) => {
    while (sinks.answered < wanted) await sleep(5);
    while ((await recorded()) < wanted) await sleep(20);
  };
  // Warms up connections, code and receivers' queues.
  for (let count = 0; count < 20; count += 1) await tellFast(count);
  const warm = 20 * POINTS * SUBSCRIPTIONS;
  await drain(warm);

  const before = cpuTime(cluster.postmaster);
  const began = performance.now();
  const facts = Math.ceil(deliveries / POINTS / SUBSCRIPTIONS);
  for (let fact = 0; fact < facts; fact += 1) await tellFast(fact);
  const made = facts * POINTS * SUBSCRIPTIONS;
  await drain(warm + made);
  const took = (performance.now() - began) / 1_000;
  const cpu = cpuSince(before, cpuTime(cluster.postmaster));
  const rate = print('Atrium', made, took, cpu);

  const steady = async (label: string, organisation: string) => {
    const webhookId = await subscribe(log, at(`/steady/${organisation}`), organisation);
    const lags: number[] = [];
    const due = performance.now();
    for (let sent = 0; sent < seconds * perSecond; sent += 1) {
      const wait = due + (sent * 1_000) / perSecond - performance.now();
      if (wait > 0) await sleep(wait);
      void tellPoints(log, { organisation });
    }
    await sleep(1_000);
    const { rows } = await db.query<{ lag: string }>(
      `select extract(epoch from (one ->> 'startedAt')::timestamptz
                - ((one ->> 'body')::json ->> 'timestamp')::timestamptz) * 1000 as lag
       from es.event, json_array_elements(data -> 'deliveries') as one
       where type = 'DeliveriesSucceeded' and data ->> 'webhookId' = $1`,
      [webhookId],
    );
    lags.push(...rows.map(({ lag }) => Number(lag)));
    const share = lags.length / (seconds * perSecond);
    console.log(
      `${label}: ${(share * 100).toFixed(1)} % of ${seconds * perSecond} delivered at once, and` +
        ` recorded a second after the last was told; told to sent` +
        ` p50 ${quantile(lags, 0.5).toFixed(0)}, p99 ${quantile(lags, 0.99).toFixed(0)} ms`,
    );
  };
  await steady('healthy alone', 'alone');
  for (let count = 0; count < 100; count += 1)
    await subscribe(log, `http://127.0.1.${count + 1}:${port}/hang`, 'hang');
  const hanging = setInterval(() => void tellPoints(log, { organisation: 'hang' }), 1_000);
  await tellPoints(log, { organisation: 'hang', points: 10 });
  await sleep(2_000);
  await steady('beside 100 that hang', 'beside');
  clearInterval(hanging);

  await platform.stop();
  await reach.close();
  await db.end();
  await log.close();
  return rate;
};

/** The same work with a job queue: sign, post, and insert a row for the outcome. */
const theirs = async () => {
  const url = await cluster.database('graphile');
  const pgPool = new DatabasePool({ connectionString: url, max: 20 });
  // The cluster is stopped while the pool is open.
  pgPool.on('error', () => {});
  pgPool.on('connect', (client) => client.on('error', () => {}));
  await pgPool.query(`create table attempt (id uuid primary key, delivery_id uuid not null,
    status int not null, body text, took_ms int not null, at timestamptz not null default now())`);
  const secret = signingKeys(`whsec_${randomBytes(32).toString('base64')}`);
  const post = new Pool(`http://127.0.0.1:${port}`, { connections: 64 });
  const done = { count: 0 };
  const deliver = async (payload: unknown) => {
    const { deliveryId, body: text } = payload as { deliveryId: string; body: string };
    const body = Buffer.from(text);
    const began = performance.now();
    const seconds = Math.floor(Date.now() / 1_000);
    const answer = await post.request({
      method: 'POST',
      path: '/peer',
      headers: {
        'content-type': 'application/json',
        'X-SVC-Signature': bodySignature(secret, body),
        'webhook-signature': standardSignature(secret, { id: deliveryId, seconds, body }),
      },
      body,
    });
    const answered = await answer.body.text();
    await pgPool.query('insert into attempt values ($1, $2, $3, $4, $5)', [
      randomUUID(),
      deliveryId,
      answer.statusCode,
      answered,
      Math.round(performance.now() - began),
    ]);
    done.count += 1;
  };
  const quiet = new Logger(() => () => {});
  const utils = await makeWorkerUtils({ pgPool, logger: quiet });
  await utils.migrate();
  const runner = await run({
    pgPool,
    logger: quiet,
    concurrency: 64,
    noHandleSignals: true,
    taskList: { deliver },
    preset: {
      worker: {
        concurrentJobs: 64,
        localQueue: { size: 500 },
        completeJobBatchDelay: 5,
        failJobBatchDelay: 5,
      },
    },
  });
  const body = JSON.stringify({ event: 'building.point.updated', data: { a: 'b'.repeat(200) } });
  const add = async (count: number) => {
    for (let from = 0; from < count; from += 500)
      await utils.addJobs(
        Array.from({ length: Math.min(500, count - from) }, () => ({
          identifier: 'deliver',
          payload: { deliveryId: randomUUID(), body },
        })),
      );
  };
  const drain = async (wanted: number) => {
    while (done.count < wanted) await sleep(20);
  };
  await add(2_000);
  await drain(2_000);
  const before = cpuTime(cluster.postmaster);
  const began = performance.now();
  await add(deliveries);
  await drain(2_000 + deliveries);
  const took = (performance.now() - began) / 1_000;
  const cpu = cpuSince(before, cpuTime(cluster.postmaster));
  const rate = print('graphile-worker', deliveries, took, cpu);
  await runner.stop();
  await utils.release();
  await post.close();
  await pgPool.end();
  return rate;
};

const print = (who: string, count: number, took: number, cpu: ReturnType<typeof cpuSince>) => {
  const perSecond = count / took;
  console.log(
    `${who}: ${perSecond.toFixed(0)} deliveries/s; CPU per delivery ` +
      `${(cpu.nodeUs / count).toFixed(0)} µs here, ` +
      `${((cpu.postgresUs ?? NaN) / count).toFixed(0)} in Postgres`,
  );
  const each = { nodeUs: cpu.nodeUs / count, postgresUs: (cpu.postgresUs ?? Number.NaN) / count };
  recordFigures(
    { name: `${who}: a second`, value: perSecond, unit: '/s', better: 'more' },
    ...cpuFigures(who, each),
  );
  return perSecond;
};

try {
  const own = await ours();
  if (!process.argv.includes('--alone')) {
    const value = own / (await theirs());
    recordFigures({ name: 'against graphile-worker', value, unit: '×', better: 'more', bar: 2.5 });
  }
} finally {
  sink.kill();
  await cluster.stop();
}
