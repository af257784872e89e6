import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { busPage } from '../../src/bus/log/page.ts';
import type { EventStore } from '../../src/engine/log/event-store.ts';
import { memoryEventStore } from '../../src/engine/log/memory/store.ts';
import { postgresEventStore } from '../../src/engine/log/postgres/store.ts';
import { busContract } from '../contract/bus.contract.ts';
import { letPass, until } from '../support/until.ts';
import { busOn, parkedIdsIn, parkedIn } from '../support/consumers/bus.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import { happened } from '../support/log/events.ts';
import { busIndexOf } from '../support/log/memory-index.ts';

busContract('the log', async () => {
  const { url, drop } = await freshDatabase();
  const log = postgresEventStore({ url });
  return {
    process: async () => busOn(url, log),
    parked: (consumer) => parkedIdsIn(log, consumer),
    async close() {
      await log.close();
      await drop();
    },
  };
});

describe('the log as bus', () => {
  let log: EventStore;
  let now: string;
  let url: string;
  let drop: () => Promise<void>;
  let using: ReturnType<typeof busOn>;
  const buildingId = '0b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22';
  const subject = { buildingId, type: 'test.rang' };
  const clock = { now: () => now };

  beforeEach(async () => {
    ({ url, drop } = await freshDatabase());
    log = memoryEventStore();
    now = '2026-03-02T12:00:00.000Z';
    using = busOn(url, log, clock, ['listener']);
  });
  afterEach(async () => {
    await using.close();
    await log.close();
    await drop();
  });

  const ring = (eventId: string, at = now) =>
    using.bus.publish(subject, { eventId }, { eventId, at });
  const page = () => busPage({ log, index: busIndexOf(log, clock), prefix: 'here' })({}, null, 100);
  const shown = async () => (await page()).items.map(({ data }) => data['eventId']);
  const journal = (day: string) => log.readStream(`bus-${buildingId}.${day}`);

  it('keeps a journal per building and day', async () => {
    await ring('a');
    now = '2026-03-03T12:00:00.000Z';
    await ring('b');
    expect(await journal('20260302')).toHaveLength(1);
    expect(await journal('20260303')).toHaveLength(1);
    expect((await page()).items).toMatchObject([
      { subject: `here.building.${buildingId}.test.rang`, at: '2026-03-02T12:00:00.000Z' },
      { at: '2026-03-03T12:00:00.000Z' },
    ]);
  });

  it('ends a page at its bound of bytes, and continues on the next one', async () => {
    const text = 'x'.repeat(60_000);
    for (let turn = 0; turn < 30; turn += 1)
      await using.bus.publish(subject, { text, turn }, { eventId: `${turn}`, at: now });
    const read = busPage({ log, index: busIndexOf(log, clock), prefix: 'here' });
    const first = await read({}, null, 100);
    expect(first.items).toHaveLength(18);
    const second = await read({}, first.next, 100);
    expect([...first.items, ...second.items].map(({ data }) => data['turn'])).toEqual(
      Array.from({ length: 30 }, (_, turn) => turn),
    );
  });

  it('recognises a repeat after midnight', async () => {
    await ring('a', '2026-03-02T11:59:00.000Z');
    now = '2026-03-03T00:00:01.000Z';
    await ring('a', '2026-03-02T11:59:00.000Z');
    expect(await shown()).toEqual(['a']);
  });

  it("writes to today's journal for a message of an old or a future time", async () => {
    await ring('old', '2026-02-20T12:00:00.000Z');
    await ring('early', '2026-03-03T00:00:00.000Z');
    expect(await journal('20260302')).toHaveLength(2);
  });

  it('returns no message of a journal whose term is over, deleted or not', async () => {
    await ring('a');
    now = '2026-03-09T23:59:59.999Z';
    expect(await shown()).toEqual(['a']);
    now = '2026-03-10T00:00:00.000Z';
    expect(await shown()).toEqual([]);
  });

  it('keeps messages for an expected consumer that has never run', async () => {
    await ring('a');
    const heard: string[] = [];
    const { stop } = using.consume({
      name: 'listener',
      types: ['test.rang'],
      handle: async ({ eventId }) => void heard.push(eventId),
    });
    await until(() => heard.length > 0);
    expect(heard).toEqual(['a']);
    await stop();
  });

  it('parks an undecodable message, and delivers the rest', async () => {
    await ring('a');
    const stored = happened('MessagePublished', { garbled: true });
    await log.append(`bus-${buildingId}.20260302`, 'any', [stored]);
    await ring('b');
    const heard: string[] = [];
    const { stop } = using.consume({
      name: 'listener',
      types: ['test.rang'],
      handle: async ({ eventId }) => void heard.push(eventId),
    });
    await until(() => heard.includes('b'));
    await stop();
    expect(heard).toEqual(['a', 'b']);
    expect(await parkedIn(log, 'listener')).toMatchObject([
      { eventId: stored.id, data: { garbled: true } },
    ]);
    expect(await shown()).toEqual(['a', 'b']);
  });

  it('keeps the order of a building across midnight', async () => {
    const ids = Array.from({ length: 40 }, (_, n) => `${n}`);
    const midnight = Date.parse('2026-03-03T00:00:00.000Z');
    for (const [n, id] of ids.entries()) {
      now = new Date(midnight + 60_000).toISOString();
      // Alternating between yesterday and today, as with late messages.
      await ring(id, new Date(midnight + (n % 2 === 0 ? -1_000 : 1_000)).toISOString());
    }
    const heard: string[] = [];
    const { stop } = using.consume({
      name: 'listener',
      types: ['test.rang'],
      async handle({ eventId }) {
        // Those of yesterday are slow.
        if (Number(eventId) % 2 === 0) await letPass(3, 'a slow handler');
        heard.push(eventId);
      },
    });
    await until(() => heard.length === ids.length);
    await stop();
    expect(heard).toEqual(ids);
  });

  it('names a message by its building and its event', async () => {
    const other = { buildingId: randomUUID(), type: 'test.rang' };
    await ring('a');
    await using.bus.publish(other, { eventId: 'a' }, { eventId: 'a', at: now });
    expect(await shown()).toEqual(['a', 'a']);
  });
});
