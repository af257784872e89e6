/**
 * The start of `npm start`'s server until it is ready, on a Postgres with this number of tickets:
 * first, when it builds every read model, and then again, after it was stopped.
 *
 *     node bench/start.ts [tickets] [starts]
 */
import { postgresEventStore, prepareLog } from '../src/engine/log/postgres/store.ts';
import { benchCluster } from './support/cluster.ts';
import { processUs, treeUs } from './support/cpu.ts';
import { median, recordFigures } from './support/figures.ts';
import { shippedServer } from './support/shipped-server.ts';
import { writeHistories } from './support/ticket-histories.ts';

const [tickets = 1_000_000, starts = 7] = process.argv.slice(2).map(Number);
const BAR_SECONDS = 3;

const cluster = await benchCluster();
const url = await cluster.database('start');
await prepareLog(url);
const log = postgresEventStore({ url });
await writeHistories(log, { events: tickets, tickets, foreign: 0 });
await log.close();

const started = async (name: string): Promise<number> => {
  const postgresUs = () => treeUs(cluster.postmaster) ?? Number.NaN;
  const before = postgresUs();
  const server = await shippedServer(url, []);
  const [nodeSeconds, postgresSeconds] = [
    processUs(server.pid) / 1e6,
    (postgresUs() - before) / 1e6,
  ];
  await server.stop('SIGTERM');
  const seconds = server.readyMs / 1_000;
  console.log(
    `${name}: ready after ${seconds.toFixed(1)} s, ` +
      `CPU ${nodeSeconds.toFixed(1)} + ${postgresSeconds.toFixed(1)} s`,
  );
  return seconds;
};

try {
  await started(`${tickets} tickets, read models built`);
  const again: number[] = [];
  for (let start = 0; start < starts; start += 1) again.push(await started('again'));
  const seconds = median(again);
  console.log(
    `again: median ${seconds.toFixed(1)} s, bar ${BAR_SECONDS} s: ` +
      (seconds <= BAR_SECONDS ? 'holds' : 'MISSED'),
  );
  recordFigures({ name: 'again', value: seconds, unit: 's', better: 'less', bar: BAR_SECONDS });
} finally {
  await cluster.stop();
}
