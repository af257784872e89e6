/**
 * Requests with an API key, checked without a cache and recorded durably before the response: 50
 * organisations, 64 connections, over HTTP; against one SELECT and one INSERT per request, and
 * against a server that checks nothing, in the same run.
 *
 *     node bench/key-check.ts [rounds] [seconds a round] [--eventstore]
 *
 * Servers are separate processes and take turns; the figures are medians of the rounds. CPU is
 * that of the server and of Postgres, not of the client. `platform` is the whole server with its
 * headers, hooks and schemas; the others are bare, so that they compare. `followed` is `checked`
 * with the log read in its process, as a platform does, `chained` with its records chained too.
 * With `--eventstore` the records go to EventStoreDB (EVENTSTORE_URL, else a program on the PATH),
 * and the peer does one tail read and one append per request.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import autocannon from 'autocannon';
import { BACKWARDS, END, EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import fastify, { type FastifyInstance } from 'fastify';
import { Pool } from 'pg';
import { createServer } from '../src/api/http/server.ts';
import { leases as leasesIn } from '../src/engine/consumers/leases.ts';
import { consumers as consumersOf } from '../src/engine/consumers/runtime.ts';
import { migrate } from '../src/engine/postgres/migrate.ts';
import { migrations } from '../src/migrations/migrations.ts';
import { openDatabase } from '../src/engine/postgres/pool.ts';
import { chainedCategories } from '../src/domain/keys/audit-chain.ts';
import { Unauthenticated } from '../src/identity/caller.ts';
import { isKey, type KeyAuthority } from '../src/identity/keys/key-authority.ts';
import { readToken } from '../src/identity/keys/token.ts';
import { keyringAnnouncements, keyUseLog } from '../src/identity/keys/key-use-log.ts';
import { keyAuthority } from '../src/identity/keys/authority.ts';
import { systemClock } from '../src/engine/time/clock.ts';
import { loggerOf, type Logger } from '../src/engine/observe/logging.ts';
import { metricsOf } from '../src/engine/observe/metrics.ts';
import { AUDIT_CHAINING, auditChaining } from '../src/processes/keys/audit-chaining.ts';
import type { EventStore } from '../src/engine/log/event-store.ts';
import { eventstoreDbStore } from '../src/engine/log/eventstoredb/store.ts';
import { postgresEventStore, prepareLog } from '../src/engine/log/postgres/store.ts';
import { eventstoreProgram, eventstoreServer } from '../test/support/eventstoredb/server.ts';
import { benchCluster } from './support/cluster.ts';
import { processUs, treeUs } from './support/cpu.ts';
import { cpuFigures, median, recordFigures } from './support/figures.ts';
import { checkedAsUsual, mintedTokens } from './support/key-tables.ts';
import { currentVersions } from '../test/support/log/keys.ts';

const ORGANISATIONS = 50;
const CONNECTIONS = 64;
const BARS = { naive: 3, naiveEventstore: 5, hello: 0.35, fsyncs: 0.05 };
const ROUTE = 'GET /api/v1/sandboxes';

/** The task of a server process. */
interface Task {
  readonly contender: string;
  readonly databaseUrl: string;
  readonly eventstoreUrl: string | null;
}

const logOf = ({ databaseUrl, eventstoreUrl }: Omit<Task, 'contender'>): EventStore =>
  eventstoreUrl === null
    ? postgresEventStore({ url: databaseUrl })
    : eventstoreDbStore({ url: eventstoreUrl });

const authorityOf = (task: Task, logger: Logger): KeyAuthority => {
  const log = logOf(task);
  const uses = keyUseLog({ log, clock: systemClock, versions: currentVersions });
  return keyAuthority({ log, uses, clock: systemClock, logger });
};

const followingIn = async (task: Task) => {
  const log = logOf(task);
  const logger = loggerOf('silent');
  const db = openDatabase({ url: task.databaseUrl, logger });
  const leases = leasesIn({ db, logger });
  return { log, consumers: consumersOf({ log, db, leases, clock: systemClock, logger }) };
};

const tokenIn = (authorization: string | undefined): string => (authorization ?? '').slice(7);

