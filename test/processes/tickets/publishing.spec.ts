import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { publicTicket } from '../../../src/domain/tickets/public-ticket.ts';
import type { TicketEvent } from '../../../src/domain/tickets/events.ts';
import type { Publish } from '../../../src/bus/publish-effect.ts';
import { effectId } from '../../../src/engine/processes/process.ts';
import { processControl } from '../../../src/engine/control/process-control.ts';
import { processRuntime } from '../../../src/engine/processes/processes.ts';
import { ticketPublishing } from '../../../src/processes/tickets/publishing.ts';
import { ticketChanges } from '../../../src/projections/tickets/feed/changes.ts';
import { LogUnavailable, type EventStore } from '../../../src/engine/log/event-store.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { letPass, until, WAITS_MAX_MS } from '../../support/until.ts';
import { testConsumers } from '../../support/consumers/consumers.ts';
import { freshDatabase } from '../../support/postgres/database.ts';
import { ticketLog, type TicketLog } from '../../support/log/ticket-log.ts';
import {
  assigned,
  firstResponseBreached,
  moved,
  noted,
  resolutionBreached,
  responded,
} from '../../support/domain/tickets.ts';

type Message = Parameters<Publish>;

let database: Awaited<ReturnType<typeof freshDatabase>>;
let log: EventStore;
let tickets: TicketLog;
/** The messages published to the bus, in order; `fails` may reject before. */
let messages: Message[];
let fails: (message: Message) => void;
let running: (() => Promise<void>)[];

beforeEach(async () => {
  database = await freshDatabase();
  log = memoryEventStore();
  tickets = ticketLog(log);
  messages = [];
  fails = () => {};
  running = [];
});
afterEach(async () => {
  for (const stop of running.splice(0)) await stop();
  await log.close();
  await database.drop();
});

const publishing = async () => {
  const { consumers, start, stop } = testConsumers(database.url, log, { silentMaxMs: 10_000 });
  const publish: Publish = async (...message) => {
    await letPass(0, 'a bus answers later than at once');
    fails(message);
    messages.push(message);
  };
  const processes = processRuntime({
    processes: [ticketPublishing(ticketChanges(log), publish)],
    consumers,
  });
  const control = processControl({ processes: processes.names, timers: [], consumers });
  start(processes.runners);
  running.push(stop);
  await until(async () => (await log.readStream('process-ticket-publishing')).length > 0);
  return { ...processes, status: control.status };
};
const settled = async (processes: Awaited<ReturnType<typeof publishing>>) => {
  const { position } = await log.head();
  if (!(await processes.waitFor(position!, WAITS_MAX_MS))) throw new Error('it did not follow');
};
const edited = (subject: string) =>
  ({ type: 'TicketEdited', changes: { subject } }) satisfies TicketEvent;
const published = () =>
  messages.map(([{ type }, data]) => [type, data['change'], data['revision']]);

