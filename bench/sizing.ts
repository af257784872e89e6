/**
 * Bytes on disk of each ticket and its messages, use of an API key, sample and its announcement,
 * and webhook delivery: in the log, in read models and in their indexes. On EventStoreDB the same
 * in the files of its log, and the bytes that a scavenge frees.
 *
 *     node bench/sizing.ts [tickets] [uses] [samples] [deliveries]
 *     node bench/sizing.ts --eventstore [tickets] [uses]
 *
 * A ticket has six commands, as a typical one; each is a message on the bus. Samples are of 1,000
 * points every ten minutes, 1,000 per request.
 */
import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Pool } from 'pg';
import { systemClock } from '../src/engine/time/clock.ts';
import { secretsOf } from '../src/engine/secrets/secrets.ts';
import { untrustedHttp } from '../src/outbound/untrusted-http.ts';
import { sealFinishedDays } from '../src/building/telemetry/sealing.ts';
import { benchCluster } from './support/cluster.ts';
import { benchLog } from './support/log.ts';
import { meteredBuilding } from './support/metered-building.ts';
import { benchPlatform } from './support/platform.ts';
import { bytesByCategory, bytesBySchema, type TableBytes } from './support/table-bytes.ts';
import { printBytesOnEventstore } from './support/eventstore-bytes.ts';
import { useKeys } from './support/key-uses.ts';
import { untilPublished } from './support/published.ts';
import { observeSteps, STEP_POINTS } from './support/steps-of-samples.ts';
import { writeHistories } from './support/ticket-histories.ts';
import { deliverTo } from './support/webhook-deliveries.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { eventstore: { type: 'boolean', default: false } },
});
const amount = (at: number, otherwise: number) => Number(positionals[at] ?? otherwise);
const tickets = amount(0, 10_000);
const uses = amount(1, 100_000);
const samples = amount(2, 1_000_000);
const deliveries = amount(3, 10_000);
const COMMANDS_OF_TICKET = 6;

interface Line {
  readonly what: string;
  readonly rows: number;
  readonly indexes: number;
}

const lines: Line[] = [];
const note = (what: string, { rows, indexes }: TableBytes, count: number) =>
  lines.push({ what, rows: rows / count, indexes: indexes / count });

const NOTHING: TableBytes = { rows: 0, indexes: 0 };
const minus = (a: TableBytes, b: TableBytes): TableBytes => ({
  rows: a.rows - b.rows,
  indexes: a.indexes - b.indexes,
});

/** The growth of the log and of the read models during `work`. */
const grown = async (db: Pool, work: () => Promise<void>) => {
  const [logBefore, before] = [await bytesByCategory(db), await bytesBySchema(db)];
  await work();
  const [log, after] = [await bytesByCategory(db), await bytesBySchema(db)];
  return {
    log: (category: string) =>
      minus(log.get(category) ?? NOTHING, logBefore.get(category) ?? NOTHING),
    schemas: (named: RegExp) =>
      [...after]
        .filter(([schema]) => named.test(schema))
        .map(([schema, bytes]) => ({
          schema,
          bytes: minus(bytes, before.get(schema) ?? NOTHING),
        })),
  };
};

const ofDesk = async () => {
  const url = await cluster.database('desk');
  const { log } = await benchLog('postgres', url);
  const reach = untrustedHttp({ allowPrivate: true });
  const platform = await benchPlatform(url, log, { untrustedHttp: reach });
  const db = new Pool({ connectionString: url });
  const followed = async () => {
    for (const name of platform.readModels.names)
      while ((await platform.readModels.lag(name)).events !== 0) await sleep(100);
  };

  const events = tickets * COMMANDS_OF_TICKET;
  const desk = await grown(db, async () => {
    await writeHistories(log, { events, tickets, foreign: 0, slaDueAt: LATER });
    await untilPublished(db, log);
    await followed();
  });
  note('ticket: its events', desk.log('ticket'), tickets);
  note('ticket: its messages, for 7 days', desk.log('bus'), tickets);
  for (const { schema, bytes } of desk.schemas(/^ticket_/))
    note(`ticket: ${schema}`, bytes, tickets);

  const keys = await grown(db, async () => {
    await useKeys(log, uses);
    await followed();
    // A use is chained within ten seconds.
    while ((await chained(db)) < uses) await sleep(500);
  });
  note('use of a key: its record, for 18 months', keys.log('keyuse'), uses);
  note('use of a key: its chain', keys.log('auditchain'), uses);
  for (const { schema, bytes } of keys.schemas(/^key_audit/))
    note(`use of a key: ${schema}`, bytes, uses);

  const sent = await grown(db, async () => {
    await deliverTo({ log, secrets, deliveries, port: await sinkPort });
    while ((await attempted(db)) < deliveries) await sleep(200);
    await followed();
  });
  const atOnce = await recordedAtOnce(db);
  note('delivery: its record, for 30 days', sent.log('delivered'), atOnce);
  for (const { schema, bytes } of sent.schemas(/^webhook_(attempts|backlog)/))
    note(`delivery: ${schema}`, bytes, deliveries);
  await platform.stop();
  await reach.close();
  await db.end();
  await log.close();
};

