import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { logBus } from '../../src/bus/log/bus.ts';
import { recognisingKept } from '../../src/bus/log/kept-messages.ts';
import { busPage } from '../../src/bus/log/page.ts';
import { changeFeed, type ChangeSelection } from '../../src/projections/tickets/feed/feed.ts';
import { loggerOf } from '../../src/engine/observe/logging.ts';
import { busPositions } from '../../src/projections/bus/positions.ts';
import {
  busPositionIndex,
  keptBusMessage,
  ticketPositionIndex,
} from '../../src/projections/position-queries.ts';
import { ticketPositions } from '../../src/projections/tickets/positions.ts';
import type { EventStore, Position } from '../../src/engine/log/event-store.ts';
import type { LogIndex } from '../../src/engine/log/log-index.ts';
import { logWith } from '../../src/engine/log/log-with.ts';
import {
  caughtUp,
  projectionTests,
  requestDone,
  type RunningProjections,
} from '../support/consumers/running-projections.ts';
import { noon } from '../support/domain/specify.ts';
import { draft, opened } from '../support/domain/tickets.ts';
import { happened } from '../support/log/events.ts';
import { busIndexOf, ticketIndexOf } from '../support/log/memory-index.ts';
import { ticketLog, type TicketLog } from '../support/log/ticket-log.ts';

const elsewhere = '3b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22';
const clock = { at: '2026-03-02T12:00:00.000Z', now: () => clock.at };

const projections = [ticketPositions, busPositions];
const test = projectionTests({ projections, clock });
let log: EventStore;
let tickets: TicketLog;
let one: RunningProjections;

beforeEach(() => {
  ({ log } = test);
  tickets = ticketLog(log);
  clock.at = '2026-03-02T12:00:00.000Z';
  one = test.start();
});

const shownIn = ({ models }: Pick<RunningProjections, 'models'>) =>
  Promise.all(projections.map(({ name }) => caughtUp(models, log, name)));
const shown = () => shownIn(one);
const edited = (subject: string) => ({ type: 'TicketEdited', changes: { subject } }) as const;

/** Every position of a selection, in pages of `limit`. */
const walk = async <Selection>(index: LogIndex<Selection>, selection: Selection, limit: number) => {
  const found = [];
  for (let after: Position | null = null; ;) {
    const { events } = await index.after(selection, after, limit);
    found.push(...events);
    if (events.length < limit) return found;
    after = events.at(-1)!.position;
  }
};

describe('the positions of tickets', () => {
  const index = () => ticketPositionIndex(one);
  const inElsewhere = async () => {
    const ticketId = randomUUID();
    await tickets.command(ticketId, [opened({ ticketId, buildingId: elsewhere })]);
    return ticketId;
  };
  const selections: readonly ChangeSelection[] = [
    { organisation: 'acme' },
    { organisation: 'acme', buildingId: draft.buildingId },
    { organisation: 'acme', buildingId: elsewhere },
    { organisation: 'globex' },
    { organisation: 'initech' },
  ];
  const unreadable = async (organisation?: unknown) => {
    const meta = { at: noon.at, by: 'user:ana', organisation } as Record<string, string>;
    await log.append(`ticket-${randomUUID()}`, 'no_stream', [
      { id: randomUUID(), type: 'TicketOpened', data: { subject: 7 }, meta },
    ]);
  };

  it('are kept per organisation and building, for changes by any caller', async () => {
    const ids = [await tickets.open(), await tickets.open('globex'), await inElsewhere()];
    await unreadable('acme');
    await unreadable('acme\u0000');
    await unreadable(['acme']);
    await tickets.raw(ids[0]!, { type: 'TicketEnchanted', data: {} });
    await shown();
    // Their owner is known by a row that was written long before.
    for (let n = 0; n < 5; n += 1)
      for (const id of ids) await tickets.command(id, [edited(`${n}`), edited(`${n} again`)]);
    await shown();
    const expected = ticketIndexOf(log);
    for (const selection of selections) {
      const all = await walk(expected, selection, 500);
      for (const limit of [1, 4, 500]) expect(await walk(index(), selection, limit)).toEqual(all);
      const { upTo } = await index().after(selection, null, 500);
      expect({ upTo }).toMatchObject({ upTo: (await expected.after(selection, null, 500)).upTo });
    }
    expect(await walk(index(), selections[0]!, 500)).toHaveLength(24);
    expect(await one.models.parked(ticketPositions.name)).toEqual([]);
  });

  it('are the same after a rebuild', async () => {
    for (const organisation of ['acme', 'globex']) {
      const id = await tickets.open(organisation);
      for (let n = 0; n < 20; n += 1) await tickets.command(id, [edited(`${n}`)]);
    }
    await shown();
    const before = await walk(index(), { organisation: 'acme' }, 500);
    expect(before).toHaveLength(21);
    for (const kind of ['verify', 'rebuild'] as const) {
      const request = await requestDone(one, { kind }, ticketPositions.name);
      expect(request).toMatchObject({ state: 'done' });
    }
    expect(await walk(index(), { organisation: 'acme' }, 500)).toEqual(before);
  });

  it('hold the cursors of their organisation', async () => {
    await tickets.open();
    await tickets.open('globex');
    await shown();
    expect(await index().holds({ organisation: 'acme' }, '1')).toBe(true);
    expect(await index().holds({ organisation: 'acme' }, '2')).toBe(false);
  });

  it('lag behind the log for as long as they are not fed, and the feed says so', async () => {
    const id = await tickets.open();
    await shown();
    await one.stop();
    const index = ticketPositionIndex(test.open());
    await tickets.command(id, [edited('later')]);
    const feed = changeFeed({ log, index, indexWaitMs: 50, logger: loggerOf('silent') });
    const query = { organisation: 'acme', after: null, limit: 100 };
    await expect.poll(() => feed.page(query)).toMatchObject({ next: '1', caughtUp: false });
    test.start();
    await shownIn(test.open());
    await expect.poll(() => feed.page(query)).toMatchObject({ next: '2', caughtUp: true });
  });
});

