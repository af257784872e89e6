/**
 * Rebuilds a read model from the first event, beside the live one, end to end: read from the log,
 * folded in memory, written by COPY, indexed, caught up and swapped in. The peer in the same run
 * only reads and folds the same log; on EventStoreDB it drains the same subscription without work.
 *
 *     node bench/rebuild.ts [events] [tickets] [foreign events beside each]
 *       [--eventstore] [--list-only] [--rows-in-memory 400000]
 *
 * The log is the embedded one; with `--eventstore` it is the server at EVENTSTORE_URL, which must
 * have no tickets, else a program on the PATH. Rates count the events of the read model, not the
 * foreign ones.
 *
 * With reads and writes: the list is rebuilt again while two readers ask it for pages and a writer
 * appends, without a pause.
 */
import { parseArgs } from 'node:util';
import { migrate } from '../src/engine/postgres/migrate.ts';
import { migrations } from '../src/migrations/migrations.ts';
import { openDatabase } from '../src/engine/postgres/pool.ts';
import { REBUILD_ROWS_IN_MEMORY_MAX } from '../src/engine/limits.ts';
import { systemClock } from '../src/engine/time/clock.ts';
import { loggerOf } from '../src/engine/observe/logging.ts';
import { foldAll, readTo } from '../src/engine/projections/rebuild/fold-all.ts';
import type { AnyProjection } from '../src/engine/projections/projection.ts';
import type { ReadModels } from '../src/engine/projections/read-models.ts';
import { ticketList } from '../src/projections/tickets/list.ts';
import { ticketQueries } from '../src/projections/tickets/query/queries.ts';
import { ticketSearch } from '../src/projections/tickets/search.ts';
import { benchCluster } from './support/cluster.ts';
import { cpuSince, cpuTime } from './support/cpu.ts';
import { quantile, recordFigures } from './support/figures.ts';
import { benchLog } from './support/log.ts';
import { fed, rebuild, until } from './support/rebuilds.ts';
import { recorded, writeHistories } from './support/ticket-histories.ts';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    eventstore: { type: 'boolean' },
    'list-only': { type: 'boolean' },
    'rows-in-memory': { type: 'string' },
  },
});
const rowsInMemoryMax = Number(flags['rows-in-memory'] ?? REBUILD_ROWS_IN_MEMORY_MAX);
const onEventStore = flags.eventstore === true;
const events = Number(positionals[0] ?? 1_000_000);
const tickets = Number(positionals[1] ?? events / 10);
const foreign = Number(positionals[2] ?? 0);
const BAR: { readonly times: number; readonly perSecond?: number } = onEventStore
  ? { times: 0.85 }
  : { times: 0.7, perSecond: 250_000 };

const cluster = await benchCluster();
const url = await cluster.database('bench');
const logger = loggerOf('warn');
const { log, release } = await benchLog(onEventStore ? 'eventstoredb' : 'postgres', url);
const db = openDatabase({ url, logger });
await migrate(db.pool, migrations);

console.log(
  `writing ${events} events of ${tickets} tickets, ${foreign} foreign beside each, to the log in ` +
    log.backend,
);
await writeHistories(log, { events, tickets, foreign });
await db.pool.query('vacuum (analyze)');

interface Figures {
  readonly seconds: number;
  readonly perSecond: number;
}

const timed = async (name: string, work: () => Promise<unknown>): Promise<Figures> => {
  await db.pool.query('checkpoint');
  const before = cpuTime(cluster.postmaster);
  const startedAt = performance.now();
  await work();
  const { nodeUs, postgresUs } = cpuSince(before, cpuTime(cluster.postmaster));
  const each = (us: number) => (us / events).toFixed(1);
  const seconds = (performance.now() - startedAt) / 1_000;
  const perSecond = Math.round(events / seconds);
  const rate = perSecond.toLocaleString('en').padStart(9);
  console.log(
    `${name.padEnd(46)} ${rate} events/s, ${seconds.toFixed(1)} s, ` +
      `CPU per event ${each(nodeUs)} µs here and ${each(postgresUs ?? Number.NaN)} in Postgres`,
  );
  return { seconds, perSecond };
};