const contenders: Readonly<Record<string, (task: Task) => Promise<FastifyInstance>>> = {
  async hello() {
    const app = fastify();
    app.get('/api/v1/sandboxes', async () => ({ items: [] }));
    return app;
  },

  /** The usual design: the key by its hash, then the record, each in its own transaction. */
  async naive({ databaseUrl, eventstoreUrl }) {
    const app = fastify();
    const pool = new Pool({ connectionString: databaseUrl, max: 10 });
    const client =
      eventstoreUrl === null ? null : EventStoreDBClient.connectionString(eventstoreUrl);
    app.addHook('onRequest', async ({ headers, ip }, reply) => {
      const token = tokenIn(headers.authorization);
      if (client) {
        const read = readToken(token);
        if (!read) return reply.code(401).send();
        const at = new Date().toISOString();
        const data = { keyId: read.keyId, route: ROUTE, sourceIp: ip, at };
        const keyring = `keyring-${read.keyId.slice(0, 12)}`;
        const options = { direction: BACKWARDS, fromRevision: END, maxCount: 1 } as const;
        for await (const { event } of client.readStream(keyring, options))
          if (!event) return reply.code(401).send();
        await client.appendToStream(`bare-${keyring}`, jsonEvent({ type: 'KeyUsed', data }));
        return undefined;
      }
      const organisation = await checkedAsUsual(pool, token, { route: ROUTE, sourceIp: ip });
      return organisation === null ? reply.code(401).send() : undefined;
    });
    app.get('/api/v1/sandboxes', async () => ({ items: [] }));
    return app;
  },

  async checked(task) {
    const app = fastify();
    const keys = authorityOf(task, loggerOf('silent'));
    app.addHook('onRequest', async ({ headers, ip }, reply) => {
      const token = tokenIn(headers.authorization);
      if (!isKey(token)) return reply.code(401).send();
      const answer = await keys.check(token, {
        needs: 'platform.sandboxes:read',
        route: ROUTE,
        sourceIp: ip,
        userAgent: headers['user-agent'] ?? null,
      });
      return answer.allowed ? undefined : reply.code(401).send();
    });
    app.get('/api/v1/sandboxes', async () => ({ items: [] }));
    return app;
  },

  /** `checked`, with the log read in the same process, as in a platform. */
  async followed(task) {
    const { consumers, log } = await followingIn(task);
    const { position } = await log.head();
    const options = { categories: chainedCategories, signal: new AbortController().signal };
    void Array.fromAsync(consumers.reader.subscribe(position, options), () => null);
    return contenders['checked']!(task);
  },

  /** `followed`, with the records chained too. */
  async chained(task) {
    const { consumers, log } = await followingIn(task);
    const follower = auditChaining(consumers, keyringAnnouncements({ log, clock: systemClock }), {
      delayMs: 1_000,
    });
    void consumers.start([follower], new AbortController().signal);
    // Starts at the head, because records of earlier rounds must not count in this one.
    const { position: head } = await log.head();
    for (;;) {
      const [status] = await consumers.status([AUDIT_CHAINING]);
      if (log.compare(status!.reached.position, head) >= 0) break;
      await setTimeout(100);
    }
    return contenders['checked']!(task);
  },

  async platform(task) {
    const logger = loggerOf('silent');
    return createServer(
      {
        identity: {
          issuer: 'http://issuer.test',
          callerOf: () => Promise.reject(new Unauthenticated('keys alone')),
          ready: async () => true as const,
          reachable: () => true,
        },
        keyAuthority: authorityOf(task, logger),
        logger,
        metrics: metricsOf(),
        publicUrl: 'http://localhost:4000',
        corsOrigins: [],
        trustedProxies: [],
      },
      async (app) => {
        const config = { permission: 'platform.sandboxes:read' } as const;
        app.get('/api/v1/sandboxes', { config }, async () => ({ items: [] }));
      },
    );
  },
};

/** Runs in a separate process: reports its address, and serves until it is killed. */
const serve = async (task: Task) => {
  const app = await contenders[task.contender]!(task);
  process.send!(await app.listen({ host: '127.0.0.1', port: 0 }));
};

const started = async (task: Task): Promise<{ child: ChildProcess; url: string }> => {
  const child = fork(import.meta.filename, [JSON.stringify(task)]);
  const [url] = (await once(child, 'message')) as [string];
  return { child, url };
};

interface Figures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly nodeUs: number;
  readonly postgresUs: number;
  readonly fsyncs: number;
}

