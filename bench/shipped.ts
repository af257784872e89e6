/**
 * The cost of the shipped server: `npm start`'s, with its defaults (all roles, logs at `info`, into
 * a file), on the embedded log with fsync on; against a bare Fastify with the usual design on the
 * same database, in the same run, in turns.
 *
 *     node bench/shipped.ts [rounds] [scale] [--only key,list] [--profile directory]
 *
 * `hello` is the 404 of an unknown path; `key` is `GET /api/v1/me` with a key, of 50 organisations
 * in turn, against one SELECT and one INSERT; `read`, `list`, `filtered` and `create` are of
 * tickets, by a session, against one SELECT, a page of 50 with its total, the same of a building
 * and a state, and two INSERTs in a transaction, without a check of the caller. The bare server
 * stores and lists the tickets that the shipped one answers.
 * CPU is that of the server and of Postgres: while requests were answered, and until the background
 * work has ended. The number of requests of each kind is {@link AMOUNTS} times `scale`. `--profile`
 * writes a CPU profile of the shipped server.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import fastify from 'fastify';
import { Pool } from 'pg';
import { postgresEventStore, prepareLog } from '../src/engine/log/postgres/store.ts';
import { benchCluster } from './support/cluster.ts';
import { processUs, treeUs } from './support/cpu.ts';
import { cpuFigures, median, recordFigures } from './support/figures.ts';
import { checkedAsUsual, mintedTokens } from './support/key-tables.ts';
import {
  DESK,
  ended,
  filteredBy,
  get,
  post,
  shippedServer,
  type BenchRequest,
  type BenchServer,
  type Load,
} from './support/shipped-server.ts';

const ORGANISATIONS = 50;
const PAGE = 50;
const FILLED_WITHIN_MS = 30_000;
const CONNECTIONS = 64;
/** Requests a second, also relative to the bare server; CPU per request with background work. */
const BARS: Readonly<
  Record<
    Load,
    Readonly<{ perSecond?: number; times?: number; nodeUs?: number; postgresUs?: number }>
  >
> = {
  hello: { nodeUs: 40 },
  key: { times: 1.6, nodeUs: 100, postgresUs: 50 },
  read: { times: 0.9 },
  list: { times: 2, nodeUs: 400, postgresUs: 350 },
  filtered: { times: 1 },
  create: { perSecond: 3_000, nodeUs: 350, postgresUs: 150 },
};
/** Background work has ended when the CPU of a second is below this share. */
const QUIET_SHARE = 0.05;
const SETTLE_SECONDS_MAX = 30;

/** So many that both servers run compiled code: of 500 creations, each took 1.5 times the CPU. */
const AMOUNTS: Readonly<Record<Load, number>> = {
  hello: 64_000,
  key: 48_000,
  read: 48_000,
  list: 4_000,
  filtered: 4_000,
  create: 4_000,
};
/** Share of the measured requests that warms up code and caches. */
const WARM_UP_SHARE = 0.5;

/** In a separate process: the usual design in a few lines. */
const serveBare = async (databaseUrl: string) => {
  const app = fastify();
  const pool = new Pool({ connectionString: databaseUrl, max: 10 });
  app.get('/api/v1/me', async ({ headers, ip }, reply) => {
    const token = (headers.authorization ?? '').slice(7);
    const use = { route: 'GET /api/v1/me', sourceIp: ip };
    const organisation = await checkedAsUsual(pool, token, use);
    return organisation === null ? reply.code(401).send() : { organisation };
  });
  app.get<{ Params: { id: string } }>(`${DESK}/:id`, async ({ params }, reply) => {
    const { rows } = await pool.query({
      name: 'read',
      text: 'select id, created_at, body from ticket where id = $1',
      values: [params.id],
    });
    return rows[0] ?? reply.code(404).send();
  });
  app.get<{ Querystring: { buildingId?: string; state?: string } }>(DESK, async ({ query }) => {
    const { buildingId, state } = query;
    const filtered = buildingId === undefined ? '' : 'filtered ';
    const chosen = filtered && ` and body->>'buildingId' = $2 and body->>'state' = $3`;
    const values = ['acme', ...(filtered ? [buildingId, state] : [])];
    const [page, total] = await Promise.all([
      pool.query({
        name: `${filtered}page`,
        text: `select id, created_at, body from ticket where organisation = $1${chosen}
               order by created_at desc, id limit 50`,
        values,
      }),
      pool.query<{ total: number }>({
        name: `${filtered}total`,
        text: `select count(*)::int as total from ticket where organisation = $1${chosen}`,
        values,
      }),
    ]);
    return { items: page.rows, total: total.rows[0]!.total };
  });
  app.post(DESK, async ({ body }, reply) => {
    const client = await pool.connect();
    try {
      const id = crypto.randomUUID();
      await client.query('begin');
      await client.query({
        name: 'ticket',
        text: `insert into ticket (id, organisation, body) values ($1, 'acme', $2)`,
        values: [id, JSON.stringify(body)],
      });
      await client.query({
        name: 'change',
        text: 'insert into ticket_change (ticket_id, data) values ($1, $2)',
        values: [id, JSON.stringify(body)],
      });
      await client.query('commit');
      return await reply.code(201).send({ id });
    } finally {
      client.release();
    }
  });
  process.send!(await app.listen({ host: '127.0.0.1', port: 0 }));
};