describe('ticket publishing', () => {
  it('publishes one message per command, with the resulting ticket, without notes', async () => {
    const processes = await publishing();
    const id = await tickets.open();
    await tickets.command(id, [assigned('ana'), responded, noted()]);
    await tickets.command(id, [{ ...noted(), noteId: randomUUID() }]);
    await tickets.command(id, [moved('new', 'triaged')]);
    await tickets.command(id, [firstResponseBreached]);
    await settled(processes);
    expect(published()).toEqual([
      ['service-desk.ticket.created', 'created', 0],
      ['service-desk.ticket.updated', 'assignment', 3],
      ['service-desk.ticket.updated', 'state', 5],
      ['service-desk.ticket.sla_breached', 'sla', 6],
    ]);
    const changes = await ticketChanges(log).between(`ticket-${id}`, 0, 6);
    const { ticket, at } = changes.ended.get(5)!;
    const [subject, data, { at: publishedAt }] = messages[2]!;
    expect(subject.buildingId).toBe(ticket.buildingId);
    expect(data).toEqual({ ...publicTicket(ticket), change: 'state' });
    expect(publishedAt).toBe(at);
    const [stored] = await log.readStream(`ticket-${id}`, { from: 5, limit: 1 });
    expect(messages[2]![2].eventId).toBe(effectId('ticket-publishing', stored!.id, 0));
  });

  it('publishes the breach of a command before the command, as its timer would', async () => {
    const processes = await publishing();
    const id = await tickets.open();
    await tickets.command(id, [firstResponseBreached, resolutionBreached, assigned('ana')]);
    await settled(processes);
    expect(published().slice(1)).toEqual([
      ['service-desk.ticket.sla_breached', 'sla', 1],
      ['service-desk.ticket.sla_breached', 'sla', 2],
      ['service-desk.ticket.updated', 'assignment', 3],
    ]);
    const [, first, second, own] = messages.map(([, data]) => data);
    expect(first).toMatchObject({
      clock: 'first_response',
      dueAt: firstResponseBreached.dueAt,
      slaFirstResponseBreached: true,
      slaResolutionBreached: false,
      assignedUserId: null,
    });
    expect(second).toMatchObject({ clock: 'resolution', slaResolutionBreached: true });
    expect(own).not.toHaveProperty('clock');
    const stored = await log.readStream(`ticket-${id}`, { from: 1 });
    expect(messages.slice(1).map(([, , { eventId }]) => eventId)).toEqual(
      stored.map((fact) => effectId('ticket-publishing', fact.id, 0)),
    );
  });

  it('republishes under the same id after a crash', async () => {
    const first = await publishing();
    const id = await tickets.open();
    await settled(first);
    for (const subject of ['one', 'two', 'three']) await tickets.command(id, [edited(subject)]);
    await settled(first);
    await running.pop()!();
    const published = messages.splice(0);
    // The checkpoint is lost: its copy in the log is before all of them.
    await database.drop();
    database = await freshDatabase();
    await settled(await publishing());
    const ids = (list: readonly Message[]) => list.map(([, , { eventId }]) => eventId);
    expect(ids(messages)).toEqual(ids(published).slice(-messages.length));
    expect(messages.length).toBeGreaterThan(0);
    expect(messages.map(([, data, { at }]) => [data, at])).toEqual(
      published.slice(-messages.length).map(([, data, { at }]) => [data, at]),
    );
  });

  it('keeps each ticket’s order while the bus is unavailable', async () => {
    const processes = await publishing();
    const ids = [await tickets.open(), await tickets.open(), await tickets.open()];
    await settled(processes);
    messages.length = 0;
    let asked = 0;
    fails = () => {
      if ((asked += 1) % 3 === 0) throw new LogUnavailable('away');
    };
    for (let n = 0; n < 5; n += 1)
      for (const id of ids) await tickets.command(id, [edited(`${n}`)]);
    await settled(processes);
    for (const id of ids) {
      const ofTicket = messages.filter(([, data]) => data['id'] === id);
      expect(ofTicket.map(([, data]) => data['subject'])).toEqual(['0', '1', '2', '3', '4']);
    }
  });

  it('parks a ticket whose earlier events it cannot read', async () => {
    const id = await tickets.open();
    await tickets.raw(id, { type: 'TicketEnchanted', data: {} });
    const processes = await publishing();
    await tickets.command(id, [edited('after')]);
    await settled(processes);
    expect(messages).toEqual([]);
    expect((await processes.status())[0]).toMatchObject({ parked: 1 });
  });

  it('sets aside a ticket that it cannot read, and no other', async () => {
    const processes = await publishing();
    const [broken, whole] = [await tickets.open(), await tickets.open()];
    await tickets.raw(broken, { type: 'TicketEnchanted', data: {} });
    await tickets.command(whole, [edited('after')]);
    await settled(processes);
    expect(published().map(([, change]) => change)).toEqual(['created', 'created', 'fields']);
    expect((await processes.status())[0]).toMatchObject({ name: 'ticket-publishing', parked: 1 });
  });
});
