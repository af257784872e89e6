/**
 * The cost of a message on the bus: an outbound one that Atrium publishes, and an inbound one that
 * is passed to a consumer which does nothing. The log as bus and NATS, in the same run, in turns.
 *
 *     node bench/bus.ts [rounds] [messages a round]
 *
 * The figure is CPU per message: of this process, of Postgres and of nats-server.
 */
import { randomUUID } from 'node:crypto';
import { natsBus } from '../src/bus/nats/bus.ts';
import { busIntake } from '../src/bus/nats/intake.ts';
import { layoutOf } from '../src/bus/nats/layout.ts';
import { natsLink } from '../src/bus/nats/link.ts';
import { logBus } from '../src/bus/log/bus.ts';
import { logConsumer } from '../src/bus/log/consumer.ts';
import type { Bus } from '../src/bus/bus.ts';
import { migrate } from '../src/engine/postgres/migrate.ts';
import { migrations } from '../src/migrations/migrations.ts';
import { openDatabase } from '../src/engine/postgres/pool.ts';
import { systemClock } from '../src/engine/time/clock.ts';
import { loggerOf } from '../src/engine/observe/logging.ts';
import { busMetrics } from '../src/bus/metrics.ts';
import { metricsOf } from '../src/engine/observe/metrics.ts';
import { processRuntime } from '../src/engine/processes/processes.ts';
import { postgresEventStore, prepareLog } from '../src/engine/log/postgres/store.ts';
import { testConsumers } from '../test/support/consumers/consumers.ts';
import { natsServer } from '../test/support/nats/server.ts';
import { until } from '../test/support/until.ts';
import { benchCluster } from './support/cluster.ts';
import { cpuSince, cpuTime, processUs } from './support/cpu.ts';
import { median } from './support/figures.ts';

const rounds = Number(process.argv[2] ?? 3);
const messages = Number(process.argv[3] ?? 5_000);
const AT_ONCE = 64;
const BUILDINGS = 20;

const buildings = Array.from({ length: BUILDINGS }, () => randomUUID());
const data = { text: 'The radiator by the window stays cold, the others are warm.', list: [1, 2] };

interface Contender {
  readonly name: string;
  readonly bus: Bus;
  /** Number of messages that have reached the consumer. */
  handled(): number;
  close(): Promise<void>;
}

interface Cost {
  readonly hereUs: number;
  readonly postgresUs: number;
  readonly natsUs: number;
}

const cluster = await benchCluster();
const server = await natsServer();
await server.start();
const logger = loggerOf('warn');
const metrics = busMetrics(metricsOf({ process: false }), null);

const contender = async (name: 'log' | 'nats'): Promise<Contender> => {
  const url = await cluster.database(name);
  await prepareLog(url);
  const log = postgresEventStore({ url });
  const db = openDatabase({ url, logger });
  await migrate(db.pool, migrations);
  const under = testConsumers(url, log);
  const { consumers } = under;
  const journals = logBus({ log, clock: systemClock, expected: ['bench'] });
  let handled = 0;
  const handle = async () => void (handled += 1);
  const consumer = logConsumer({ name: 'bench', types: ['in.rang'], handle }, consumers);
  const { runners } = processRuntime({ processes: [consumer], consumers });
  if (name === 'log') {
    under.start(runners);
    const close = async () => {
      await under.stop();
      await db.close();
      await log.close();
    };
    return { name: 'the log', bus: journals, handled: () => handled, close };
  }
  const prefix = 'bench';
  const none = { credentialsFile: null, caFile: null, certFile: null, keyFile: null };
  const nats = natsLink({
    address: { ...none, servers: [server.url] },
    layout: layoutOf(prefix, { inbound: ['in'], outbound: ['out'] }),
    logger,
  });
  await nats.whenReady(new AbortController().signal);
  const intake = { nats, journals, consumers, prefix, types: ['in.rang'], metrics };
  under.start([...runners, busIntake(intake)]);
  return {
    name: 'NATS',
    bus: natsBus({ nats, prefix, source: 'http://localhost', metrics }),
    handled: () => handled,
    async close() {
      await under.stop();
      await nats.close();
      await db.close();
      await log.close();
    },
  };
};

/** Cost per message. */
const costOf = async (work: () => Promise<void>): Promise<Cost> => {
  const before = cpuTime(cluster.postmaster);
  const natsBefore = processUs(server.pid()!);
  await work();
  const { nodeUs, postgresUs } = cpuSince(before, cpuTime(cluster.postmaster));
  return {
    hereUs: nodeUs / messages,
    postgresUs: (postgresUs ?? Number.NaN) / messages,
    natsUs: (processUs(server.pid()!) - natsBefore) / messages,
  };
};

const publishAll = async ({ bus }: Contender, type: string): Promise<void> => {
  let next = 0;
  const publish = async () => {
    for (; next < messages;) {
      const buildingId = buildings[(next += 1) % BUILDINGS]!;
      const at = systemClock.now();
      await bus.publish({ buildingId, type }, data, { eventId: randomUUID(), at });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, publish));
};

const contenders = [await contender('log'), await contender('nats')];
const costs = new Map<string, Cost[]>();
const note = (what: string, cost: Cost) => costs.set(what, [...(costs.get(what) ?? []), cost]);
for (let round = 0; round < rounds; round += 1)
  for (const one of contenders) {
    note(`${one.name}: published`, await costOf(() => publishAll(one, 'out.rang')));
    const before = one.handled();
    const taken = async () => {
      await publishAll(one, 'in.rang');
      await until(() => one.handled() - before >= messages, 'all of them', { everyMs: 20 });
    };
    note(`${one.name}: published, taken and handled`, await costOf(taken));
  }

console.table(
  Object.fromEntries(
    [...costs].map(([what, all]) => {
      const of = (key: keyof Cost) => Number(median(all.map((cost) => cost[key])).toFixed(1));
      return [
        what,
        { 'µs here': of('hereUs'), 'in Postgres': of('postgresUs'), 'in NATS': of('natsUs') },
      ];
    }),
  ),
);
for (const one of contenders) await one.close();
await server.release();
await cluster.stop();