const BARE_TABLES = `
  create table ticket (id uuid primary key, organisation text not null,
    created_at timestamptz not null default now(), body jsonb not null);
  create index on ticket (organisation, created_at desc, id);
  create index on ticket
    (organisation, (body->>'buildingId'), (body->>'state'), created_at desc, id);
  create table ticket_change (id bigint generated always as identity primary key,
    ticket_id uuid not null, at timestamptz not null default now(), data jsonb not null);
  create index on ticket_change (ticket_id, id)`;

/** @param tickets Listed by it; new ones copy the first one's body, so that all have one size. */
const bareServer = async (
  databaseUrl: string,
  tokens: readonly string[],
  tickets: readonly ListedTicket[],
): Promise<BenchServer> => {
  const pool = new Pool({ connectionString: databaseUrl, max: 1 });
  await pool.query(BARE_TABLES);
  await pool.end();
  const child = fork(import.meta.filename, ['--bare', databaseUrl]);
  const [url] = (await once(child, 'message')) as [string];
  const ids: string[] = [];
  for (const ticket of tickets) ids.push((await sent(url, post(DESK, ticket))).id);
  return {
    pid: child.pid!,
    url,
    requests: {
      hello: [get('/unknown')],
      key: tokens.map((token) => get('/api/v1/me', token)),
      read: [get(`${DESK}/${ids[0]!}`)],
      list: [get(DESK)],
      filtered: [get(filteredBy(tickets[0]!.buildingId))],
      create: [post(DESK, tickets[0]!)],
    },
    stop: () => ended(child, 'SIGKILL'),
  };
};

interface ListedTicket {
  readonly buildingId: string;
}

/** The first page of a list, after enough new tickets were created. */
const filledPage = async ({ url, requests }: BenchServer): Promise<readonly ListedTicket[]> => {
  for (let n = 0; n < PAGE; n += 1) await sent(url, requests.create[0]!);
  const deadlineMs = performance.now() + FILLED_WITHIN_MS;
  for (;;) {
    const { items } = await sent<{ items: readonly ListedTicket[] }>(url, requests.filtered[0]!);
    if (items.length === PAGE) return items;
    if (performance.now() > deadlineMs) throw new Error('the list has not been filled');
    await sleep(100);
  }
};

const sent = async <Answer = { readonly id: string }>(
  url: string,
  { path, ...request }: BenchRequest,
): Promise<Answer> => {
  const answer = await fetch(url + path, request);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return (await answer.json()) as Answer;
};

interface Figures {
  readonly perSecond: number;
  readonly p99Ms: number;
  /** CPU while requests were answered. */
  readonly nodeUs: number;
  readonly postgresUs: number;
  /** CPU until the background work has ended. */
  readonly nodeAllUs: number;
  readonly postgresAllUs: number;
}

