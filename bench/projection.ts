/**
 * A live projection of tickets, read from the embedded log and decoded, against one statement per
 * event with a transaction per batch over the same subscription, in the same run.
 *
 *     node bench/projection.ts [events] [tickets]
 *
 * The worst order for a fold: no ticket twice within a batch. Both write the same table with the
 * same indexes, with fsync on, and start on existing tables: `cached` has all tickets in memory,
 * `uncached` none of them, so that every batch loads the rows it touches.
 */
import { once } from 'node:events';
import { v5 as uuidFrom, v7 as uuid } from 'uuid';
import { z } from 'zod';
import { migrate } from '../src/engine/postgres/migrate.ts';
import { migrations } from '../src/migrations/migrations.ts';
import { openDatabase, type Database } from '../src/engine/postgres/pool.ts';
import { systemClock } from '../src/engine/time/clock.ts';
import { loggerOf } from '../src/engine/observe/logging.ts';
import type { Projection } from '../src/engine/projections/projection.ts';
import { leases as leasesIn } from '../src/engine/consumers/leases.ts';
import { consumers as consumersOf } from '../src/engine/consumers/runtime.ts';
import { projectionRunner } from '../src/engine/projections/runner.ts';
import { codecOf } from '../src/engine/log/codec.ts';
import type { EventStore, NewEvent, Position } from '../src/engine/log/event-store.ts';
import { postgresEventStore, prepareLog } from '../src/engine/log/postgres/store.ts';
import { keyOf } from '../src/engine/log/streams.ts';
import { benchCluster } from './support/cluster.ts';
import { cpuSince, cpuTime } from './support/cpu.ts';
import { cpuFigures, recordFigures } from './support/figures.ts';

const events = Number(process.argv[2] ?? 200_000);
const tickets = Number(process.argv[3] ?? 20_000);
const BAR = { times: 6, perSecond: 80_000 };

type Fact =
  | { type: 'Opened'; number: string; subject: string; priority: string; dueAt: string }
  | { type: 'Moved'; to: string };

const codec = codecOf<Fact>({
  Opened: {
    schema: z.strictObject({
      type: z.literal('Opened'),
      number: z.string(),
      subject: z.string(),
      priority: z.enum(['low', 'medium', 'high', 'critical']),
      dueAt: z.string(),
    }),
  },
  Moved: { schema: z.strictObject({ type: z.literal('Moved'), to: z.string() }) },
});

interface Ticket {
  readonly id: string;
  readonly number: string;
  readonly subject: string;
  readonly priority: string;
  readonly state: string;
  readonly dueAt: string;
  readonly updatedAt: string;
  readonly changes: number;
}

const projection = (version: number): Projection<Fact, Ticket> => ({
  name: 'bench',
  version,
  categories: ['ticket'],
  codec,
  table: {
    name: 'ticket',
    key: 'id',
    columns: {
      id: 'uuid not null',
      number: 'text not null',
      subject: 'text not null',
      priority: 'text not null',
      state: 'text not null',
      dueAt: 'timestamptz not null',
      updatedAt: 'timestamptz not null',
      changes: 'bigint not null',
    },
    indexes: ['create index on $table (state, due_at)', 'create index on $table (updated_at)'],
  },
  keyOf: ({ stream }) => keyOf(stream),
  rowAfter: ({ event, stream, at }, row) => {
    if (event.type === 'Opened') {
      const { type: _type, ...opened } = event;
      return { id: keyOf(stream), ...opened, state: 'new', updatedAt: at, changes: 0 };
    }
    if (!row) throw new Error('moved before it was opened');
    return { ...row, state: event.to, updatedAt: at, changes: row.changes + 1 };
  },
});

const streamAt = (at: number) => `ticket-${uuidFrom(String(at), NAMESPACE)}`;
const NAMESPACE = '2b0c8f6e-1111-4d70-9b36-0c8a7b0d9a11';

const factAt = (turn: number, at: number): NewEvent =>
  codec.encode(
    uuid(),
    turn === 0
      ? {
          type: 'Opened',
          number: `SR-${at}`,
          subject: 'Radiator in the meeting room does not get warm',
          priority: 'high',
          dueAt: '2026-03-02T12:00:00.000Z',
        }
      : { type: 'Moved', to: ['triaged', 'in_progress', 'waiting', 'resolved'][turn % 4]! },
    { commandId: uuid(), at: systemClock.now(), by: { kind: 'user', id: 'ada' }, origin: 'api' },
  );

/** Round-robin through all tickets, so that no batch has a ticket twice. */
const filled = async (log: EventStore) => {
  const turns = Math.ceil(events / tickets);
  for (let turn = 0; turn < turns; turn += 1) {
    let next = 0;
    const writer = async () => {
      for (let at = next++; at < tickets; at = next++)
        await log.append(streamAt(at), turn === 0 ? 'no_stream' : turn - 1, [factAt(turn, at)]);
    };
    await Promise.all(Array.from({ length: 512 }, writer));
  }
  return turns * tickets;
};

/** Feeds until the projection has reached `to`. */
const fedTo = async (
  to: Position,
  { log, db, version, rowsCachedMax }: Parts & { version: number; rowsCachedMax: number },
  epoch: number,
) => {
  const stop = new AbortController();
  const reached = Promise.withResolvers<void>();
  const only = readingTo(log, to);
  const logger = loggerOf('warn');
  const leases = leasesIn({ db, logger });
  const consumers = consumersOf({ log: only, db, leases, clock: systemClock, logger });
  const { positions } = consumers;
  const ended = projectionRunner({
    projection: projection(version),
    consumers: {
      ...consumers,
      positions: {
        ...positions,
        reached(_, at) {
          if (at && log.compare(at.position, to) >= 0) reached.resolve();
        },
      },
    },
    rowsCachedMax,
  }).run({ epoch, signal: stop.signal });
  await reached.promise;
  stop.abort();
  await ended;
};

