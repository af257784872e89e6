/**
 * A read model made from the first event on, beside the live one, end to end: read from the
 * embedded log, folded in memory, written by COPY, indexed, caught up and swapped in; against
 * reading and folding the same log alone, in the same run.
 *
 *     node bench/rebuild.ts [events] [tickets] [foreign events beside each]
 *
 * With reads and writes: the list is rebuilt again while two readers ask it for pages and a writer
 * appends, without a pause.
 */
import { v7 as uuid } from 'uuid';
import { openDatabase } from '../src/db/pool.ts';
import { ownership } from '../src/db/ownership.ts';
import type { TicketEvent } from '../src/domain/ticket/events.ts';
import { systemClock } from '../src/ops/clock.ts';
import { loggerOf } from '../src/ops/logging.ts';
import { foldAll, readTo, type Folded } from '../src/projections/fold-all.ts';
import type { AnyProjection } from '../src/projections/projection.ts';
import { readModels, type ReadModels } from '../src/projections/read-models.ts';
import { ticketList } from '../src/projections/ticket-list.ts';
import { ticketQueries } from '../src/projections/ticket-queries.ts';
import { ticketSearch } from '../src/projections/ticket-search.ts';
import { ticketCodec } from '../src/store/codecs.ts';
import type { NewEvent } from '../src/store/event-store.ts';
import { postgresEventStore, prepareLog } from '../src/store/postgres.ts';
import { desk } from './ticket-data.ts';
import { benchCluster } from './support/cluster.ts';
import { cpuSince, cpuTime } from './support/cpu.ts';
import { quantile } from './support/figures.ts';

const events = Number(process.argv[2] ?? 1_000_000);
const tickets = Number(process.argv[3] ?? events / 10);
const foreign = Number(process.argv[4] ?? 0);
const BAR = { times: 0.6, perSecond: 150_000 };
const TURNS = ['triaged', 'in_progress', 'waiting'] as const;

const recorded = (event: TicketEvent, organisation: string): NewEvent =>
  ticketCodec.encode(uuid(), event, {
    commandId: uuid(),
    at: systemClock.now(),
    by: { kind: 'user', id: 'ada' },
    origin: 'api',
    organisation,
  });

const cluster = await benchCluster();
const url = await cluster.database('bench');
const logger = loggerOf('warn');
await prepareLog(url);
const log = postgresEventStore({ url });
const db = openDatabase({ url, logger });

/** Histories of equal length, turn by turn through a part of the tickets at a time. */
const filled = async () => {
  const length = Math.round(events / tickets);
  const rows = desk(tickets).rows();
  const beside = async (at: number) => {
    for (let left = foreign; left > 0; left -= 100) {
      const some = Array.from({ length: Math.min(left, 100) }, () => ({
        id: uuid(),
        type: 'KeyUsed',
        data: { keyId: 'mk_live_0123456789ab', route: '/api/v1/buildings', status: 200 },
        meta: { commandId: uuid() },
      }));
      await log.append(`keyuse-acme${at % 97}.202603`, 'any', some);
    }
  };
  const write = async () => {
    for (let next = rows.next(); !next.done; next = rows.next()) {
      const row = next.value;
      const organisation = row.organisationId;
      const history: TicketEvent[] = [
        {
          type: 'TicketOpened',
          ticketId: row.id,
          number: row.number,
          organisation,
          buildingId: row.buildingId,
          requestType: row.requestType,
          description: row.description,
          priority: row.priority,
          channel: row.channel,
          storeyId: row.storeyId,
          spaceId: row.spaceId,
          elementId: row.elementId,
          subject: row.subject,
          category: row.category,
          reporterName: row.reporterName,
          reporterEmail: row.reporterEmail,
          reporterPhone: row.reporterPhone,
          formData: row.formData,
          metadata: row.metadata,
          slaFirstResponseDueAt: row.slaFirstResponseDueAt,
          slaResolutionDueAt: row.slaResolutionDueAt,
        },
      ];
      for (let at = 1; at < length; at += 1)
        history.push(
          at % 3 === 0
            ? { type: 'TicketAssigned', assignedUserId: row.assignedUserId, assignedTeamId: null }
            : { type: 'TicketTransitioned', from: 'triaged', to: TURNS[at % 3]! },
        );
      const stored = history.map((event) => recorded(event, organisation));
      await log.append(`ticket-${row.id}`, 'no_stream', stored);
      for (let at = 0; at < length; at += 1) await beside(at);
    }
  };
  await Promise.all(Array.from({ length: 64 }, write));
};
console.log(`writing ${events} events of ${tickets} tickets, ${foreign} foreign beside each`);
await filled();
await db.pool.query('vacuum (analyze)');

interface Figures {
  readonly seconds: number;
  readonly perSecond: number;
}

