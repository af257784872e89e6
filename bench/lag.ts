/**
 * The lag from an append until its row can be read, at a steady rate: a platform with all roles in
 * one process, tickets opened in its log, and a reader on a separate connection.
 *
 *     node bench/lag.ts [--eventstoredb] [--tickets <already there>] [seconds] [appends a second]
 *
 * The load is open-loop: an append is sent when it is due, however many are unanswered, and its lag
 * counts from its due time. The reader polls the unseen tickets by key every {@link
 * READER_PAUSE_MS}, so that much of the lag is the benchmark's own.
 * With `--eventstoredb` the log is the server at EVENTSTORE_URL, else a program on the PATH; the
 * read models are in Postgres on either. fsync is on.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { v7 as uuid } from 'uuid';
import { systemClock } from '../src/engine/time/clock.ts';
import { schemaOf } from '../src/engine/projections/projection.ts';
import { ticketList } from '../src/projections/tickets/list.ts';
import { ticketCodec } from '../src/domain/tickets/codecs.ts';
import { benchCluster } from './support/cluster.ts';
import { cpuSince, cpuTime } from './support/cpu.ts';
import { quantile, recordFigures } from './support/figures.ts';
import { benchLog } from './support/log.ts';
import { benchPlatform } from './support/platform.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    eventstoredb: { type: 'boolean', default: false },
    tickets: { type: 'string', default: '0' },
  },
});
const seconds = Number(positionals[0] ?? 20);
const perSecond = Number(positionals[1] ?? 500);
const ticketsBefore = Number(options.tickets);
const WARM_UP_SECONDS = 3;
const READER_PAUSE_MS = 2;
const BAR_P99_MS = options.eventstoredb ? 50 : 15;
const buildingId = uuid();

const ticketOpened = (ticketId: string, number: number) =>
  ticketCodec.encode(
    uuid(),
    {
      type: 'TicketOpened',
      ticketId,
      number: `SR-${String(number).padStart(6, '0')}`,
      organisation: 'acme',
      requestType: 'general',
      buildingId,
      storeyId: null,
      spaceId: null,
      elementId: null,
      subject: 'Radiator in the meeting room does not get warm',
      description: 'It was warm on Friday. The valve turns, and the room beside it is fine.',
      priority: 'high',
      category: 'heating',
      channel: 'portal',
      reporterName: null,
      reporterEmail: null,
      reporterPhone: null,
      formData: {},
      metadata: {},
      slaFirstResponseDueAt: new Date(Date.now() + 3_600_000).toISOString(),
      slaResolutionDueAt: new Date(Date.now() + 8 * 3_600_000).toISOString(),
    },
    {
      commandId: uuid(),
      at: systemClock.now(),
      by: { kind: 'user', id: 'ada' },
      origin: 'api',
      organisation: 'acme',
    },
  );

const cluster = await benchCluster();
const url = await cluster.database('bench');
const opened = await benchLog(options.eventstoredb ? 'eventstoredb' : 'postgres', url);
const { log } = opened;

let number = 0;
const append = async (ticketId: string) => {
  number += 1;
  await log.append(`ticket-${ticketId}`, 'no_stream', [ticketOpened(ticketId, number)]);
};
for (let left = ticketsBefore; left > 0; left -= 500)
  await Promise.all(Array.from({ length: Math.min(left, 500) }, () => append(uuid())));

const platform = await benchPlatform(url, log);

interface Sent {
  readonly dueAt: number;
  ackedAt?: number;
  seenAt?: number;
}
const sent = new Map<string, Sent>();
const measured: Sent[] = [];
const unseen = new Set<string>();
const failures: string[] = [];
let measuring = false;
const over = new AbortController();

const reader = async () => {
  const client = new Client({ connectionString: url });
  await client.connect();
  // Planned for the empty table, the query would scan all rows for the whole run.
  await client.query('set enable_seqscan = off');
  while (!over.signal.aborted || unseen.size > 0) {
    const { rows } = await client.query<{ id: string }>({
      name: 'seen',
      text: `select id from ${schemaOf(ticketList)}.ticket_list where id = any($1::uuid[])`,
      values: [[...unseen]],
    });
    const seenAt = performance.now();
    for (const { id } of rows) {
      unseen.delete(id);
      sent.get(id)!.seenAt = seenAt;
    }
    await sleep(READER_PAUSE_MS);
  }
  await client.end();
};

const answered = async (ticketId: string, its: Sent) => {
  try {
    await append(ticketId);
    its.ackedAt = performance.now();
  } catch (error) {
    failures.push(String(error));
    unseen.delete(ticketId);
  }
};

const load = async (forSeconds: number) => {
  const startedAt = performance.now();
  const answers: Promise<void>[] = [];
  for (let nth = 0; nth < forSeconds * perSecond;) {
    const dueNow = Math.min(
      forSeconds * perSecond,
      Math.floor(((performance.now() - startedAt) / 1_000) * perSecond),
    );
    for (; nth < dueNow; nth += 1) {
      const ticketId = uuid();
      const its: Sent = { dueAt: startedAt + (nth / perSecond) * 1_000 };
      sent.set(ticketId, its);
      unseen.add(ticketId);
      if (measuring) measured.push(its);
      answers.push(answered(ticketId, its));
    }
    await sleep(1);
  }
  await Promise.all(answers);
};

const reading = reader();
await load(WARM_UP_SECONDS);
measuring = true;
const cpu = cpuTime(cluster.postmaster);
await load(seconds);
over.abort();
await reading;
const { nodeUs, postgresUs } = cpuSince(cpu, cpuTime(cluster.postmaster));

const stored = measured.filter(({ ackedAt }) => ackedAt !== undefined);
if (failures.length > 0) console.error(`${failures.length} appends failed: ${failures[0]}`);

const printed = (name: string, took: readonly number[]) => {
  const p99 = quantile(took, 0.99);
  const figures = [quantile(took, 0.5), p99, quantile(took, 1)].map((ms) => ms.toFixed(1));
  console.log(`${name.padEnd(28)} p50 ${figures[0]}, p99 ${figures[1]}, max ${figures[2]} ms`);
  return p99;
};
console.log(
  `${stored.length} tickets at ${perSecond}/s on ${opened.name}, ${ticketsBefore} before; CPU ` +
    `${Math.round(nodeUs / measured.length)} µs here, reader and load included, and ` +
    `${Math.round((postgresUs ?? Number.NaN) / measured.length)} µs in Postgres for each`,
);
printed(
  'due to acknowledged',
  stored.map(({ dueAt, ackedAt }) => ackedAt! - dueAt),
);
const p99 = printed(
  'acknowledged to readable',
  // A row may be visible before this process receives the acknowledgement of its event.
  stored.map(({ ackedAt, seenAt }) => Math.max(0, seenAt! - ackedAt!)),
);
const whole = printed(
  'due to readable',
  stored.map(({ dueAt, seenAt }) => seenAt! - dueAt),
);
const verdict = (ms: number) => (ms < BAR_P99_MS ? 'kept' : 'missed');
console.log(
  `bar: p99 < ${BAR_P99_MS} ms, ${verdict(p99)} from the acknowledgement and ` +
    `${verdict(whole)} from when it was due`,
);
recordFigures({
  name: 'acknowledged to readable, p99',
  value: p99,
  unit: 'ms',
  better: 'less',
  bar: BAR_P99_MS,
});
await platform.stop();
await log.close();
await opened.release();
await cluster.stop();
process.exitCode = failures.length === 0 ? 0 : 1;