const toTheEnd = async ({ categories }: AnyProjection) => {
  const { position } = await log.head();
  return readTo(log, null, position, { categories, signal: new AbortController().signal });
};

/** The rebuild without writing to the database. */
const readAndFolded = async (projection: AnyProjection) => {
  const { applied } = await foldAll(projection, await toTheEnd(projection), {
    rowsMax: Infinity,
    overflow: { store: async () => {} },
    passedOver: new Set(),
    onProgress: () => {},
  });
  if (applied !== events) throw new Error(`${applied} events folded instead of ${events}`);
};

const drained = async (projection: AnyProjection) => {
  let seen = 0;
  for await (const batch of await toTheEnd(projection)) seen += batch.events.length;
  if (seen !== events) throw new Error(`${seen} events drained instead of ${events}`);
};

const feeding = (projection: AnyProjection, work: (models: ReadModels) => Promise<void>) =>
  fed(projection, { log, db, logger, rowsInMemoryMax }, work);

const rebuilt = (models: ReadModels, name: string) =>
  rebuild(models, name, (phase, seconds) => console.log(`    ${phase} ${seconds.toFixed(1)} s`));

/** The better of two runs: the first one in a process also warms it up. */
const better = async (name: string, work: () => Promise<void>): Promise<Figures> => {
  const [first, second] = [await timed(name, work), await timed(`${name}, again`, work)];
  return first.perSecond > second.perSecond ? first : second;
};

const peerName = onEventStore
  ? 'draining the same subscription, no work'
  : 'reading and folding alone';
const peer = await better(peerName, () =>
  onEventStore ? drained(ticketList) : readAndFolded(ticketList),
);

await feeding(ticketList, async (models) => {
  const first = await timed('ticket-list, made from nothing', () =>
    until(async () => (await models.ready()) === true),
  );
  const again = await timed('ticket-list, rebuilt', () => rebuilt(models, 'ticket-list'));

  const queries = ticketQueries(db);
  const stop = new AbortController();
  const tookMs: number[] = [];
  let appended = 0;
  const read = async () => {
    while (!stop.signal.aborted) {
      const startedAt = performance.now();
      const filter = { organisation: 'acme', now: systemClock.now() };
      const { items } = await queries.list({ ...filter, page: 1, limit: 50 });
      if (items.length !== 50) throw new Error('a page is missing');
      tookMs.push(performance.now() - startedAt);
    }
  };
  const write = async () => {
    const stream = (await log.readAll(null, { limit: 1, categories: ['ticket'] })).events[0]!;
    const last = await log.readStream(stream.stream, { backwards: true, limit: 1 });
    for (let at = last[0]!.revision; !stop.signal.aborted; at += 1) {
      const moved = { type: 'TicketTransitioned', from: 'triaged', to: 'in_progress' } as const;
      await log.append(stream.stream, at, [recorded(moved, 'acme')]);
      appended += 1;
    }
  };
  const busy = Promise.all([read(), read(), write()]);
  const beside = await timed('ticket-list, rebuilt beside reads and writes', () =>
    rebuilt(models, 'ticket-list'),
  );
  stop.abort();
  await busy;
  console.log(
    `    ${tookMs.length} pages read, none failed: ` +
      `median ${quantile(tookMs, 0.5).toFixed(1)} ms, ` +
      `p99 ${quantile(tookMs, 0.99).toFixed(1)} ms; ` +
      `${Math.round(appended / beside.seconds)} appends/s`,
  );
  for (const [name, { perSecond }] of Object.entries({ first, again })) {
    const times = perSecond / peer.perSecond;
    console.log(`${name}: ${times.toFixed(2)} of ${peerName} (bar ${BAR.times})`);
    recordFigures(
      {
        name: `${name}: a second`,
        value: perSecond,
        unit: '/s',
        better: 'more',
        bar: BAR.perSecond,
      },
      { name: `${name}: of ${peerName}`, value: times, unit: '×', better: 'more', bar: BAR.times },
    );
  }
});
if (!flags['list-only'])
  await feeding(ticketSearch, async (models) => {
    await timed('ticket-search, made from nothing', () =>
      until(async () => (await models.ready()) === true),
    );
  });
await log.close();
await db.close();
await release();
await cluster.stop();