const run = async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { profile: { type: 'string' }, only: { type: 'string' } },
  });
  const profiles = values.profile ?? null;
  const [rounds, scale] = [Number(positionals[0] ?? 3), Number(positionals[1] ?? 1)];
  const wanted = values.only?.split(',');
  const loads = (Object.keys(AMOUNTS) as Load[]).filter((load) => wanted?.includes(load) ?? true);
  const cluster = await benchCluster();
  const [shippedUrl, bareUrl] = [await cluster.database('shipped'), await cluster.database('bare')];
  await prepareLog(shippedUrl);
  const log = postgresEventStore({ url: shippedUrl });
  const tokens = await mintedTokens(log, bareUrl, ORGANISATIONS);
  await log.close();

  const shipped = await shippedServer(shippedUrl, tokens, profiles);
  const page = await filledPage(shipped);
  console.log(`a page of ${PAGE}: ${(JSON.stringify(page).length / 1_000).toFixed(0)} kB`);
  const servers = { bare: await bareServer(bareUrl, tokens, page), shipped };
  const cpuOf = ({ pid }: BenchServer) => ({
    node: processUs(pid),
    postgres: treeUs(cluster.postmaster) ?? Number.NaN,
  });
  const settled = async (server: BenchServer) => {
    for (let second = 0; second < SETTLE_SECONDS_MAX; second += 1) {
      const before = cpuOf(server);
      await sleep(1_000);
      const after = cpuOf(server);
      if (after.node - before.node + after.postgres - before.postgres < QUIET_SHARE * 1e6) return;
    }
  };
  /** Measures the duration by the responses, because the load generator's has whole seconds. */
  const loaded = async (server: BenchServer, load: Load, share: number) => {
    const beganMs = performance.now();
    let lastMs = beganMs;
    const over = Promise.withResolvers<autocannon.Result>();
    const run = autocannon(
      {
        url: server.url,
        connections: CONNECTIONS,
        amount: Math.ceil(AMOUNTS[load] * share),
        requests: [...server.requests[load]],
      },
      (error: Error | null, result) => (error ? over.reject(error) : over.resolve(result)),
    );
    run.on('response', () => {
      lastMs = performance.now();
    });
    const result = await over.promise;
    return { ...result, seconds: (lastMs - beganMs) / 1_000 };
  };
  const measured = async (server: BenchServer, load: Load): Promise<Figures> => {
    const before = cpuOf(server);
    const result = await loaded(server, load, scale);
    const answered = cpuOf(server);
    await settled(server);
    const after = cpuOf(server);
    const done = load === 'hello' ? result['4xx'] : result['2xx'];
    if (done !== result.requests.total) throw new Error(`${load}: not all were served`);
    return {
      perSecond: done / result.seconds,
      p99Ms: result.latency.p99,
      nodeUs: (answered.node - before.node) / done,
      postgresUs: (answered.postgres - before.postgres) / done,
      nodeAllUs: (after.node - before.node) / done,
      postgresAllUs: (after.postgres - before.postgres) / done,
    };
  };

  for (const server of Object.values(servers))
    for (const load of loads) await loaded(server, load, scale * WARM_UP_SHARE);
  for (const server of Object.values(servers)) await settled(server);
  const figures: Record<string, Figures[]> = {};
  for (let round = 0; round < rounds; round += 1)
    for (const load of loads)
      for (const [name, server] of Object.entries(servers))
        (figures[`${load}: ${name}`] ??= []).push(await measured(server, load));
  for (const server of Object.values(servers)) await server.stop();
  await cluster.stop();
  const of = (what: string, figure: keyof Figures) =>
    median(figures[what]!.map((one) => one[figure]));

  const us = (what: string, figure: keyof Figures) => of(what, figure).toFixed(0);
  console.table(
    Object.keys(figures).map((what) => ({
      what,
      'a second': Math.round(of(what, 'perSecond')),
      'p99 ms': of(what, 'p99Ms'),
      'CPU µs, server': us(what, 'nodeUs'),
      'CPU µs, Postgres': us(what, 'postgresUs'),
      '… settled, server': us(what, 'nodeAllUs'),
      '… settled, Postgres': us(what, 'postgresAllUs'),
    })),
  );
  for (const load of loads) {
    const { perSecond, times: bar, ...cpuBars } = BARS[load];
    const [own, bare] = [`${load}: shipped`, `${load}: bare`];
    const times = of(own, 'perSecond') / of(bare, 'perSecond');
    console.log(`${load}: ${times.toFixed(2)}× bare${bar === undefined ? '' : ` (bar ${bar}×)`}`);
    const cpu = { nodeUs: of(own, 'nodeAllUs'), postgresUs: of(own, 'postgresAllUs') };
    recordFigures(
      {
        name: `${load}: a second`,
        value: of(own, 'perSecond'),
        unit: '/s',
        better: 'more',
        bar: perSecond,
      },
      { name: `${load}: against bare`, value: times, unit: '×', better: 'more', bar },
      ...cpuFigures(load, cpu, cpuBars),
    );
  }
};

if (process.argv[2] === '--bare') await serveBare(process.argv[3]!);
else await run();
