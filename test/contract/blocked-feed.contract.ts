/** The organisation's change feed, blocked by a ticket's event that no release can read. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { streamOf } from '../../src/engine/log/streams.ts';
import { testApi } from '../support/api/api.ts';
import type { TestPlatformOptions } from '../support/api/platform.ts';
import { noon } from '../support/domain/specify.ts';
import { heldFor } from '../support/until.ts';
import { readFeed } from '../support/feed.ts';

const REQUESTS = '/api/service-desk/requests';
const CHANGES = '/api/service-desk/changes';
const FEED = '/api/v1/operations/feed';
const PUBLISHING = '/api/v1/operations/processes/ticket-publishing';
const SECOND_FACT = 1;

/** @param parts Options of each platform: the log, where it is not in the database. */
export const blockedFeed = (parts: () => TestPlatformOptions): void => {
  const platform = testApi(parts);
  const agent = platform.as('agent@acme.test');
  const operator = platform.as('operator@atrium.test');
  let buildingId: string;
  beforeAll(async () => {
    buildingId = await platform.importBuilding();
  });

  const open = async (): Promise<string> => {
    const { body } = await agent.post(REQUESTS, { buildingId, description: 'Sink' });
    return body.id;
  };
  /** Stores a command of `facts` events that their schema rejects. */
  const poison = async (id: string, expected: number, facts = 1) => {
    const { at, by, origin } = noon;
    const meta = { commandId: randomUUID(), at, by: `${by.kind}:${by.id}`, origin };
    const events = Array.from({ length: facts }, () => ({
      id: randomUUID(),
      type: 'TicketEdited',
      data: { changes: { subject: 7 } },
      meta: { ...meta, organisation: 'acme', schema: '1' },
    }));
    const { position } = await platform.log.append(streamOf('ticket', id), expected, events);
    return { eventId: events[0]!.id, position };
  };
  const read = async (after: string, { as = agent, limit = 500, wait = 0 } = {}) => {
    const query = `after=${after}&limit=${limit}&wait=${wait}`;
    const { status, body } = await as.get(`${CHANGES}?${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };
  const changesIn = ({ items }: { items: readonly { ticketId: string; change: string }[] }) =>
    items.map(({ ticketId, change }) => [ticketId, change]);
  const everything = async (as = agent, limit = 500) => {
    const { items } = await readFeed(async (after) => {
      const page = await read(after, { as, limit });
      expect(page.blocked).toBeUndefined();
      return page;
    }, '0');
    return items;
  };
  const blockedTickets = async () => {
    const { body } = await platform.as(null).get('/metrics');
    return /^atrium_change_feed_blocked_tickets (\S+)$/m.exec(body)?.[1];
  };
  const readyBody = async () => (await platform.as(null).get('/health/ready')).body;

  it('is blocked, is listed for operators, and continues once one skips the event', async () => {
    const a = await open();
    const b = await open();
    const { eventId, position } = await poison(a, 0, 2);
    await agent.post(`${REQUESTS}/${b}/updates`, { body: 'Seen.' });
    // Until the feed's index is complete, a page ends before the unreadable change.
    await expect.poll(async () => (await read('0')).blocked).toBeDefined();
    const before = await read('0');
    const { nextCursor: old } = before;
    expect(changesIn(before)).toEqual([
      [a, 'created'],
      [b, 'created'],
    ]);
    expect(before.blocked).toEqual({ ticketId: a, since: noon.at });

    // Even if a process skips the event, it still blocks the feed.
    const parked = async () => (await operator.get(`${PUBLISHING}/parked`)).body.items;
    await expect.poll(parked).toHaveLength(1);
    await expect
      .poll(async () => {
        await operator.post(`${PUBLISHING}/skip`, { stream: streamOf('ticket', a) });
        return parked();
      })
      .toEqual([]);
    expect((await read(old)).blocked).toEqual(before.blocked);
    await expect.poll(blockedTickets).toBe('1');
    await expect.poll(readyBody).toEqual({
      status: 'degraded',
      reasons: ['1 unreadable tickets block the change feed: atrium feed blocked'],
    });
    const listed = (await operator.get(`${FEED}/blocked`)).body;
    const at = { ticketId: a, organisation: 'acme', eventId, revision: SECOND_FACT };
    expect(listed.items).toEqual([
      { ...at, position: expect.any(String), since: noon.at, error: expect.any(String) },
    ]);

    const other = await platform.beside(parts());
    const waiting = read(old, { wait: 25 });
    expect(await heldFor(waiting, 200)).toBe('held');
    const skip = () => other.as('operator@atrium.test').post(`${FEED}/skip`, { ticketId: a });
    const skipped = await skip();
    expect([skipped.status, skipped.body]).toMatchObject([200, { ticketId: a, eventId }]);
    expect((await skip()).body).toEqual(skipped.body);
    expect(await platform.log.readStream(streamOf('feedskip', a))).toHaveLength(1);

    const after = await waiting;
    expect(after.blocked).toBeUndefined();
    expect(after.items).toMatchObject([
      { change: 'unreadable', ticketId: a, position, at: noon.at },
      { change: 'note', ticketId: b },
    ]);
    expect(after.items[0]).not.toHaveProperty('ticket');
    // The ticket's later changes are not returned either: its state after the event is unknown.
    await poison(a, 2);
    const all = [...before.items, ...after.items];
    for (const as of [agent, other.as('agent@acme.test')]) {
      await expect
        .poll(() => read(old, { as }).then(changesIn))
        .toEqual([
          [a, 'unreadable'],
          [b, 'note'],
          [a, 'unreadable'],
        ]);
      expect((await everything(as, 1)).slice(0, -1)).toEqual(all);
    }
    await expect.poll(blockedTickets).toBe('0');
    await expect.poll(readyBody).toEqual({ status: 'ready' });
    await other.close();
    const restarted = await platform.beside(parts());
    expect((await everything(restarted.as('agent@acme.test'))).slice(0, -1)).toEqual(all);
  });

  it('can be skipped only by operators, and only at an unreadable ticket', async () => {
    const manager = platform.as('manager@acme.test');
    expect((await manager.get(`${FEED}/blocked`)).status).toBe(403);
    expect((await manager.post(`${FEED}/skip`, { ticketId: randomUUID() })).status).toBe(403);
    for (const ticketId of [randomUUID(), await open()])
      expect((await operator.post(`${FEED}/skip`, { ticketId })).status).toBe(404);
    expect((await operator.post(`${FEED}/skip`, { ticketId: 'none' })).status).toBe(400);
  });
};
