/**
 * A storm of faults in one building, on the server of `npm start`, while another organisation reads
 * its list: latency of the list, blocking of the event loop, and memory.
 *
 *     node bench/fault-storm.ts [rules] [samples of an ingest] [ingests] [--spread]
 *
 * The samples alternate 1 ms apart: each rule opens 12 faults, and the last one flaps. With
 * `--spread` they are 11 minutes apart: every second sample opens a fault of each rule, which is
 * the maximum of one batch.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { faultStorm } from '../test/support/worst/fault-storm.ts';
import { opened } from '../test/support/worst/furnish.ts';
import { victimOf } from '../test/support/worst/run.ts';
import { measuredServer } from '../test/support/worst/server.ts';
import { benchCluster } from './support/cluster.ts';
import { median, quantile } from './support/figures.ts';

const { values, positionals } = parseArgs({
  options: { spread: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [rules = 20, samples = 5_000, ingests = 2] = positionals.map(Number);
const everyMs = values.spread ? 11 * 60_000 : 1;
const BARS = { listMs: 250, heldMs: 50 };

const cluster = await benchCluster();
const directory = mkdtempSync(join(tmpdir(), 'atrium-storm-'));
const server = await measuredServer({
  DATABASE_URL: await cluster.database('storm'),
  ATRIUM_DATA: directory,
});
process.once('exit', () => server.kill());

const VICTIM = 'west';
await opened(server, VICTIM);
// The first storm warms up compiled code.
const token = await server.tokenOf('manager', 'north');
await faultStorm(server, token, { rules: 2, samples: 200, ingests: 1, everyMs });
const { calibrationMs } = await server.measure();

const over = new AbortController();
const reading = victimOf(server, VICTIM, over.signal);
await server.begin();
const storm = await faultStorm(server, token, { rules, samples, ingests, everyMs });
const { heldMs, delayMs, cpuMs, rssMib } = await server.report();
over.abort();
const read = await reading;
const waited = read.map(({ ms }) => ms);

const round = (value: number) => value.toFixed(1);
console.log(
  `${rules} rules, ${ingests} ingests of ${samples} samples: ${storm.faults} faults, ` +
    `${storm.flapped} openings within those that flap, evaluated ` +
    `${round(storm.evaluatedMs / 1_000)} s after the last answer; ` +
    `a fixed piece of work: ${round(calibrationMs)} ms`,
);
console.log(
  `a list of another organisation meanwhile: ${read.length} times, p50 ${round(median(waited))}, ` +
    `p99 ${round(quantile(waited, 0.99))} ms (bar: ${BARS.listMs}), ` +
    `${read.filter(({ status }) => status !== 200).length} not answered`,
);
console.log(
  `event loop: held for ${round(heldMs)} ms at most (bar: ${BARS.heldMs}), a timer late by ` +
    `${round(delayMs)} ms, ${round(cpuMs / 1_000)} s computed; memory at most ${round(rssMib)} MiB`,
);

await server.stop();
await cluster.stop();
rmSync(directory, { recursive: true, force: true });
