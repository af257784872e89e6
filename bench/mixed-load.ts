/**
 * The simulation of docs/operating/scale.md against a real run: `npm start`'s server is sent each
 * kind of request alone, at the rate that it has in the mix, which gives the unit costs; then all
 * kinds at once. The simulation is given those unit costs and rates, and has to predict the share
 * of the processors that the mix took.
 *
 *     node bench/mixed-load.ts [seconds] [rounds]
 *
 * Callers come at random moments and wait for nobody. What the idle server takes is measured apart,
 * and added once.
 */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { postgresEventStore, prepareLog } from '../src/engine/log/postgres/store.ts';
import { benchCluster } from './support/cluster.ts';
import { processUs, treeUs } from './support/cpu.ts';
import { median } from './support/figures.ts';
import { mintedTokens } from './support/key-tables.ts';
import { shippedServer, type BenchRequest, type Load } from './support/shipped-server.ts';
import type { Model } from './support/simulation/model.ts';
import { randomFrom } from './support/simulation/random.ts';
import { simulate } from './support/simulation/simulate.ts';

const [seconds = 15, rounds = 3] = process.argv.slice(2).map(Number);
/** A second; together a third of a core here, so that nothing waits long. */
const RATES = { key: 250, read: 250, list: 40, create: 40 } as const satisfies Partial<
  Record<Load, number>
>;
type Kind = keyof typeof RATES;
const KINDS = Object.keys(RATES) as Kind[];
const ORGANISATIONS = 50;
/** What follows an answer has ended by then. */
const SETTLE_MS = 3_000;
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
await log.close();
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

/** Requests of these kinds for `seconds`; what it took, everything that follows included. */
const run = async (kinds: readonly Kind[]) => {
  const before = cpu();
  const sent: Record<string, number> = {};
  const beganMs = performance.now();
  await Promise.all(
    kinds.map(async (kind) => {
      const answers: Promise<void>[] = [];
      let atMs = 0;
      for (let n = 0; ; n += 1) {
        atMs += random.exponential(1_000 / RATES[kind]);
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
  await sleep(SETTLE_MS);
  return { took: since(before), lasted: (performance.now() - beganMs) / 1_000, sent };
};

type UnitCosts = Readonly<Record<Kind, Cpu>>;

/** What the simulation says that the mix takes a second, without the idle server. */
const predicted = (costs: UnitCosts, perSecond: Readonly<Record<string, number>>) => {
  const model: Model = {
    seed: 1,
    seconds: 200,
    stations: [
      { name: 'process', servers: 1 },
      { name: 'postgres', servers: 2 },
    ],
    classes: KINDS.map((name) => ({
      name,
      perSecond: perSecond[name]!,
      steps: [
        { station: 'process', meanUs: costs[name].nodeUs },
        { station: 'postgres', meanUs: costs[name].postgresUs },
      ],
    })),
  };
  const { stations } = simulate(model);
  const busy = (name: string) =>
    stations.get(name)!.utilisation * stations.get(name)!.servers * 1e6;
  return { nodeUs: busy('process'), postgresUs: busy('postgres') };
};

await run(KINDS);
const ratios: { node: number[]; postgres: number[] } = { node: [], postgres: [] };
const rows: object[] = [];
for (let round = 1; round <= rounds; round += 1) {
  const idle = await run([]);
  const perSecondIdle = (figure: keyof Cpu) => idle.took[figure] / idle.lasted;
  const costs: Partial<Record<Kind, Cpu>> = {};
  for (const kind of KINDS) {
    const { took, lasted, sent } = await run([kind]);
    const each = (figure: keyof Cpu) =>
      Math.max(0, took[figure] - perSecondIdle(figure) * lasted) / sent[kind]!;
    costs[kind] = { nodeUs: each('nodeUs'), postgresUs: each('postgresUs') };
  }
  const mix = await run(KINDS);
  const perSecond = Object.fromEntries(KINDS.map((kind) => [kind, mix.sent[kind]! / seconds]));
  const simulated = predicted(costs as UnitCosts, perSecond);
  const ratio = (figure: keyof Cpu) =>
    (simulated[figure] * seconds + perSecondIdle(figure) * mix.lasted) / mix.took[figure];
  ratios.node.push(ratio('nodeUs'));
  ratios.postgres.push(ratio('postgresUs'));
  const percent = (figure: keyof Cpu) => (mix.took[figure] / mix.lasted / 1e4).toFixed(1);
  rows.push({
    round,
    ...Object.fromEntries(
      KINDS.map((kind) => {
        const { nodeUs, postgresUs } = costs[kind]!;
        return [`${kind}, µs`, `${nodeUs.toFixed(0)} + ${postgresUs.toFixed(0)}`];
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
await server.stop();
await cluster.stop();