const run = async () => {
  const eventstore = process.argv.includes('--eventstore');
  const numbers = process.argv.slice(2).filter((word) => !word.startsWith('--'));
  const rounds = Number(numbers[0] ?? 5);
  const seconds = Number(numbers[1] ?? 5);
  const cluster = await benchCluster();
  const databaseUrl = await cluster.database('bench');
  await prepareLog(databaseUrl);
  const given = process.env['EVENTSTORE_URL'] ?? null;
  const program = eventstoreProgram();
  if (eventstore && !given && !program) throw new Error('no EventStoreDB: set EVENTSTORE_URL');
  const server = eventstore && !given ? await eventstoreServer(program!) : null;
  const eventstoreUrl = eventstore ? (given ?? server!.url) : null;

  const log = logOf({ databaseUrl, eventstoreUrl });
  const tokens = await mintedTokens(log, databaseUrl, ORGANISATIONS);
  await log.close();
  const stats = new Pool({ connectionString: databaseUrl, max: 1 });
  await migrate(stats, migrations);
  const fsyncs = async () => {
    await stats.query('select pg_stat_force_next_flush()');
    const { rows } = await stats.query<{ n: string }>(
      `select coalesce(sum(fsyncs), 0) as n from pg_stat_io where object = 'wal'`,
    );
    return Number(rows[0]!.n);
  };

  const measured = async (contender: string): Promise<Figures> => {
    const { child, url } = await started({ contender, databaseUrl, eventstoreUrl });
    const requests = tokens.map((token) => ({
      path: '/api/v1/sandboxes',
      headers: { authorization: `Bearer ${token}` },
    }));
    const load = (duration: number) =>
      autocannon({ url, connections: CONNECTIONS, duration, requests });
    await load(1);
    const [nodeBefore, postgresBefore] = [processUs(child.pid!), treeUs(cluster.postmaster)];
    const fsyncsBefore = await fsyncs();
    const result = await load(seconds);
    const done = result['2xx'];
    if (result.non2xx > 0 || result.errors > 0)
      throw new Error(`${contender}: not all were served`);
    const figures = {
      perSecond: done / result.duration,
      p50Ms: result.latency.p50,
      p99Ms: result.latency.p99,
      nodeUs: (processUs(child.pid!) - nodeBefore) / done,
      postgresUs: ((treeUs(cluster.postmaster) ?? 0) - (postgresBefore ?? 0)) / done,
      fsyncs: ((await fsyncs()) - fsyncsBefore) / done,
    };
    child.kill('SIGKILL');
    await once(child, 'exit');
    return figures;
  };

  const figures: Record<string, Figures[]> = {};
  for (let round = 0; round < rounds; round += 1)
    for (const contender of Object.keys(contenders))
      (figures[contender] ??= []).push(await measured(contender));
  const of = (contender: string, what: keyof Figures) =>
    median(figures[contender]!.map((figure) => figure[what]));

  console.table(
    Object.keys(contenders).map((contender) => ({
      contender,
      'a second': Math.round(of(contender, 'perSecond')),
      'p50 ms': of(contender, 'p50Ms'),
      'p99 ms': of(contender, 'p99Ms'),
      'CPU µs, server': of(contender, 'nodeUs').toFixed(0),
      'CPU µs, Postgres': of(contender, 'postgresUs').toFixed(0),
      'fsyncs a request': of(contender, 'fsyncs').toFixed(3),
    })),
  );
  const times = (peer: string) => of('checked', 'perSecond') / of(peer, 'perSecond');
  const bar = eventstore ? BARS.naiveEventstore : BARS.naive;
  console.log(`checked: ${times('naive').toFixed(2)}× the peer; the bar is ${bar}×`);
  console.log(`checked: ${times('hello').toFixed(2)}× hello; the bar is ${BARS.hello}×`);
  recordFigures(
    { name: 'against the peer', value: times('naive'), unit: '×', better: 'more', bar },
    { name: 'against no check', value: times('hello'), unit: '×', better: 'more', bar: BARS.hello },
    ...cpuFigures('checked', {
      nodeUs: of('checked', 'nodeUs'),
      postgresUs: of('checked', 'postgresUs'),
    }),
  );
  if (!eventstore) console.log(`fsyncs a request: the bar is at most ${BARS.fsyncs}`);
  await stats.end();
  await server?.release();
  await cluster.stop();
};

const task = process.argv[2];
if (process.send && task) await serve(JSON.parse(task) as Task);
else await run();
