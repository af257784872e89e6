import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { workOrderIntake } from '../../../src/processes/work-orders/intake.ts';
import { workOrderCodec } from '../../../src/domain/work-orders/codecs.ts';
import { workOrderAfter, workOrderDecider } from '../../../src/domain/work-orders/work-order.ts';
import { aggregate } from '../../../src/engine/aggregates/aggregate.ts';
import { LogUnavailable, type EventStore } from '../../../src/engine/log/event-store.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { noon } from '../../support/domain/specify.ts';
import { draft, viewOf, historyOf } from '../../support/domain/tickets.ts';
import { sent, type Sent } from '../../support/domain/work-order-events.ts';

const { buildingId } = draft;
const view = viewOf(historyOf('new'));

const intakeOn = (log: EventStore) =>
  workOrderIntake({
    tickets: { look: async () => ({ view, revision: 0, position: '0' }) },
    workOrders: aggregate({
      log,
      category: 'workOrder',
      codec: workOrderCodec,
      decider: workOrderDecider,
      viewAfter: workOrderAfter,
    }),
    graph: { building: async () => null },
    clock: systemClock,
  });

const message = (kind: string, over: Partial<Sent>) => {
  const data = sent(buildingId, over);
  const subject = { buildingId, type: `cafm.work-order.${kind}` };
  return { id: randomUUID(), subject, data, eventId: data.eventId, ...noon };
};

it('records the rest of an event whose delivery ended between two appends', async () => {
  const log = memoryEventStore();
  const tickets = Array.from({ length: 20 }, () => randomUUID());
  for (const ticketId of tickets) await intakeOn(log).handle(message('created', { ticketId }));
  const directed = async (eventId: string) => {
    const stored = await log.readStream(`workOrder-${buildingId}.4711`, { from: 0, limit: 500 });
    return stored
      .map((one) => workOrderCodec.decode(one).event)
      .filter(({ event }) => event.eventId === eventId)
      .map((fact) => fact.type === 'WorkOrderEventDirected' && fact.ticketId);
  };

  const failing = Object.create(log) as EventStore;
  let appends = 0;
  failing.append = (...given) => {
    appends += 1;
    return appends < 3 ? log.append(...given) : Promise.reject(new LogUnavailable('gone'));
  };
  const update = message('updated', { note: 'At home after 5.' });
  await expect(intakeOn(failing).handle(update)).rejects.toThrow('gone');
  expect(await directed(update.eventId)).toEqual(tickets.slice(0, 16));

  await intakeOn(log).handle(update);
  expect(await directed(update.eventId)).toEqual(tickets);
  // Another one folds the stream once, however many portions there were.
  const watched = Object.create(log) as EventStore;
  let read = 0;
  watched.readStream = async (...of) => {
    const page = await log.readStream(...of);
    read += page.length;
    return page;
  };
  await intakeOn(watched).handle(update);
  expect(await directed(update.eventId)).toEqual(tickets);
  expect(read).toBe(tickets.length * 2);
});
