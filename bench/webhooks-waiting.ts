/**
 * A backlog of a million deliveries, and ten thousand subscriptions: the time until a platform
 * delivers, its memory, and the time of one event to its subscribers.
 *
 *     node bench/webhooks-waiting.ts [deliveries] [subscriptions]
 *
 * The backlog's rows are inserted into its table: rebuilding them has its own benchmark.
 */
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { secretsOf } from '../src/engine/secrets/secrets.ts';
import { untrustedHttp } from '../src/outbound/untrusted-http.ts';
import { subscriptionCodec } from '../src/domain/webhooks/codecs.ts';
import { subscriptionStream } from '../src/use-cases/webhooks/subscriptions.ts';
import { tellPoints } from '../test/support/webhooks/telemetry.ts';
import { benchCluster } from './support/cluster.ts';
import { benchLog } from './support/log.ts';
import { benchPlatform } from './support/platform.ts';

const deliveries = Number(process.argv[2] ?? 1_000_000);
const subscriptions = Number(process.argv[3] ?? 10_000);
const ORGANISATIONS = 500;
const secrets = secretsOf([Buffer.alloc(32, 7)]);

const sink = fork(new URL('./support/webhook-sink.ts', import.meta.url), { stdio: 'inherit' });
const sinks = { answered: 0 };
const port = await new Promise<number>((found) =>
  sink.on('message', (message: { port?: number; answered?: number }) => {
    if (message.port !== undefined) found(message.port);
    sinks.answered = message.answered ?? sinks.answered;
  }),
);
const cluster = await benchCluster();
const megabytes = () => (process.memoryUsage().rss / 1024 ** 2).toFixed(0);

try {
  const url = await cluster.database('waiting');
  const { log } = await benchLog('postgres', url);
  const reach = untrustedHttp({ allowPrivate: true });
  const first = await benchPlatform(url, log, { untrustedHttp: reach });
  const ids = Array.from({ length: subscriptions }, () => randomUUID());
  const at = new Date().toISOString();
  const register = async (webhookId: string, index: number) => {
    const stream = subscriptionStream(webhookId);
    const organisation = `organisation-${index % ORGANISATIONS}`;
    const by = { kind: 'system', id: 'bench' } as const;
    const meta = { commandId: randomUUID(), at, by, origin: 'system', organisation } as const;
    const event = subscriptionCodec.encode(
      randomUUID(),
      {
        type: 'SubscriptionRegistered',
        webhookId,
        organisation,
        url: `http://127.0.${1 + (index >> 8)}.${index % 256}:${port}/`,
        events: ['building.point.updated'],
        buildingId: null,
        description: null,
        sealedSecret: secrets.seal(`whsec_${'a'.repeat(43)}=`, stream),
      },
      meta,
    );
    await log.append(stream, 'no_stream', [event]);
  };
  for (let from = 0; from < ids.length; from += 500)
    await Promise.all(ids.slice(from, from + 500).map((id, index) => register(id, from + index)));
  while ((await first.readModels.lag('webhook-subscriptions')).events !== 0) await sleep(50);
  const before = sinks.answered;
  const began = performance.now();
  await tellPoints(log, { organisation: 'organisation-7', points: 100 });
  const expected = (subscriptions / ORGANISATIONS) * 100;
  while (sinks.answered - before < expected) await sleep(2);
  console.log(
    `${subscriptions} subscriptions of ${ORGANISATIONS} organisations: an ingest of 100 points` +
      ` reached its ${expected / 100} subscribers in ` +
      `${(performance.now() - began).toFixed(0)} ms;` +
      ` ${megabytes()} MB`,
  );
  await first.stop();

  const db = new Pool({ connectionString: url });
  await db.query(
    `insert into webhook_backlog_v2.delivery
     select gen_random_uuid(), ($1::uuid[])[1 + n % $2], 'event', gen_random_uuid(),
       'building.point.updated', $3::text, '{"event":"building.point.updated"}', 6, 1,
       $3::timestamptz, 'delivery-bench.20260101', n
     from generate_series(1, $4) as n`,
    [ids, ids.length, at, deliveries],
  );
  await db.query(
    `insert into webhook_backlog_v2.waiting as w values (1, $1)
     on conflict (attempt) do update set n = w.n + excluded.n`,
    [deliveries],
  );
  await db.query('analyze webhook_backlog_v2.delivery');
  const startedFrom = sinks.answered;
  const starting = performance.now();
  const second = await benchPlatform(url, log, { untrustedHttp: reach });
  while (sinks.answered === startedFrom) await sleep(2);
  const firstMs = performance.now() - starting;
  const atFirst = sinks.answered;
  await sleep(10_000);
  console.log(
    `${deliveries} deliveries waiting: the first arrive` +
      ` ${(firstMs / 1_000).toFixed(1)} s after the start;` +
      ` ${((sinks.answered - atFirst) / 10).toFixed(0)} a second after that; ${megabytes()} MB`,
  );
  await second.stop();
  await reach.close();
  await db.end();
  await log.close();
} finally {
  sink.kill();
  await cluster.stop();
}