const timed = async (name: string, work: () => Promise<unknown>): Promise<Figures> => {
  await db.pool.query('checkpoint');
  const before = cpuTime(cluster.postmaster);
  const startedAt = performance.now();
  await work();
  const { nodeUs, postgresUs } = cpuSince(before, cpuTime(cluster.postmaster));
  const each = (us: number) => (us / events).toFixed(1);
  const seconds = (performance.now() - startedAt) / 1_000;
  const perSecond = Math.round(events / seconds);
  const rate = perSecond.toLocaleString('en').padStart(9);
  console.log(
    `${name.padEnd(46)} ${rate} events/s, ${seconds.toFixed(1)} s, ` +
      `CPU per event ${each(nodeUs)} µs here and ${each(postgresUs ?? Number.NaN)} in Postgres`,
  );
  return { seconds, perSecond };
};

/** The peer: everything but the database that is written. */
const alone = async (projection: AnyProjection): Promise<Folded> => {
  const { position } = await log.head();
  const signal = new AbortController().signal;
  return foldAll(projection, readTo(log, null, position, { ...projection, signal }), {
    rowsMax: Infinity,
    passedOver: new Set(),
    told: () => {},
  });
};

const feeding = async (projection: AnyProjection, work: (models: ReadModels) => Promise<void>) => {
  const owners = ownership({ url, logger });
  const stop = new AbortController();
  const parts = { log, db, ownership: owners, clock: systemClock, logger };
  const models = readModels({ projections: [projection], ...parts });
  const ended = models.start(stop.signal);
  await work(models);
  stop.abort();
  await ended;
  await owners.close();
};

const until = async (holds: () => Promise<boolean>) => {
  while (!(await holds())) await new Promise((go) => setTimeout(go, 20));
};

const rebuilt = async (models: ReadModels, name: string) => {
  const { id } = await models.ask(name, { kind: 'rebuild', by: 'bench' });
  const find = async () => (await models.requests(name)).find((request) => request.id === id)!;
  let phase = '';
  let since = performance.now();
  await until(async () => {
    const { endedAt, progress } = await find();
    if (progress && progress.phase !== phase) {
      const seconds = (performance.now() - since) / 1_000;
      if (phase !== '') console.log(`    ${phase} ${seconds.toFixed(1)} s`);
      phase = progress.phase;
      since = performance.now();
    }
    return endedAt !== null;
  });
  const { state, error } = await find();
  if (state !== 'done') throw new Error(`${state}: ${error}`);
};

const peer = await timed('reading and folding alone', () => alone(ticketList));
await feeding(ticketList, async (models) => {
  const first = await timed('ticket-list, made from nothing', () =>
    until(async () => (await models.ready()) === true),
  );
  const again = await timed('ticket-list, rebuilt', () => rebuilt(models, 'ticket-list'));

  const queries = ticketQueries(db);
  const stop = new AbortController();
  const tookMs: number[] = [];
  let appended = 0;
  const read = async () => {
    while (!stop.signal.aborted) {
      const startedAt = performance.now();
      const filter = { organisation: 'acme', now: systemClock.now() };
      const { items } = await queries.list({ ...filter, page: 1, limit: 50 });
      if (items.length !== 50) throw new Error('a page is missing');
      tookMs.push(performance.now() - startedAt);
    }
  };
  const write = async () => {
    const stream = (await log.readAll(null, { limit: 1, categories: ['ticket'] })).events[0]!;
    const last = await log.readStream(stream.stream, { backwards: true, limit: 1 });
    for (let at = last[0]!.revision; !stop.signal.aborted; at += 1) {
      const moved = { type: 'TicketTransitioned', from: 'triaged', to: 'in_progress' } as const;
      await log.append(stream.stream, at, [recorded(moved, 'acme')]);
      appended += 1;
    }
  };
  const busy = Promise.all([read(), read(), write()]);
  const beside = await timed('ticket-list, rebuilt beside reads and writes', () =>
    rebuilt(models, 'ticket-list'),
  );
  stop.abort();
  await busy;
  console.log(
    `    ${tookMs.length} pages read, none failed: ` +
      `median ${quantile(tookMs, 0.5).toFixed(1)} ms, ` +
      `p99 ${quantile(tookMs, 0.99).toFixed(1)} ms; ` +
      `${Math.round(appended / beside.seconds)} appends/s`,
  );
  for (const [name, { perSecond }] of Object.entries({ first, again }))
    console.log(
      `${name}: ${(perSecond / peer.perSecond).toFixed(2)} of reading and folding alone ` +
        `(bar ${BAR.times}), ${perSecond >= BAR.perSecond ? 'over' : 'under'} ` +
        `${BAR.perSecond.toLocaleString('en')}/s`,
    );
});
await feeding(ticketSearch, async (models) => {
  await timed('ticket-search, made from nothing', () =>
    until(async () => (await models.ready()) === true),
  );
});
await log.close();
await db.close();
await cluster.stop();