describe('the positions of messages', () => {
  const buildings = [randomUUID(), randomUUID(), randomUUID()];
  const types = ['wifi-sensing.occupancy.changed', 'cafm.work-order.created'];
  const publish = (n: number) => {
    const subject = { buildingId: buildings[n % 3]!, type: types[n % 2]! };
    const data = { n, eventId: `${n}` };
    const bus = logBus({ log, clock, expected: [] });
    return bus.publish(subject, data, { eventId: `${n}`, at: clock.at });
  };
  const index = () => busPositionIndex(one, clock);

  it('are those of each building and type, until their journals end', async () => {
    for (let n = 0; n < 24; n += 1) await publish(n);
    clock.at = '2026-03-04T12:00:00.000Z';
    for (let n = 24; n < 30; n += 1) await publish(n);
    const garbled = happened('MessagePublished', { subjectType: '\u0000' });
    await log.append(`bus-${buildings[0]}.20260304`, 'any', [garbled]);
    await log.append(`bus-${buildings[0]}`, 'any', [happened('MessagePublished', {})]);
    await shown();
    const expected = busIndexOf(log, clock);
    for (const selection of [
      {},
      { type: types[0] },
      { buildings: new Set(buildings.slice(0, 1)) },
      { buildings: new Set(buildings.slice(1)), type: types[1] },
      { buildings: new Set<string>() },
    ]) {
      const all = await walk(expected, selection, 500);
      for (const limit of [1, 7, 500]) expect(await walk(index(), selection, limit)).toEqual(all);
    }
    expect(await walk(index(), {}, 500)).toHaveLength(31);
    clock.at = '2026-03-10T00:00:00.000Z';
    expect(await walk(index(), {}, 500)).toHaveLength(7);
    expect(await one.models.parked(busPositions.name)).toEqual([]);
  });

  it('find a repeat on any later day of the retention, and no other message', async () => {
    const [buildingId, other] = buildings as [string, string];
    const bus = recognisingKept(
      logBus({ log, clock, expected: [] }),
      keptBusMessage(one.db, clock),
      clock,
    );
    const ring = (eventId: string, to = buildingId) =>
      bus.publish({ buildingId: to, type: types[0]! }, {}, { eventId, at: clock.at });
    const first = await ring('same');
    await shown();
    for (const day of ['03', '06', '09']) {
      clock.at = `2026-03-${day}T12:00:00.000Z`;
      expect(await ring('same')).toEqual(first);
    }
    expect(await ring('same', other)).not.toEqual(first);
    expect(await ring('another')).not.toEqual(first);
    clock.at = '2026-03-10T00:00:00.000Z';
    expect(await ring('same')).not.toEqual(first);
  });

  it('make a page read the messages that it returns, and no others', async () => {
    const other = randomUUID();
    for (let n = 0; n < 60; n += 1) await publish(n);
    const type = types[0]!;
    const bus = logBus({ log, clock, expected: [] });
    await bus.publish({ buildingId: other, type }, { n: 60 }, { eventId: '60', at: clock.at });
    await shown();
    let events = 0;
    const readStream: EventStore['readStream'] = async (...asked) => {
      const read = await log.readStream(...asked);
      events += read.length;
      return read;
    };
    const readAll: EventStore['readAll'] = () => Promise.reject(new Error('reads the whole log'));
    const counted = logWith(log, { readStream, readAll });
    const page = busPage({ log: counted, index: index(), prefix: 'here' });
    const own = await page({ buildings: new Set([other]) }, null, 500);
    expect(own).toMatchObject({ items: [{ data: { n: 60 } }], caughtUp: true });
    expect(events).toBe(1);
    const ofType = await page({ type: types[1], buildings: new Set(buildings) }, null, 500);
    expect(ofType.items).toHaveLength(30);
    expect(events).toBe(31);
    const first = await page({}, null, 10);
    expect(first).toMatchObject({ next: first.items.at(-1)!.position, caughtUp: false });
    expect(events).toBe(41);
  });
});
