/**
 * The cost of delivering each event of the log to all consumers of a platform: each with its own
 * subscription, against one shared reader, in the same run.
 *
 *     node bench/reader.ts [--eventstoredb] [seconds] [appends a second] [consumers]
 *
 * Another process appends; measured are the database and this process, which neither decodes nor
 * handles the events. Every event has a category to which one in three consumers subscribes; the
 * others only learn the position, as most consumers of a platform do.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { v7 as uuid } from 'uuid';
import { logReader } from '../src/engine/consumers/log-reader.ts';
import type { EventStore } from '../src/engine/log/event-store.ts';
import { eventstoreDbStore } from '../src/engine/log/eventstoredb/store.ts';
import { postgresEventStore } from '../src/engine/log/postgres/store.ts';
import { benchCluster } from './support/cluster.ts';
import { cpuSince, cpuTime } from './support/cpu.ts';
import { benchLog } from './support/log.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { eventstoredb: { type: 'boolean', default: false } },
});
const [seconds = 10, perSecond = 500, consumers = 13] = positionals.map(Number);
const CATEGORIES = ['a', 'b', 'c'];

/** Appends `perSecond` events a second for `seconds`. */
const append = async (log: EventStore) => {
  const startedAt = performance.now();
  const answers: Promise<unknown>[] = [];
  for (let sent = 0; sent < seconds * perSecond;) {
    const due = Math.min(
      seconds * perSecond,
      Math.floor(((performance.now() - startedAt) / 1_000) * perSecond),
    );
    for (; sent < due; sent += 1) {
      const event = { id: uuid(), type: 'Happened', data: { text: 'x'.repeat(400) }, meta: {} };
      answers.push(log.append(`${CATEGORIES[sent % 3]!}-${uuid()}`, 'no_stream', [event]));
    }
    await sleep(1);
  }
  await Promise.all(answers);
};

const storeOf = (url: string) =>
  options.eventstoredb ? eventstoreDbStore({ url }) : postgresEventStore({ url });

const measure = async () => {
  const cluster = await benchCluster();
  const url = await cluster.database('bench');
  const opened = await benchLog(options.eventstoredb ? 'eventstoredb' : 'postgres', url);
  const { log } = opened;
  const child = fork(fileURLToPath(import.meta.url), process.argv.slice(2), {
    env: { ...process.env, BENCH_APPENDS_TO: opened.url },
  });
  await once(child, 'message');

  const round = async (name: string, reader: Pick<EventStore, 'subscribe'>) => {
    const { position } = await log.head();
    const over = new AbortController();
    let [received, batches] = [0, 0];
    const reading = Array.from({ length: consumers }, async (_, at) => {
      const categories = [CATEGORIES[at % 3]!];
      for await (const { events } of reader.subscribe(position, {
        categories,
        signal: over.signal,
      })) {
        received += events.length;
        batches += 1;
      }
    });
    await sleep(500);
    const before = cpuTime(cluster.postmaster);
    child.send('go');
    await once(child, 'message');
    await sleep(500);
    const { nodeUs, postgresUs } = cpuSince(before, cpuTime(cluster.postmaster));
    over.abort();
    await Promise.all(reading);
    const events = seconds * perSecond;
    console.log(
      `${name.padEnd(22)} ${(nodeUs / events).toFixed(0)} µs here and ` +
        `${((postgresUs ?? Number.NaN) / events).toFixed(0)} in Postgres (the appends included) ` +
        `per event; ${received} received in ${batches} batches`,
    );
    return nodeUs;
  };

  console.log(`${consumers} consumers at ${perSecond} events/s on ${opened.name}`);
  const own = await round('a subscription each', log);
  const shared = await round('one shared reader', logReader({ log }));
  console.log(`${(own / shared).toFixed(2)}× less CPU with the shared reader`);
  child.disconnect();
  await log.close();
  await opened.release();
  await cluster.stop();
};

const url = process.env['BENCH_APPENDS_TO'];
if (url === undefined) await measure();
else {
  const log = storeOf(url);
  await log.head();
  process.on('message', () => void append(log).then(() => process.send?.('done')));
  process.on('disconnect', () => void log.close().then(() => process.exit(0)));
  process.send?.('ready');
}
