/**
 * Appends one event per command, each to a new stream with an expected revision, against one INSERT
 * per transaction into a table of the same shape, in the same run. Then the key check with its use
 * record, for 50 organisations with a keyring and a journal each: a guarded append to the journal,
 * against a SELECT of the keyring and an INSERT per request.
 *
 *     node bench/append.ts [rounds] [milliseconds a round]
 *
 * The INSERT checks nothing and uses an identity column: it is the cost of an append if a log were
 * only a table. Contenders take turns; the figures are medians of the rounds.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuid } from 'uuid';
import { Client, Pool } from 'pg';
import { prepareLog, postgresEventStore } from '../src/engine/log/postgres/store.ts';
import { benchCluster } from './support/cluster.ts';
import { cpuSince, cpuTime } from './support/cpu.ts';
import { median, quantile } from './support/figures.ts';

const rounds = Number(process.argv[2] ?? 5);
const roundMs = Number(process.argv[3] ?? 2_000);
const BAR = 2.5;
const ORGANISATIONS = 50;
const KEY_CHECKS_AT_ONCE = 64;

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
  /** Checks a key, and records its use. */
  checkKey(organisation: number): Promise<unknown>;
  close(): Promise<void>;
}

const keyringOf = (organisation: number) => `keyring-${organisation}`;
const journalOf = (organisation: number) => `keyuse-${organisation}.202608`;

const ours = async (url: string): Promise<Contender> => {
  await prepareLog(url);
  const store = postgresEventStore({ url });
  for (let organisation = 0; organisation < ORGANISATIONS; organisation += 1)
    await store.append(keyringOf(organisation), 'no_stream', [
      { id: uuid(), type: 'KeyMinted', data, meta },
    ]);
  return {
    name: 'append, group commit',
    append: (worker, nth) =>
      store.append(`ticket-${round}.${concurrency}.${worker}`, nth === 0 ? 'no_stream' : nth - 1, [
        { id: uuid(), type: 'TicketOpened', data, meta },
      ]),
    checkKey: (organisation) =>
      store.append(journalOf(organisation), 'any', [{ id: uuid(), type: 'KeyUsed', data, meta }], {
        guard: { stream: keyringOf(organisation), revision: 0 },
      }),
    close: () => store.close(),
  };
};

const insert = async (url: string): Promise<Contender> => {
  const pool = new Pool({ connectionString: url, max: 32 });
  // The server may end the connections before the pool closes them.
  pool.on('error', () => {});
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
  await pool.query(`create table keyring (id text primary key, keys json not null)`);
  for (let organisation = 0; organisation < ORGANISATIONS; organisation += 1)
    await pool.query('insert into keyring values ($1, $2)', [
      keyringOf(organisation),
      JSON.stringify(data),
    ]);
  const used = Array.from({ length: ORGANISATIONS }, () => 0);
  return {
    name: 'one INSERT per transaction',
    append: (worker, nth) =>
      pool.query({
        name: 'insert',
        text: insertText,
        values: [
          nth,
          uuid(),
          `ticket-${round}.${concurrency}.${worker}`,
          'TicketOpened',
          JSON.stringify(data),
          JSON.stringify(meta),
        ],
      }),
    async checkKey(organisation) {
      const { rows } = await pool.query({
        name: 'keyring',
        text: 'select keys from keyring where id = $1',
        values: [keyringOf(organisation)],
      });
      if (rows.length !== 1) throw new Error('no such keyring');
      const nth = used[organisation]!;
      used[organisation] = nth + 1;
      await pool.query({
        name: 'insert',
        text: insertText,
        values: [
          nth,
          uuid(),
          journalOf(organisation),
          'KeyUsed',
          JSON.stringify(data),
          JSON.stringify(meta),
        ],
      });
    },
    close: () => pool.end(),
  };
};

const insertText = `insert into event (revision, id, stream, type, data, meta)
                    values ($1, $2, $3, $4, $5, $6)`;

interface Figures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly nodeUs: number;
  readonly postgresUs: number;
  readonly fsyncs: number;
}

const measured = async (
  work: (worker: number, nth: number) => Promise<unknown>,
  postmaster: number,
): Promise<Figures> => {
  const tookMs: number[] = [];
  const fsyncsBefore = await fsyncs();
  const cpuBefore = cpuTime(postmaster);
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async (_, worker) => {
      for (let nth = 0; performance.now() - startedAt < roundMs; nth += 1) {
        const sentAt = performance.now();
        await work(worker, nth);
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
    fsyncs: ((await fsyncs()) - fsyncsBefore) / tookMs.length,
  };
};

let round = 0;
const cluster = await benchCluster();
/** Number of fsyncs of the WAL by all processes of Postgres, which report when idle for 1 s. */
const fsyncs = async (): Promise<number> => {
  await sleep(COUNTED_AFTER_MS);
  const client = new Client({ connectionString: await counting });
  await client.connect();
  const { rows } = await client.query<{ count: string }>(
    `select coalesce(sum(fsyncs), 0)::text as count from pg_stat_io where object = 'wal'`,
  );
  await client.end();
  return Number(rows[0]?.count);
};
const COUNTED_AFTER_MS = 1_200;
const counting = cluster.database('counting');

const contenders = [
  await ours(await cluster.database('ours')),
  await insert(await cluster.database('peer')),
];
const table: Record<string, string | number>[] = [];
let concurrency = 1;

/** Rounds of both contenders in turn. @returns Our rate divided by that of the INSERT. */
const compared = async (
  task: string,
  workOf: (contender: Contender) => (worker: number, nth: number) => Promise<unknown>,
): Promise<number> => {
  const figures = contenders.map((): Figures[] => []);
  for (let n = 0; n <= rounds; n += 1) {
    round += 1;
    for (const [index, contender] of contenders.entries()) {
      const figure = await measured(workOf(contender), cluster.postmaster);
      // The first round only warms up.
      if (n > 0) figures[index]!.push(figure);
    }
  }
  const of = (index: number, what: keyof Figures) =>
    median(figures[index]!.map((figure) => figure[what]));
  for (const [index, { name }] of contenders.entries())
    table.push({
      task,
      concurrent: concurrency,
      contender: name,
      'a second': Math.round(of(index, 'perSecond')),
      'against INSERT': (of(index, 'perSecond') / of(1, 'perSecond')).toFixed(2),
      'p50 ms': of(index, 'p50Ms').toFixed(1),
      'p99 ms': of(index, 'p99Ms').toFixed(1),
      'CPU µs, Node': of(index, 'nodeUs').toFixed(0),
      'CPU µs, Postgres': of(index, 'postgresUs').toFixed(0),
      fsyncs: of(index, 'fsyncs').toFixed(3),
    });
  return of(0, 'perSecond') / of(1, 'perSecond');
};

let ratio = Number.NaN;
for (concurrency of [1, 32, 128])
  ratio = await compared('append', (contender) => (worker, nth) => contender.append(worker, nth));
concurrency = KEY_CHECKS_AT_ONCE;
const keyChecks = await compared(
  'key check',
  (contender) => () => contender.checkKey(Math.floor(Math.random() * ORGANISATIONS)),
);
await Promise.all(contenders.map((contender) => contender.close()));
await cluster.stop();
console.table(table);
console.log(`at 128: ${ratio.toFixed(2)}× one INSERT per transaction; the bar is ${BAR}×`);
console.log(`key check: ${keyChecks.toFixed(2)}× one SELECT and one INSERT per request`);
process.exitCode = ratio >= BAR ? 0 : 1;
