/**
 * The cost of sealing personal data: sealing and opening an event in memory, for the events of one
 * ticket; and the ticket list from a sealed log against the same histories in the clear, in turns:
 * only read and folded, and rebuilt from the request until the new version is live.
 *
 *     node bench/personal.ts [events] [tickets] [rounds]
 *
 * Figures are processor time of this process and of Postgres, medians of the rounds, so that other
 * work on the machine counts little.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { ticketCodec } from '../src/domain/tickets/codecs.ts';
import type { TicketEvent } from '../src/domain/tickets/events.ts';
import type { EventStore, StoredEvent } from '../src/engine/log/event-store.ts';
import { logWith } from '../src/engine/log/log-with.ts';
import { memoryEventStore } from '../src/engine/log/memory/store.ts';
import { loggerOf } from '../src/engine/observe/logging.ts';
import { personKeysIn } from '../src/engine/personal/person-keys.ts';
import { sealedLog } from '../src/engine/personal/sealed-log.ts';
import { migrate } from '../src/engine/postgres/migrate.ts';
import { openDatabase } from '../src/engine/postgres/pool.ts';
import { foldAll, readTo } from '../src/engine/projections/rebuild/fold-all.ts';
import { secretsOf } from '../src/engine/secrets/secrets.ts';
import { systemClock } from '../src/engine/time/clock.ts';
import { migrations } from '../src/migrations/migrations.ts';
import { ticketList } from '../src/projections/tickets/list.ts';
import { benchCluster } from './support/cluster.ts';
import { cpuSince, cpuTime } from './support/cpu.ts';
import { median, recordFigures } from './support/figures.ts';
import { benchLog } from './support/log.ts';
import { fed, rebuild, until } from './support/rebuilds.ts';
import { recorded, writeHistories } from './support/ticket-histories.ts';

const [events = 100_000, tickets = 10_000, rounds = 5] = process.argv.slice(2).map(Number);
const BAR = { sealAndOpenUs: 5, rebuildTimes: 0.9 };
const ALONE = 5_000;

const cluster = await benchCluster();
const logger = loggerOf('warn');
const secrets = secretsOf([randomBytes(32)]);

const logIn = async (name: string, isSealed: boolean) => {
  const url = await cluster.database(name);
  const { log } = await benchLog('postgres', url);
  const db = openDatabase({ url, logger });
  await migrate(db.pool, migrations);
  /** The log with an empty cache of keys, as after the start of a process. */
  const opened = (stored: EventStore = log): EventStore => {
    if (!isSealed) return stored;
    const keys = personKeysIn({ pool: db.pool, secrets, clock: systemClock });
    return sealedLog(stored, keys, ticketCodec.types);
  };
  return { opened, log, db };
};
const logs = [await logIn('clear', false), await logIn('sealed', true)] as const;

const us = async (work: () => Promise<unknown>): Promise<number> => {
  const before = cpuTime(cluster.postmaster);
  await work();
  const { nodeUs, postgresUs } = cpuSince(before, cpuTime(cluster.postmaster));
  return nodeUs + (postgresUs ?? 0);
};

/** Measures a ticket's note, in memory, with cached keys. */
const note: TicketEvent = {
  type: 'NoteAdded',
  noteId: randomUUID(),
  body: 'The radiator in room 2.14 is still cold. Please ring before you come, after nine.',
  visibility: 'public',
};
/** A log in memory, at negligible cost. */
const keepingLog = (): EventStore => {
  const kept: StoredEvent[] = [];
  return logWith(memoryEventStore(), {
    async append(stream, _, added) {
      for (const event of added)
        kept.push({ ...event, stream, revision: kept.length, position: '1', recordedAt: '' });
      return { revision: kept.length - 1, position: '1', repeated: false };
    },
    readStream: async (_, { from = 0 } = {}) => kept.slice(from, from + 1_000),
  });
};
const alone = async (log: EventStore): Promise<number> => {
  const stream = `ticket-${randomUUID()}`;
  await log.append(stream, 'any', [recorded(note, 'acme')]);
  await log.readStream(stream);
  const given = Array.from({ length: ALONE }, () => recorded(note, 'acme'));
  const spent = await us(async () => {
    for (const event of given) await log.append(stream, 'any', [event]);
    for (let from = 0; from < ALONE; from += 1_000) await log.readStream(stream, { from });
  });
  return spent / ALONE;
};

const folded = async (log: EventStore) => {
  const { position } = await log.head();
  const { categories } = ticketList;
  const batches = readTo(log, null, position, { categories, signal: new AbortController().signal });
  const { applied } = await foldAll(ticketList, batches, {
    rowsMax: Infinity,
    overflow: { store: async () => {} },
    passedOver: new Set(),
    onProgress: () => {},
  });
  if (applied !== events) throw new Error(`${applied} events folded instead of ${events}`);
};

/** Figures per round, of the log in the clear and of the sealed one. */
const spent = { folded: [[], []], rebuilt: [[], []], alone: [[], []] } as Record<
  'folded' | 'rebuilt' | 'alone',
  [clear: number[], sealed: number[]]
>;
for (const { opened, db } of logs) {
  await writeHistories(opened(), { events, tickets, foreign: 0 });
  await db.pool.query('vacuum (analyze)');
}

for (let round = 0; round < rounds + 1; round += 1) {
  for (const [n, { opened, db }] of logs.entries()) {
    const fold = await us(() => folded(opened()));
    let again = 0;
    await fed(ticketList, { log: opened(), db, logger }, async (models) => {
      await until(async () => (await models.ready()) === true);
      again = await us(() => rebuild(models, ticketList.name));
    });
    const one = await alone(opened(keepingLog()));
    // The first round warms up.
    if (round === 0) continue;
    spent.folded[n]!.push(fold / events);
    spent.rebuilt[n]!.push(again / events);
    spent.alone[n]!.push(one);
  }
}
const verdict = (holds: boolean) => (holds ? 'holds' : 'MISSED');
const medians = (figures: readonly number[][]) => figures.map(median) as [number, number];

const [plain, boxed] = medians(spent.alone);
const sealing = boxed - plain;
console.log(
  `a note sealed and opened: ${sealing.toFixed(1)} µs, bar ${BAR.sealAndOpenUs} µs: ` +
    verdict(sealing <= BAR.sealAndOpenUs),
);
recordFigures({
  name: 'a note sealed and opened',
  value: sealing,
  unit: 'µs',
  better: 'less',
  bar: BAR.sealAndOpenUs,
});
for (const [name, of] of [
  ['read and folded', spent.folded],
  ['rebuilt', spent.rebuilt],
] as const) {
  const [clear, sealed] = medians(of);
  const times = clear / sealed;
  console.log(
    `the list ${name}: ${sealed.toFixed(1)} µs an event sealed, ${clear.toFixed(1)} in the ` +
      `clear: ${times.toFixed(2)} times, bar ${BAR.rebuildTimes}: ` +
      verdict(times >= BAR.rebuildTimes),
  );
  recordFigures({
    name: `the list ${name} from a sealed log, against one in the clear`,
    value: times,
    unit: '×',
    better: 'more',
    bar: BAR.rebuildTimes,
  });
}

for (const { log, db } of logs) {
  await log.close();
  await db.close();
}
await cluster.stop();
