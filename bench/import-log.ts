/**
 * Imports a file of events into EventStoreDB with the code of `atrium events import`: in the order
 * of the file, and with `--fast`. Each import gets a new server, with its flush to disk on. The
 * peer in the same run is the same file appended sequentially.
 *
 *     node bench/import-log.ts [events] [events a stream] [--without-peer]
 *
 * Streams are interleaved as in the log of a busy server, so that consecutive events are rarely of
 * the same stream. CPU is this process's.
 */
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { eventstoreDbStore } from '../src/engine/log/eventstoredb/store.ts';
import { logWith } from '../src/engine/log/log-with.ts';
import type { EventStore } from '../src/engine/log/event-store.ts';
import { logIdentity } from '../src/engine/log/log-identity.ts';
import { memoryEventStore } from '../src/engine/log/memory/store.ts';
import { systemClock } from '../src/engine/time/clock.ts';
import { exported } from '../src/operator/events/exporter.ts';
import { Checksum } from '../src/operator/events/file.ts';
import { importFile } from '../src/operator/events/import-command.ts';
import { appendMissing } from '../src/operator/events/importer.ts';
import { fileOutput } from '../src/operator/events/output.ts';
import { lookUp, planOf } from '../src/operator/events/plan.ts';
import { recordFigures } from './support/figures.ts';
import { eventstoreProgram, eventstoreServer } from '../test/support/eventstoredb/server.ts';
import { fill } from '../test/support/log/contents.ts';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'without-peer': { type: 'boolean', default: false } },
});
const events = Number(positionals[0] ?? 50_000);
const perStream = Number(positionals[1] ?? 8);
const IN_ORDER_PER_SECOND_BAR = 3_000;
const { signal } = new AbortController();

const program = eventstoreProgram();
if (!program) throw new Error('no eventstored on the PATH');
const directory = await mkdtemp(join(tmpdir(), 'atrium-import-log-'));
const path = join(directory, 'events.ndjson');

const writeFile = async () => {
  const source = memoryEventStore();
  await fill(source, events, Math.ceil(events / perStream));
  const output = fileOutput(await open(path, 'wx'), 0);
  const header = {
    atriumEvents: 1 as const,
    log: await logIdentity(source),
    backend: source.backend,
    exportedAt: systemClock.now(),
    after: null,
    categories: null,
  };
  await exported(source, { header, begun: false, checksum: new Checksum(), signal }, output);
  await output.close();
  await source.close();
};

/** Runs `work` on a new server. */
const timed = async (name: string, work: (log: EventStore) => Promise<unknown>, bar?: number) => {
  const server = await eventstoreServer(program);
  const log = eventstoreDbStore({ url: server.url });
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  await work(log);
  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  console.log(
    `${name.padEnd(44)} ${Math.round(events / seconds)} events/s, ${seconds.toFixed(1)} s, ` +
      `CPU per event ${((user + system) / events).toFixed(0)} µs`,
  );
  recordFigures({ name, value: events / seconds, unit: '/s', better: 'more', bar });
  await log.close();
  await server.release();
};

const appended = (onLog: (log: EventStore) => EventStore) => async (log: EventStore) => {
  const plan = await planOf(path, false);
  await lookUp(log, plan, signal);
  await appendMissing(onLog(log), plan, { order: 'in-order', signal });
};

await writeFile();
try {
  await timed(
    'whole import, in order',
    (log) => importFile(log, path, {}, signal),
    IN_ORDER_PER_SECOND_BAR,
  );
  await timed('whole import, --fast', (log) => importFile(log, path, { fast: true }, signal));
  await timed(
    'appends alone, in order',
    appended((log) => log),
  );
  if (!flags['without-peer'])
    await timed(
      'appends alone, one call after the other',
      appended((log) => logWith(log, {})),
    );
} finally {
  await rm(directory, { recursive: true });
}
