/**
 * Append of one event per command, each to a stream of its own at an expected revision, against
 * one INSERT per transaction into a table of the same shape, in the same run.
 *
 *     node bench/append.ts [rounds] [milliseconds a round]
 *
 * The INSERT checks nothing and numbers itself by an identity column: it is what an append would
 * cost if a log were only a table. Contenders take turns; the figures are medians of the rounds.
 */
import { v7 as uuid } from 'uuid';
import { Pool } from 'pg';
import { prepareLog, postgresEventStore } from '../src/store/postgres.ts';
import { benchCluster } from './support/cluster.ts';
import { cpuSince, cpuTime } from './support/cpu.ts';
import { median, quantile } from './support/figures.ts';

const rounds = Number(process.argv[2] ?? 5);
const roundMs = Number(process.argv[3] ?? 2_000);
const BAR = 2.5;

const data = {
  subject: 'Radiator in the meeting room does not get warm',
  priority: 'high',
  building: uuid(),
  storey: 'storey-03',
  space: 'space-03-17',
  description: 'Since this morning the radiator by the window stays cold, the others are warm.',
};
const meta = { commandId: uuid(), at: new Date().toISOString(), by: 'user:ada', origin: 'api' };

interface Contender {
  readonly name: string;
  append(worker: number, nth: number): Promise<unknown>;
  close(): Promise<void>;
}

const ours = async (url: string): Promise<Contender> => {
  await prepareLog(url);
  const store = postgresEventStore({ url });
  return {
    name: 'append, group commit',
    append: (worker, nth) =>
      store.append(`ticket-${round}.${concurrency}.${worker}`, nth === 0 ? 'no_stream' : nth - 1, [
        { id: uuid(), type: 'TicketOpened', data, meta },
      ]),
    close: () => store.close(),
  };
};

const insert = async (url: string): Promise<Contender> => {
  const pool = new Pool({ connectionString: url, max: 32 });
  await pool.query(`
    create table event (
      position bigint generated always as identity primary key,
      revision bigint not null,
      created timestamptz not null default clock_timestamp(),
      id uuid not null unique,
      stream text collate "C" not null,
      type text collate "C" not null,
      data json not null,
      meta json not null,
      unique (stream, revision))`);
  return {
    name: 'one INSERT per transaction',
    append: (worker, nth) =>
      pool.query({
        name: 'insert',
        text: `insert into event (revision, id, stream, type, data, meta)
               values ($1, $2, $3, $4, $5, $6)`,
        values: [
          nth,
          uuid(),
          `ticket-${round}.${concurrency}.${worker}`,
          'TicketOpened',
          JSON.stringify(data),
          JSON.stringify(meta),
        ],
      }),
    close: () => pool.end(),
  };
};

interface Figures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly nodeUs: number;
  readonly postgresUs: number;
}

const measured = async (contender: Contender, postmaster: number): Promise<Figures> => {
  const tookMs: number[] = [];
  const cpuBefore = cpuTime(postmaster);
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async (_, worker) => {
      for (let nth = 0; performance.now() - startedAt < roundMs; nth += 1) {
        const sentAt = performance.now();
        await contender.append(worker, nth);
        tookMs.push(performance.now() - sentAt);
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  const cpu = cpuSince(cpuBefore, cpuTime(postmaster));
  return {
    perSecond: tookMs.length / seconds,
    p50Ms: quantile(tookMs, 0.5),
    p99Ms: quantile(tookMs, 0.99),
    nodeUs: cpu.nodeUs / tookMs.length,
    postgresUs: (cpu.postgresUs ?? Number.NaN) / tookMs.length,
  };
};

let round = 0;
let concurrency = 1;
const cluster = await benchCluster();
const contenders = [
  await ours(await cluster.database('ours')),
  await insert(await cluster.database('peer')),
];
const table: Record<string, string | number>[] = [];
let ratio = Number.NaN;
for (concurrency of [1, 32, 128]) {
  const figures = contenders.map((): Figures[] => []);
  for (let n = 0; n <= rounds; n += 1) {
    round += 1;
    for (const [index, contender] of contenders.entries()) {
      const figure = await measured(contender, cluster.postmaster);
      // The first round only warms up.
      if (n > 0) figures[index]!.push(figure);
    }
  }
  const of = (index: number, what: keyof Figures) =>
    median(figures[index]!.map((figure) => figure[what]));
  ratio = of(0, 'perSecond') / of(1, 'perSecond');
  for (const [index, { name }] of contenders.entries())
    table.push({
      concurrent: concurrency,
      contender: name,
      'events/s': Math.round(of(index, 'perSecond')),
      'against INSERT': (of(index, 'perSecond') / of(1, 'perSecond')).toFixed(2),
      'p50 ms': of(index, 'p50Ms').toFixed(1),
      'p99 ms': of(index, 'p99Ms').toFixed(1),
      'CPU µs/event, Node': of(index, 'nodeUs').toFixed(0),
      'CPU µs/event, Postgres': of(index, 'postgresUs').toFixed(0),
    });
}
await Promise.all(contenders.map((contender) => contender.close()));
await cluster.stop();
console.table(table);
console.log(`at 128: ${ratio.toFixed(2)}× one INSERT per transaction; the bar is ${BAR}×`);
process.exitCode = ratio >= BAR ? 0 : 1;