const chained = async (db: Pool): Promise<number> => {
  const { rows } = await db.query<{ n: string }>(
    `select coalesce(sum(length(decode(data ->> 'links', 'base64')) / 48), 0) as n
     from es.event where stream like 'auditchain-%'`,
  );
  return Number(rows[0]!.n);
};

/** Deliveries that succeeded at the first attempt, of which many share one event. */
const recordedAtOnce = async (db: Pool): Promise<number> => {
  const { rows } = await db.query<{ n: string }>(
    `select coalesce(sum(json_array_length(data -> 'deliveries')), 0) as n
     from es.event where type = 'DeliveriesSucceeded'`,
  );
  return Number(rows[0]!.n);
};

/** Individually recorded deliveries: on a busy machine some take two seconds. */
const attempted = async (db: Pool): Promise<number> => {
  const { rows } = await db.query<{ n: string }>(
    `select count(*) as n from es.event where type = 'DeliveryAttempted'`,
  );
  return Number(rows[0]!.n) + (await recordedAtOnce(db));
};

const ofBuilding = async () => {
  const building = await meteredBuilding(await cluster.database('building'), STEP_POINTS);
  const { db } = building;
  const live = await grown(db, () => observeSteps(building, samples));
  note('sample: live, until its day is sealed', live.schemas(/^telemetry$/)[0]!.bytes, samples);
  note('sample: its announcement, for 7 days', live.log('telemetry'), samples);
  const before = await bytesOfTable(db, 'sealed_day');
  await sealFinishedDays(
    db,
    new Date(Date.parse(systemClock.now()) + SEALED_LATER_MS).toISOString(),
  );
  note('sample: sealed', minus(await bytesOfTable(db, 'sealed_day'), before), samples);
  await building.close();
};

const SEALED_LATER_MS = 30 * 86_400_000;
/** Far enough ahead that no timer fires meanwhile. */
const LATER = new Date(Date.parse(systemClock.now()) + SEALED_LATER_MS).toISOString();

const bytesOfTable = async (db: Pool, table: string): Promise<TableBytes> => {
  const { rows } = await db.query<{ rows: string; indexes: string }>(
    `select coalesce(sum(pg_table_size(inhrelid)), 0) as rows,
       coalesce(sum(pg_indexes_size(inhrelid)), 0) as indexes
     from pg_inherits where inhparent = $1::regclass`,
    [`telemetry.${table}`],
  );
  return { rows: Number(rows[0]!.rows), indexes: Number(rows[0]!.indexes) };
};

const secrets = secretsOf([Buffer.alloc(32, 7)]);
const cluster = await benchCluster();
const sink = fork(new URL('./support/webhook-sink.ts', import.meta.url), { stdio: 'inherit' });
const sinkPort = new Promise<number>((found) =>
  sink.on('message', ({ port }: { port?: number }) => port !== undefined && found(port)),
);
try {
  if (options.eventstore) {
    const url = await cluster.database('bench');
    const amounts = { tickets, commandsOfTicket: COMMANDS_OF_TICKET, uses, slaDueAt: LATER };
    await printBytesOnEventstore(url, amounts);
  } else {
    await ofDesk();
    await ofBuilding();
    console.table(
      Object.fromEntries(
        lines.map(({ what, rows, indexes }) => [
          what,
          {
            'bytes of rows': round(rows),
            'of indexes': round(indexes),
            together: round(rows + indexes),
          },
        ]),
      ),
    );
  }
} finally {
  sink.kill();
  await cluster.stop();
}

function round(bytes: number): number {
  return Number(bytes.toPrecision(3));
}
