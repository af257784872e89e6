/**
 * Every filter of the ticket list and the worst combinations of them, with the total, on this
 * number of tickets: `node bench/ticket-list.ts [tickets] [--url <database>] [--keep] [--sorts
 * dueAt,-priority]`. `--sorts` defaults to all orders.
 *
 * Without `--url` it makes a throw-away server and drops it. With `--keep` tables that are there
 * are used as they are. Times are of `list` as a caller sees it: transaction, total, page, parsing;
 * `cpu ms` is what the server's process used for it on average, whatever else the machine does.
 */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Pool } from 'pg';
import { ticketSorts, type TicketSort } from '../src/domain/tickets/sorts.ts';
import { embeddedPostgres } from '../src/engine/postgres/embedded/embedded.ts';
import { ticketAnswers } from '../src/projections/tickets/answers.ts';
import { ticketList } from '../src/projections/tickets/list.ts';
import { SearchTooWide, ticketQueries } from '../src/projections/tickets/query/queries.ts';
import { ticketSearch } from '../src/projections/tickets/search.ts';
import { casesOf } from './ticket-cases.ts';
import { answersRowOf, chance, desk, load, loadPlaces, NOW, searchRowOf } from './ticket-data.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string' },
    keep: { type: 'boolean' },
    only: { type: 'string' },
    sorts: { type: 'string', default: ticketSorts.join(',') },
    runs: { type: 'string', default: '100' },
  },
});
const data = desk(Number(positionals[0] ?? 1_000_000));

const server = async () => {
  if (values.url !== undefined) return { url: values.url, release: async () => {} };
  const directory = mkdtempSync(join(tmpdir(), 'atrium-bench-'));
  chmodSync(directory, 0o711);
  const embedded = await embeddedPostgres(directory);
  return {
    url: embedded.url,
    async release() {
      await embedded.release();
      rmSync(directory, { recursive: true, force: true });
    },
  };
};

const { url, release } = await server();
const pool = new Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0 });
if (values.keep !== true) {
  await loadPlaces(pool);
  await load(pool, ticketList, data.rows());
  await load(
    pool,
    ticketAnswers,
    (function* () {
      for (const row of data.rows()) yield answersRowOf(row);
    })(),
  );
  // The search index takes longest to create, and few cases read it.
  if (values.only === undefined || values.only.includes('search'))
    await load(
      pool,
      ticketSearch,
      (function* () {
        for (const row of data.rows()) yield searchRowOf(row);
      })(),
    );
}
const queries = ticketQueries({ pool });
const lineOf = (name: string, figures: readonly string[], verdict = '') =>
  `${name.padEnd(46)} ${figures.map((figure) => figure.padStart(9)).join('')}  ${verdict}`;
const { rows: backend } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
/** Only on Linux, for a local server; else there is no figure. */
const cpuMs = (): number => {
  const file = `/proc/${backend[0]!.pid}/schedstat`;
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6 : Number.NaN;
};
/** A search that times out has no total. */
const refused = (error: unknown): number => {
  if (error instanceof SearchTooWide) return Number.NaN;
  throw error;
};
const missed: string[] = [];
const cases = casesOf(data);
const measured = values.sorts
  .split(',')
  .flatMap((sort) => cases.map(([name, query]) => ({ name, query, sort: sort as TicketSort })));
let section: TicketSort | null = null;
for (const { name, query, sort } of measured) {
  if (values.only !== undefined && !name.includes(values.only)) continue;
  if (section !== sort) console.log(`\n${lineOf(sort, ['total', 'p50 ms', 'p99 ms', 'cpu ms'])}`);
  section = sort;
  const draw = chance(7);
  const times: number[] = [];
  const totals: number[] = [];
  const began = performance.now();
  const cpu = cpuMs();
  const runs = Number(values.runs);
  while (times.length < 5 || (times.length < runs + 3 && performance.now() - began < 5_000)) {
    const since = performance.now();
    const page = { organisation: 'acme', now: NOW, page: 1, limit: 50, sort, ...query(draw) };
    const total = await queries.list(page).then(({ total }) => total, refused);
    times.push(performance.now() - since);
    totals.push(total);
  }
  // The first runs of a kind load data that the later ones find in memory.
  const sorted = times.slice(3).sort((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
  const total = totals.sort((a, b) => a - b)[totals.length >> 1]!;
  if (at(0.99) >= 20) missed.push(`${name} by ${sort}`);
  const used = (cpuMs() - cpu) / times.length;
  const figures = [at(0.5).toFixed(2), at(0.99).toFixed(2), used.toFixed(1)];
  console.log(lineOf(name, [String(total), ...figures], at(0.99) >= 20 ? 'over 20 ms' : ''));
}
console.log(
  `\n${missed.length === 0 ? 'every p99 below 20 ms' : `over 20 ms: ${missed.join('; ')}`}`,
);
await pool.end();
await release();
