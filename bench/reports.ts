/**
 * Every report on the tickets of an organisation: `node bench/reports.ts [tickets] [--url
 * <database>] [--keep]`. All tickets are of one organisation, over three years.
 *
 * Without `--url` it makes a throw-away server and drops it. With `--keep` tables that are there
 * are used as they are. `statement` is the longest time that a report held a connection; `cpu ms`
 * is what the server's process used for a report.
 */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Pool, type PoolClient } from 'pg';
import { daysOf, type TicketHistory } from '../src/domain/reports/history.ts';
import { intervalsOf, type IntervalLength } from '../src/domain/reports/intervals.ts';
import { reportNames, type ReportGroup } from '../src/domain/reports/reports.ts';
import type { TicketState } from '../src/domain/tickets/graph.ts';
import { isWorkOver } from '../src/domain/tickets/sla.ts';
import { embeddedPostgres } from '../src/engine/postgres/embedded/embedded.ts';
import { ticketReports } from '../src/projections/reports/history.ts';
import { reportQueries } from '../src/projections/reports/query/queries.ts';
import { chance, desk, load } from './ticket-data.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string' },
    keep: { type: 'boolean' },
    runs: { type: 'string', default: '5' },
  },
});
const tickets = Number(positionals[0] ?? 1_000_000);
const DAYS = 3 * 365;
const START = Date.UTC(2023, 0, 1);
const DAY_MS = 86_400_000;

/** One ticket in ten is reopened, one in fifty is never finished. */
const paths: readonly (readonly TicketState[])[] = [
  ...Array.from(
    { length: 40 },
    () => ['new', 'triaged', 'in_progress', 'resolved', 'closed'] as const,
  ),
  ...Array.from(
    { length: 5 },
    () =>
      [
        'new',
        'triaged',
        'in_progress',
        'resolved',
        'reopened',
        'in_progress',
        'resolved',
        'closed',
      ] as const,
  ),
  ...Array.from({ length: 4 }, () => ['new', 'cancelled'] as const),
  ['new', 'triaged', 'waiting'],
];

const histories = function* () {
  const draw = chance(3);
  let n = 0;
  for (const row of desk(tickets).rows()) {
    const createdAt = START + Math.floor((n / tickets) * DAYS * DAY_MS);
    const states = paths[Math.floor(draw() * paths.length)]!;
    const since = states.map(() => 0);
    for (const [at] of since.entries())
      since[at] = at === 0 ? createdAt : since[at - 1]! + Math.floor(draw() ** 3 * 4 * DAY_MS);
    const last = states.at(-1)!;
    const over = states.findLastIndex((state) => !isWorkOver(state)) + 1;
    const respondedAt = states[1] === 'triaged' ? since[1]! : null;
    const isLate = draw() < 0.1;
    const history: TicketHistory = {
      id: row.id,
      organisationId: 'acme',
      buildingId: row.buildingId,
      storeyId: row.storeyId,
      spaceId: row.spaceId,
      elementId: row.elementId,
      category: row.category,
      assignedTeamId: row.assignedTeamId,
      priority: row.priority,
      createdAt,
      states,
      since,
      openUntil: isWorkOver(last) ? since[over]! : null,
      respondedAt,
      hasFirstResponseClock: true,
      firstResponseMetAt: isLate ? null : respondedAt,
      firstResponseMissedAt: isLate ? createdAt + 4 * 3_600_000 : null,
      hasResolutionClock: true,
      resolutionMissedAt: draw() < 0.1 ? createdAt + DAY_MS : null,
    };
    n += 1;
    const list = (some: readonly (string | number)[]) => `{${some.join(',')}}`;
    yield { ...history, states: list(states), since: list(since), days: list(daysOf(history)) };
  }
};

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
  await load(pool, ticketReports, histories());
  await pool.query('drop table if exists element_type');
  await pool.query(`create table element_type as
    select distinct element_id as id, 'type-' || hashtext(element_id::text) % 30 as slug
    from ticket_reports_v2.ticket_history where element_id is not null`);
  await pool.query('create unique index on element_type (id)');
  await pool.query('drop table if exists successor');
  await pool.query(`create table successor as
    select space_id as id, gen_random_uuid() as successor_id
    from ticket_reports_v2.ticket_history
    where hashtext(space_id::text) % 3 = 0 group by space_id`);
  await pool.query('create unique index on successor (id)');
}
const { rows: sizes } = await pool.query<{ size: string }>(
  `select pg_size_pretty(pg_total_relation_size('ticket_reports_v2.ticket_history')) as size`,
);
console.log(`\n${tickets} tickets, ${sizes[0]!.size} with indexes`);

/** The longest time between a connection's checkout and its return. */
let heldMs = 0;
const connect = pool.connect.bind(pool) as () => Promise<PoolClient>;
const measured = Object.assign(Object.create(pool) as Pool, {
  async connect() {
    const client = await connect();
    const since = performance.now();
    const give = client.release.bind(client);
    client.release = (error) => {
      heldMs = Math.max(heldMs, performance.now() - since);
      client.release = give;
      give(error);
    };
    return client;
  },
});
const queries = reportQueries({
  pool: measured,
  elementTypes: { table: 'element_type', id: 'id', type: 'slug' },
  successors: { table: 'successor', id: 'id', successor: 'successor_id' },
});
const { rows: backend } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
const cpuMs = (): number => {
  const file = `/proc/${backend[0]!.pid}/schedstat`;
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6 : Number.NaN;
};

const cases: readonly (readonly [string, number, IntervalLength, ReportGroup | null])[] = [
  ['a month by day', 30, 'day', null],
  ['a month, top spaces', 30, 'month', 'space'],
  ['a year by week', 365, 'week', null],
  ['a year by month, categories', 365, 'month', 'category'],
  ['three years by month', DAYS, 'month', null],
  ['three years by month, spaces', DAYS, 'month', 'space'],
  ['three years by month, element types', DAYS, 'month', 'elementType'],
];
const dateOf = (day: number) => new Date(START + day * DAY_MS).toISOString().slice(0, 10);
const lineOf = (name: string, figures: readonly string[]) =>
  `${name.padEnd(52)}${figures.map((figure) => figure.padStart(11)).join('')}`;
console.log(`\n${lineOf('report', ['median ms', 'statement', 'cpu ms'])}`);
let worst = 0;
for (const [name, days, length, groupBy] of cases)
  for (const report of reportNames) {
    const period = {
      from: dateOf(DAYS - days),
      to: dateOf(DAYS - 1),
      length,
      timeZone: 'Europe/Berlin',
    };
    const intervals = intervalsOf(period, Date.UTC(2100, 0));
    heldMs = 0;
    const times: number[] = [];
    const cpu = cpuMs();
    for (let run = 0; run < Number(values.runs); run += 1) {
      const since = performance.now();
      await queries.count({
        report,
        organisation: 'acme',
        filter: {},
        intervals,
        groupBy,
        seriesMax: 20,
      });
      times.push(performance.now() - since);
    }
    const median = times.sort((a, b) => a - b)[times.length >> 1]!;
    const figures = [median, heldMs, (cpuMs() - cpu) / times.length];
    worst = Math.max(worst, heldMs);
    const written = figures.map((figure) => figure.toFixed(0));
    console.log(lineOf(`${name}: ${report}`, written));
  }
console.log(`\nlongest held connection ${worst.toFixed(0)} ms`);
await pool.end();
await release();
