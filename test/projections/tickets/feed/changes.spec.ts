import { once } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { logReader, type LogReader } from '../../../../src/engine/consumers/log-reader.ts';
import { ticketChanges } from '../../../../src/projections/tickets/feed/changes.ts';
import type { EventStore } from '../../../../src/engine/log/event-store.ts';
import { logWith } from '../../../../src/engine/log/log-with.ts';
import { memoryEventStore } from '../../../../src/engine/log/memory/store.ts';
import { assigned, noted } from '../../../support/domain/tickets.ts';
import { ticketLog, type TicketLog } from '../../../support/log/ticket-log.ts';
import { until } from '../../../support/until.ts';
import { noon } from '../../../support/domain/specify.ts';

let log: EventStore;
let tickets: TicketLog;
let stop: AbortController;

beforeEach(() => {
  log = memoryEventStore();
  tickets = ticketLog(log);
  stop = new AbortController();
});
afterEach(async () => {
  stop.abort();
  await log.close();
});

/** Reads `from` to the head and on. */
const reading = async (from: EventStore): Promise<LogReader> => {
  const reader = logReader({ log: from });
  const ended = (async () => {
    for await (const { events } of reader.subscribe(null, { signal: stop.signal })) void events;
  })();
  ended.catch(() => {});
  await until(() => reader.livePosition() !== null, 'the first reading');
  return reader;
};

const counting = () => {
  let reads = 0;
  const readStream: EventStore['readStream'] = (...asked) => {
    reads += 1;
    return log.readStream(...asked);
  };
  return { log: logWith(log, { readStream }), reads: () => reads };
};

/** No fact is old enough to have expired, which would be looked for. */
const clock = { now: () => noon.at };

it('asks the log for no ticket that has been read of it already', async () => {
  await tickets.open();
  const reader = await reading(log);
  const opened: string[] = [];
  for (let each = 0; each < 20; each += 1) opened.push(await tickets.open('acme', [noted()]));
  const edited = opened[3]!;
  await tickets.command(edited, [assigned('crew-7')]);
  await tickets.open();
  const { position } = await log.head();
  await until(() => reader.livePosition() === position, 'the reading');

  const counted = counting();
  const changes = ticketChanges(counted.log, { recent: reader.recent, clock });
  const plain = ticketChanges(log, { clock });
  for (const id of opened) {
    const stream = `ticket-${id}`;
    const last = id === edited ? 2 : 1;
    for (let at = 0; at <= last; at += 1)
      expect(await changes.between(stream, at, at)).toEqual(await plain.between(stream, at, at));
    expect([...(await changes.between(stream, 0, last)).ended.keys()]).toContain(last);
  }
  expect(counted.reads()).toBe(0);
});

it('reads missing events from the log, and those from before its start', async () => {
  const before = await tickets.open();
  const reader = await reading(log);
  const last = await tickets.open();
  const { position } = await log.head();
  await until(() => reader.livePosition() === position, 'the reading');
  const counted = counting();
  const changes = ticketChanges(counted.log, { recent: reader.recent, clock });
  for (const id of [before, last])
    expect((await changes.between(`ticket-${id}`, 0, 0)).ended.get(0)?.ticketId).toBe(id);
  expect(counted.reads()).toBe(2);
});

it('reads from the log when the cached events have a gap', async () => {
  const id = await tickets.open('acme', [noted()]);
  await tickets.command(id, [assigned('crew-7')]);
  await tickets.command(id, [assigned('crew-8')]);
  const stream = `ticket-${id}`;
  const all = await log.readStream(stream);
  const recent = (_: string, from: number) =>
    all.filter(({ revision }) => revision >= from && revision !== 2);
  const { ended } = await ticketChanges(log, { recent, clock }).between(stream, 3, 3);
  expect([...ended.keys()]).toContain(3);
});

it('does not treat a command as complete when a page ends within it', async () => {
  const begun = Promise.withResolvers<void>();
  /** A log that gives one event at a time, and the third one never. */
  const slow = logWith(log, {
    async *subscribe(after, options) {
      let given = 0;
      begun.resolve();
      for await (const batch of log.subscribe(after, options))
        for (const event of batch.events) {
          given += 1;
          if (given > 2) await once(options.signal, 'abort');
          yield { events: [event], upTo: event.position, caughtUp: true };
        }
    },
  });
  const reader = logReader({ log: slow });
  let seen = 0;
  const ended = (async () => {
    const subscribed = reader.subscribe(null, { signal: stop.signal });
    for await (const { events } of subscribed) seen += events.length;
  })();
  ended.catch(() => {});
  await begun.promise;
  const id = await tickets.open('acme', [noted(), assigned('crew-7')]);
  await until(() => seen === 2, 'two of its three facts');

  const changes = ticketChanges(log, { recent: reader.recent, clock });
  const { ended: over } = await changes.between(`ticket-${id}`, 0, 1);
  expect([...over.keys()]).toEqual([]);
  expect([...(await changes.between(`ticket-${id}`, 0, 2)).ended.keys()]).toEqual([2]);
});
