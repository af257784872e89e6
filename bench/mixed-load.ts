/**
 * Compares the simulation of docs/operating/scale.md with a real run of `npm start`'s server. Each
 * kind of request is sent alone, at its rate in the mix and at three times that rate, to separate
 * the cost of a request from that of a wake-up of the log's reader, which several requests may
 * share. Then all kinds are sent at once, and the simulation must predict the processor share of
 * the mix from the measured costs and the rates.
 *
 *     node bench/mixed-load.ts [seconds] [rounds]
 *
 * The load is open-loop with random arrivals. The cost of the idle server is measured separately,
 * for as long as a run, and added once.
 */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { READER_BUSY_MS, READER_FULLER_PAGE_MS } from '../src/engine/limits.ts';
import { postgresEventStore, prepareLog } from '../src/engine/log/postgres/store.ts';
import { benchCluster } from './support/cluster.ts';
import { processUs, treeUs } from './support/cpu.ts';
import { median } from './support/figures.ts';
import { mintedTokens } from './support/key-tables.ts';
import { shippedServer, type BenchRequest, type Load } from './support/shipped-server.ts';
import type { Model, Step, WorkClass } from './support/simulation/model.ts';
import { randomFrom } from './support/simulation/random.ts';
import { simulate } from './support/simulation/simulate.ts';
import { split, type Split } from './support/simulation/split.ts';

const [seconds = 15, rounds = 3] = process.argv.slice(2).map(Number);
/** Requests a second; together a third of a core here, so that queues are short. */
const RATES = { key: 250, read: 250, list: 40, create: 40 } as const satisfies Partial<
  Record<Load, number>
>;
type Kind = keyof typeof RATES;
const KINDS = Object.keys(RATES) as Kind[];
const ORGANISATIONS = 50;
/** Background work after a response has ended after this time. */
const SETTLE_MS = 3_000;
/** The second rate of each kind, as a multiple of the first. */
const FASTER = 3;
const READER = { busyUs: READER_BUSY_MS * 1_000, restUs: READER_FULLER_PAGE_MS * 1_000 };
const WITHIN = 0.2;

interface Cpu {
  readonly nodeUs: number;
  readonly postgresUs: number;
}

const cluster = await benchCluster();
const [url, tables] = [await cluster.database('mixed'), await cluster.database('tables')];
await prepareLog(url);
const log = postgresEventStore({ url });
const tokens = await mintedTokens(log, tables, ORGANISATIONS);
const server = await shippedServer(url, tokens);
const agent = new Agent({ keepAlive: true });
const random = randomFrom(1);

const cpu = (): Cpu => ({
  nodeUs: processUs(server.pid),
  postgresUs: treeUs(cluster.postmaster) ?? Number.NaN,
});
const since = (before: Cpu): Cpu => {
  const { nodeUs, postgresUs } = cpu();
  return { nodeUs: nodeUs - before.nodeUs, postgresUs: postgresUs - before.postgresUs };
};

const send = ({ path, method = 'GET', headers = {}, body }: BenchRequest): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const sent = request(server.url + path, { agent, method, headers }, (answer) => {
    const { statusCode = 0 } = answer;
    answer.resume().on('end', () => {
      if (statusCode < 300) resolve();
      else reject(new Error(`${method} ${path}: ${statusCode}`));
    });
  });
  sent.on('error', reject).end(body);
  return promise;
};

/** Sends these kinds for `seconds`. @returns The cost, background work included. */
const run = async (kinds: readonly Kind[], times = 1) => {
  const head = Number((await log.head()).position);
  const before = cpu();
  const sent: Record<string, number> = {};
  const beganMs = performance.now();
  await Promise.all(
    kinds.map(async (kind) => {
      const answers: Promise<void>[] = [];
      let atMs = 0;
      for (let n = 0; ; n += 1) {
        atMs += random.exponential(1_000 / (RATES[kind] * times));
        if (atMs > seconds * 1_000) break;
        const ahead = beganMs + atMs - performance.now();
        if (ahead > 1) await sleep(ahead);
        const requests = server.requests[kind];
        answers.push(send(requests[n % requests.length]!));
      }
      await Promise.all(answers);
      sent[kind] = answers.length;
    }),
  );
  await sleep(SETTLE_MS + (kinds.length === 0 ? seconds * 1_000 : 0));
  const took = since(before);
  const lasted = (performance.now() - beganMs) / 1_000;
  const events = Number((await log.head()).position) - head;
  return { took, lasted, sent, events };
};

/** The cost of a kind: per request, and per wake-up of the reader. */
interface Costs {
  readonly each: Cpu;
  readonly wakeup: Cpu;
  /** Sequential appends per request; 0: the reader is not woken. */
  readonly appends: number;
}
type UnitCosts = Readonly<Record<Kind, Costs>>;

