/**
 * The worst requests that the schemas of every route allow, from three organisations, while a
 * fourth one reads its list: the time for which each blocks the server's event loop, as CPU time of
 * its thread and as wall time.
 *
 *     node bench/worst-case.ts [--eventstoredb] [--small] [part of a request's name]
 *
 * A slow request is repeated, and the better run counts, because the first one includes
 * compilation. With `--small` there is less data.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventstoreProgram, eventstoreServer } from '../test/support/eventstoredb/server.ts';
import { runWorst } from '../test/support/worst/run.ts';
import { measuredServer } from '../test/support/worst/server.ts';
import { benchCluster } from './support/cluster.ts';
import { median, quantile } from './support/figures.ts';

/** A longer blocking of the event loop is printed at once. */
const SHOWN_MS = 25;

const SMALL = {
  tickets: 20,
  // Read models fold and write as much of them at once as they may.
  importedTickets: 150,
  notes: 30,
  spaces: 2_000,
  importBytes: 256 * 1024,
  everyFlood: false,
  callers: 2,
};
const LARGE = {
  tickets: 200,
  importedTickets: 150,
  notes: 270,
  spaces: 60_000,
  importBytes: 60 * 1024 * 1024,
  everyFlood: true,
  callers: 4,
};

const words = process.argv.slice(2);
const onEventStore = words.includes('--eventstoredb');
const part = words.find((word) => !word.startsWith('--')) ?? '';

const cluster = await benchCluster();
const program = onEventStore ? eventstoreProgram() : null;
const log = program === null ? null : await eventstoreServer(program);
const directory = mkdtempSync(join(tmpdir(), 'atrium-worst-'));
const server = await measuredServer({
  DATABASE_URL: await cluster.database('worst'),
  ATRIUM_DATA: directory,
  ...(log ? { EVENTSTORE_URL: log.url } : {}),
});

process.once('exit', () => server.kill());
const began = performance.now();
const scale = words.includes('--small') ? SMALL : LARGE;
const { outcomes, together, victim, ...run } = await runWorst(server, scale, {
  request: (name) => name.includes(part),
  onOutcome: ({ name, status, heldMs }) =>
    heldMs > SHOWN_MS || status >= 500
      ? console.error(`${heldMs.toFixed(1)} ms ${status} ${name}`)
      : undefined,
});
const held = outcomes.map(({ heldMs }) => heldMs);
const waited = victim.map(({ ms }) => ms);
const round = (value: number) => value.toFixed(1);
console.log(
  `${outcomes.length} requests in ${round((performance.now() - began) / 1_000)} s, on ` +
    `${log ? 'EventStoreDB' : 'the embedded log'}; ` +
    `a fixed piece of work: ${round(run.calibrationMs)} ms`,
);
console.log(
  `event loop held: p50 ${round(median(held))}, p99 ${round(quantile(held, 0.99))}, ` +
    `most ${round(Math.max(...held))} ms; memory at most ${round(run.rssMib)} MiB`,
);
console.log(
  `a list of another organisation meanwhile: ${waited.length} times, p50 ` +
    `${round(median(waited))}, p99 ${round(quantile(waited, 0.99))} ms, ` +
    `${victim.filter(({ status }) => status !== 200).length} not answered`,
);
for (const status of [...new Set(outcomes.map((one) => one.status))].toSorted((a, b) => a - b)) {
  console.log(`  ${status}: ${outcomes.filter((one) => one.status === status).length}`);
}
for (const { name, status, code, heldMs, delayMs } of outcomes
  .toSorted((a, b) => b.heldMs - a.heldMs)
  .slice(0, 40)) {
  console.log(
    `${round(heldMs).padStart(8)} ms held ${round(delayMs).padStart(8)} ms late  ${status} ` +
      `${code ?? ''}  ${name}`,
  );
}
console.log(
  `${together.length} of them at once: ` +
    [...new Set(together.map(({ status, code }) => `${status} ${code ?? ''}`))]
      .map((what) => {
        const count = together.filter(({ status, code }) => `${status} ${code ?? ''}` === what);
        return `${count.length} of ${what}`;
      })
      .join(', ') +
    `; the loop held for ${round(together[0]?.heldMs ?? 0)} ms at most`,
);
for (const { name, status, answer } of outcomes.filter((one) => one.status >= 500)) {
  console.log(`FAILED ${status} ${name}: ${answer}`);
}

await server.stop();
await log?.release();
await cluster.stop();
rmSync(directory, { recursive: true, force: true });