const aborted = async (signal: AbortSignal) => {
  if (!signal.aborted) await once(signal, 'abort');
};

/** The log as it was when `to` was its head. */
const readingTo = (log: EventStore, to: Position): EventStore =>
  new Proxy(log, {
    get(target, member) {
      if (member === 'subscribe')
        return async function* subscribe(...call: Parameters<EventStore['subscribe']>) {
          for await (const batch of target.subscribe(...call)) {
            const within = batch.events.filter(({ position }) => log.compare(position, to) <= 0);
            const upTo = log.compare(batch.upTo, to) > 0 ? to : batch.upTo;
            yield { ...batch, events: within, upTo };
            // The end is not reported, as at the head of a live log.
            if (upTo !== to) continue;
            await aborted(call[1].signal);
            return;
          }
        };
      if (member === 'head') return async () => ({ ...(await target.head()), position: to });
      const value: unknown = Reflect.get(target, member);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });

interface Parts {
  readonly log: EventStore;
  readonly db: Database;
}

/** Begin, a statement per event, the checkpoint, commit; all are named statements. */
const oneByOne = async ({ log, db }: Parts, after: Position, to: Position) => {
  await db.pool.query('create table bench_v1.checkpoint (position text)');
  await db.pool.query('insert into bench_v1.checkpoint values (null)');
  const client = await db.pool.connect();
  const stop = new AbortController();
  const options = { categories: ['ticket'], signal: stop.signal, batchEventsMax: 1_000 };
  for await (const batch of readingTo(log, to).subscribe(after, options)) {
    await client.query('begin');
    for (const stored of batch.events) {
      const { event, at, stream } = codec.decode(stored);
      if (event.type === 'Opened') throw new Error('all tickets are open by then');
      await client.query({
        name: 'moved',
        text: `update bench_v1.ticket set state = $2, updated_at = $3, changes = changes + 1
               where id = $1`,
        values: [keyOf(stream), event.to, at],
      });
    }
    await client.query({
      name: 'checkpoint',
      text: 'update bench_v1.checkpoint set position = $1',
      values: [batch.upTo],
    });
    await client.query('commit');
    if (batch.upTo === to) break;
  }
  client.release();
};

const cluster = await benchCluster();
const url = await cluster.database('bench');
await prepareLog(url);
const log = postgresEventStore({ url });
const db = openDatabase({ url, logger: loggerOf('warn') });
await migrate(db.pool, migrations);
const total = await filled(log);
const half = String(tickets * Math.ceil(total / tickets / 2));
const whole = String(total);
const work = Number(whole) - Number(half);

const measured = async (name: string, run: () => Promise<void>) => {
  await db.pool.query('checkpoint');
  const before = cpuTime(cluster.postmaster);
  const startedAt = performance.now();
  await run();
  const seconds = (performance.now() - startedAt) / 1_000;
  const { nodeUs, postgresUs } = cpuSince(before, cpuTime(cluster.postmaster));
  const figures = {
    name,
    perSecond: Math.round(work / seconds),
    nodeUs: Number((nodeUs / work).toFixed(1)),
    postgresUs: Number(((postgresUs ?? Number.NaN) / work).toFixed(1)),
  };
  console.log(
    `${name.padEnd(40)} ${figures.perSecond.toLocaleString('en').padStart(9)} events/s, ` +
      `CPU per event ${figures.nodeUs} µs here and ${figures.postgresUs} µs in Postgres`,
  );
  return figures;
};

console.log(`${total} events of ${tickets} tickets; the second half (${work}) is measured`);
for (const version of [1, 2, 3]) await fedTo(half, { log, db, version, rowsCachedMax: 0 }, 1);
await measured('reading and decoding alone', async () => {
  const options = { categories: ['ticket'], signal: new AbortController().signal };
  for await (const { events: read, upTo } of readingTo(log, whole).subscribe(half, options)) {
    for (const stored of read) codec.decode(stored);
    if (upTo === whole) break;
  }
});
const peer = await measured('one statement per event', () => oneByOne({ log, db }, half, whole));
const uncached = await measured('batches, every row loaded', () =>
  fedTo(whole, { log, db, version: 2, rowsCachedMax: 0 }, 2),
);
const cached = await measured('batches, rows kept in memory', () =>
  fedTo(whole, { log, db, version: 3, rowsCachedMax: tickets }, 2),
);
const { rows } = await db.pool.query(
  `select (select sum(changes) from bench_v1.ticket) as one,
          (select sum(changes) from bench_v2.ticket) as two,
          (select sum(changes) from bench_v3.ticket) as three`,
);
const moves = String(total - tickets);
const [sums] = rows as Record<string, unknown>[];
if (Object.values(sums!).some((sum) => String(sum) !== moves))
  throw new Error(`the tables differ: ${JSON.stringify(sums)}, not ${moves}`);

for (const { name, perSecond, nodeUs, postgresUs } of [uncached, cached]) {
  const times = perSecond / peer.perSecond;
  console.log(
    `${name}: ${times.toFixed(1)} times the rate ` +
      `(bar: ${BAR.times}), ${perSecond >= BAR.perSecond ? 'over' : 'under'} ${BAR.perSecond}/s`,
  );
  recordFigures(
    { name: `${name}: a second`, value: perSecond, unit: '/s', better: 'more', bar: BAR.perSecond },
    {
      name: `${name}: against one by one`,
      value: times,
      unit: '×',
      better: 'more',
      bar: BAR.times,
    },
    ...cpuFigures(name, { nodeUs, postgresUs }),
  );
}
await log.close();
await db.close();
await cluster.stop();