const SIMULATED_SECONDS = 200;
const stepsOf = ({ nodeUs, postgresUs }: Cpu): readonly Step[] => [
  { station: 'process', meanUs: nodeUs },
  { station: 'postgres', meanUs: postgresUs },
];
const simulated = (classes: readonly WorkClass[]) => {
  const model: Model = {
    seed: 1,
    seconds: SIMULATED_SECONDS,
    stations: [
      { name: 'process', servers: 1 },
      { name: 'postgres', servers: 2 },
    ],
    classes,
    reader: READER,
  };
  return simulate(model);
};

/** Wake-ups a second of one kind alone. */
const wakeupsAt = (perSecond: number, appends: number) => {
  const wakes = { steps: [], appends };
  const classes = appends === 0 ? [] : [{ name: 'alone', perSecond, steps: [], wakes }];
  return simulated(classes).wakeups / SIMULATED_SECONDS;
};

/** The predicted cost of the mix per second, without the idle server. */
const predicted = (costs: UnitCosts, perSecond: Readonly<Record<string, number>>) => {
  const { stations } = simulated(
    KINDS.map((name) => {
      const { each, wakeup, appends } = costs[name];
      const wakes = appends === 0 ? {} : { wakes: { steps: stepsOf(wakeup), appends } };
      return { name, perSecond: perSecond[name]!, steps: stepsOf(each), ...wakes };
    }),
  );
  const busy = (name: string) =>
    stations.get(name)!.utilisation * stations.get(name)!.servers * 1e6;
  return { nodeUs: busy('process'), postgresUs: busy('postgres') };
};

// A lower rate warms up the server, because an open-loop load would overload a cold one.
await run(KINDS, 0.25);
await run(KINDS);
const ratios: { node: number[]; postgres: number[] } = { node: [], postgres: [] };
const rows: object[] = [];
for (let round = 1; round <= rounds; round += 1) {
  const idle = await run([]);
  const perSecondIdle = (figure: keyof Cpu) => idle.took[figure] / idle.lasted;
  const costs: Partial<Record<Kind, Costs>> = {};
  for (const kind of KINDS) {
    const runs = [await run([kind]), await run([kind], FASTER)];
    const appends = Math.round(runs[0]!.events / runs[0]!.sent[kind]!);
    const parts = (figure: keyof Cpu): Split =>
      split(
        runs.map(({ took, lasted, sent }) => ({
          requests: sent[kind]!,
          wakeups: wakeupsAt(sent[kind]! / seconds, appends) * seconds,
          us: Math.max(0, took[figure] - perSecondIdle(figure) * lasted),
        })),
      );
    const [node, postgres] = [parts('nodeUs'), parts('postgresUs')];
    costs[kind] = {
      each: { nodeUs: node.requestUs, postgresUs: postgres.requestUs },
      wakeup: { nodeUs: node.wakeupUs, postgresUs: postgres.wakeupUs },
      appends,
    };
  }
  const mix = await run(KINDS);
  const perSecond = Object.fromEntries(KINDS.map((kind) => [kind, mix.sent[kind]! / seconds]));
  const expected = predicted(costs as UnitCosts, perSecond);
  const ratio = (figure: keyof Cpu) =>
    (expected[figure] * seconds + perSecondIdle(figure) * mix.lasted) / mix.took[figure];
  ratios.node.push(ratio('nodeUs'));
  ratios.postgres.push(ratio('postgresUs'));
  const percent = (figure: keyof Cpu) => (mix.took[figure] / mix.lasted / 1e4).toFixed(1);
  rows.push({
    round,
    ...Object.fromEntries(
      KINDS.map((kind) => {
        const { each, wakeup } = costs[kind]!;
        const text = ({ nodeUs, postgresUs }: Cpu) =>
          `${nodeUs.toFixed(0)} + ${postgresUs.toFixed(0)}`;
        return [`${kind}, µs`, `${text(each)}; a wake-up ${text(wakeup)}`];
      }),
    ),
    'the mix, % of a core': `${percent('nodeUs')} + ${percent('postgresUs')}`,
    'predicted / measured': `${ratio('nodeUs').toFixed(2)} + ${ratio('postgresUs').toFixed(2)}`,
  });
}
console.table(rows);
const [node, postgres] = [median(ratios.node), median(ratios.postgres)];
const holds = [node, postgres].every((ratio) => Math.abs(ratio - 1) <= WITHIN);
console.log(
  `the mix: ${node.toFixed(2)} of the server's and ${postgres.toFixed(2)} of Postgres' ` +
    `processor time predicted, bar within 20 %: ${holds ? 'holds' : 'MISSED'}`,
);
agent.destroy();
await log.close();
await server.stop();
await cluster.stop();
