/** The change feed and the list of bus messages, in a log full of another organisation's events. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import type { Role } from '../../src/config/values.ts';
import { journalOf } from '../../src/bus/log/messages.ts';
import { busCodec } from '../../src/domain/bus/codecs.ts';
import { ticketCodec } from '../../src/domain/tickets/codecs.ts';
import type { EventStore } from '../../src/engine/log/event-store.ts';
import { logWith } from '../../src/engine/log/log-with.ts';
import { streamOf } from '../../src/engine/log/streams.ts';
import { testApi } from '../support/api/api.ts';
import type { Caller } from '../support/api/caller.ts';
import type { TestPlatformOptions } from '../support/api/platform.ts';
import { noon } from '../support/domain/specify.ts';
import { noted, opened } from '../support/domain/tickets.ts';

const CHANGES = '/api/service-desk/changes';
const EVENTS = '/api/v1/bus/events';
const TYPE = 'wifi-sensing.occupancy.changed';
const FOREIGN_TICKETS = 20;
const FOREIGN_MESSAGES = 5_000;
const APPENDED_AT_ONCE = 100;

/**
 * @param parts Options of the platform: the log, where it is not in the database.
 * @param open Opens the same log once more.
 */
export const feedsOnABusyLog = (
  parts: () => TestPlatformOptions,
  open: (databaseUrl: string) => EventStore,
): void => {
  // Without processes, which would add further changes and messages.
  const roles = new Set<Role>(['api', 'projections']);
  const platform = testApi(() => ({ ...parts(), roles }));
  const cost = { events: 0 };
  let buildingId: string, theirBuildingId: string;

  /** Counts the events of tickets and messages that pages read. */
  const counted = (log: EventStore): EventStore =>
    logWith(log, {
      async readAll(after, range) {
        const read = await log.readAll(after, range);
        if (range.categories) cost.events += read.events.length;
        return read;
      },
      async readStream(stream, range) {
        const read = await log.readStream(stream, range);
        if (/^(ticket|bus)-/.test(stream)) cost.events += read.length;
        return read;
      },
    });
  const asked = async (caller: Caller, path: string) => {
    cost.events = 0;
    const { status, body } = await caller.get(path);
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };
  /** Counts the events read for the page that reaches the end, once the index includes it. */
  const askedToTheEnd = async (caller: Caller, path: string) => {
    for (;;) {
      const page = await asked(caller, path);
      if (page.caughtUp) return page;
    }
  };
  const record = () => ({ ...noon, commandId: randomUUID() });
  const inParts = async (count: number, append: (some: number) => Promise<unknown>) => {
    for (let left = count; left > 0; left -= APPENDED_AT_ONCE)
      await append(Math.min(left, APPENDED_AT_ONCE));
  };

  beforeAll(async () => {
    buildingId = await platform.importBuilding('manager@acme.test');
    theirBuildingId = await platform.importBuilding('manager@globex.test');
    for (let n = 0; n < FOREIGN_TICKETS; n += 1) {
      const ticketId = randomUUID();
      const opening = opened({ ticketId, organisation: 'globex', buildingId: theirBuildingId });
      const facts = [opening, ...Array.from({ length: APPENDED_AT_ONCE - 1 }, () => noted())];
      await platform.log.append(
        streamOf('ticket', ticketId),
        'no_stream',
        facts.map((fact) => ticketCodec.encode(randomUUID(), fact, record())),
      );
    }
    const now = new Date().toISOString();
    const message = { buildingId: theirBuildingId, type: TYPE };
    const { type: subjectType } = message;
    await inParts(FOREIGN_MESSAGES, (some) =>
      platform.log.append(
        journalOf(message, now, now),
        'any',
        Array.from({ length: some }, () => {
          const eventId = randomUUID();
          const about = { buildingId: theirBuildingId, subjectType, eventId, data: { eventId } };
          return busCodec.encode(randomUUID(), { type: 'MessagePublished', ...about }, record());
        }),
      ),
    );
  });

  /** A process with only the `api` role, so that it reads the log only for its answers. */
  const reading = async () => {
    const log = counted(open(platform.databaseUrl));
    const { as } = await platform.beside({ log, roles: new Set<Role>(['api']) });
    // Before it is ready it reads single events to compare the log with the database.
    await expect
      .poll(async () => (await as('agent@acme.test').get('/health/ready')).status)
      .toBe(200);
    return {
      agent: as('agent@acme.test'),
      stranger: as('agent@globex.test'),
      operator: as('operator@atrium.test'),
    };
  };

  it('answers an organisation without changes at once, as caught up', async () => {
    const { agent } = await reading();
    expect(await askedToTheEnd(agent, CHANGES)).toEqual({
      items: [],
      nextCursor: '0',
      caughtUp: true,
    });
    expect(cost.events).toBe(0);
  });

  it("reads only the organisation's tickets for a page of changes", async () => {
    const { agent } = await reading();
    const { body: ticket } = await platform
      .as('agent@acme.test')
      .post('/api/service-desk/requests', { buildingId, description: 'Sink' });
    for (const query of ['', `&buildingId=${buildingId}`]) {
      const page = await askedToTheEnd(agent, `${CHANGES}?limit=500${query}`);
      expect(page).toMatchObject({ items: [{ ticketId: ticket.id }], caughtUp: true });
      expect(cost.events).toBeLessThanOrEqual(2);
      const end = await askedToTheEnd(agent, `${CHANGES}?after=${page.nextCursor}${query}`);
      expect(end).toEqual({ items: [], nextCursor: page.nextCursor, caughtUp: true });
      expect(cost.events).toBe(0);
    }
  });

  it('reads only the returned messages for a page of the bus', async () => {
    const { operator } = await reading();
    const subject = `atrium.building.${buildingId}.${TYPE}`;
    const publisher = platform.as('operator@atrium.test');
    for (const n of [1, 2])
      expect((await publisher.post(EVENTS, { subject, data: { n } })).status).toBe(202);
    const path = `${EVENTS}?limit=500&type=${TYPE}&buildingId=${buildingId}`;
    const own = await askedToTheEnd(operator, path);
    expect(own).toMatchObject({ items: [{ data: { n: 1 } }, { data: { n: 2 } }], caughtUp: true });
    expect(cost.events).toBe(2);
    expect(await askedToTheEnd(operator, `${path}&after=${own.nextCursor}`)).toEqual({
      ...own,
      items: [],
    });
    expect(cost.events).toBe(0);
    const all = await asked(operator, `${EVENTS}?limit=500&type=${TYPE}`);
    expect(all.items).toHaveLength(500);
    expect(all.caughtUp).toBe(false);
    expect(cost.events).toBe(500);
  });

  it('returns every change once, page by page to the end', async () => {
    const { operator, stranger } = await reading();
    const walk = async (caller: Caller, path: string, start: string) => {
      const positions: string[] = [];
      for (let after = start; ;) {
        const page = await asked(caller, `${path}&after=${after}`);
        positions.push(...page.items.map(({ position }: { position: string }) => position));
        if (page.caughtUp) return positions;
        expect(page.nextCursor).not.toBe(after);
        after = page.nextCursor;
      }
    };
    const messages = await walk(
      operator,
      `${EVENTS}?limit=500&buildingId=${theirBuildingId}&type=${TYPE}`,
      '',
    );
    expect(messages).toHaveLength(FOREIGN_MESSAGES);
    expect(messages).toEqual([...new Set(messages)]);
    const changes = await walk(stranger, `${CHANGES}?limit=500`, '0');
    expect(changes).toHaveLength(FOREIGN_TICKETS * APPENDED_AT_ONCE);
    expect(changes).toEqual([...new Set(changes)].toSorted(platform.log.compare));
  });
};
