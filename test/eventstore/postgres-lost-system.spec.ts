/**
 * Whole servers whose log is a real EventStoreDB, and whose Postgres is unavailable, hangs, or is
 * empty: the guarantees of the README, over HTTP.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { demoBuilding } from '../../src/demo/building.ts';
import type { EventStore, Position } from '../../src/engine/log/event-store.ts';
import { eventstoreDbStore } from '../../src/engine/log/eventstoredb/store.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import { poolOf } from '../support/postgres/pool.ts';
import { proxyTo, type PostgresProxy } from '../support/postgres/proxy.ts';
import type { ServerProcess } from '../support/servers/server.ts';
import {
  AGENT,
  buildingOf,
  comparison,
  listed,
  REQUESTS,
  settled,
  ticketLoad,
} from '../support/servers/ticket-load.ts';
import { letPass } from '../support/until.ts';
import { ownSystem } from './support/own-server.ts';
import { allEvents } from '../support/log/all-events.ts';

/** Attempts of a test to be faster than a timer of the server. */
const ATTEMPTS_MAX = 5;

describe('on a real EventStoreDB', () => {
  const system = ownSystem();

  it.each([
    ['is gone', (proxy: PostgresProxy) => proxy.cut()],
    ['hangs', async (proxy: PostgresProxy) => proxy.hang(true)],
  ])('reads and changes a ticket while Postgres %s', async (_, fault) => {
    const proxy = await proxyTo(system.env['DATABASE_URL']!);
    const server = await system.running.start({ ...system.env, DATABASE_URL: proxy.url });
    const body = { buildingId: await buildingOf(server), description: 'Still there' };
    const made = await server.call(AGENT, 'POST', REQUESTS, { body });
    const path = `${REQUESTS}/${made.body.id}`;
    await fault(proxy);
    // The second transition once the server knows that the lists are unavailable.
    for (const state of ['triaged', 'in_progress']) {
      const moved = await server.call(AGENT, 'POST', `${path}/transition`, { body: { state } });
      expect([moved.status, moved.body.state]).toEqual([200, state]);
      expect((await server.call(AGENT, 'GET', path)).body.state).toBe(state);
      await letPass(6_000, 'longer than a checkpoint is kept back');
    }
    expect((await server.call(AGENT, 'GET', REQUESTS)).status).toBe(503);
    await system.running.release();
    await proxy.close();
  });

  describe('with an empty Postgres', () => {
    let server: ServerProcess;
    let store: EventStore;
    beforeEach(async () => {
      server = await system.running.start(system.env);
      store = eventstoreDbStore({ url: system.log.url });
    });
    afterEach(() => store.close());

    /**
     * Kills the server, and starts one whose Postgres has only a copy of the person keys, without
     * which all personal data in the log is unreadable.
     */
    const startAnew = async () => {
      await server.signal('SIGKILL');
      const { position } = await store.head();
      const database = await freshDatabase();
      await copyKeys(system.env['DATABASE_URL']!, database.url);
      return {
        anew: await system.running.start({ ...system.env, DATABASE_URL: database.url }),
        position,
      };
    };

    /** The ticket events after `position`. */
    const recordedSince = async (position: Position | null) => {
      const { events } = await store.readAll(position, { categories: ['ticket'], limit: 1_000 });
      return events.map(({ type }) => type);
    };

    it('rebuilds the lists', async () => {
      const load = await ticketLoad({ servers: () => [server], lanes: 4 });
      await load.more(100);
      await load.stop();
      const compared = async () => (await comparison(server, [], load.acknowledged)).missing;
      await expect.poll(compared).toBe(0);
      const before = await settled(server);

      const { anew, position } = await startAnew();
      const found = async () => byNumber(await listed(anew));
      await expect.poll(found, { interval: 500 }).toEqual(byNumber(before));
      expect(await recordedSince(position)).toEqual([]);
    });

    it('repeats the commands of the last 5 s, which record no event', async () => {
      const manager = 'manager@acme.test';
      const call = async (path: string, method: string, body: unknown) => {
        const answer = await server.call(manager, method, path, { body });
        expect(answer.status).toBeLessThan(300);
        return answer.body;
      };
      const buildings = '/api/v1/buildings';
      const { buildingId } = await call(`${buildings}/import`, 'POST', demoBuilding());
      const roomIds = async () => {
        const { body } = await server.call(manager, 'GET', `${buildings}/${buildingId}/spaces`);
        return (body.items as { id: string }[]).map(({ id }) => id);
      };
      const [spaceId, gone] = await roomIds();
      for (const room of [spaceId, gone])
        await call(REQUESTS, 'POST', { buildingId, spaceId: room, description: 'Cold' });
      const into = `${buildings}/${buildingId}/import?replace=true`;
      const relocations = () => eventsOfType(store, 'TicketRelocated');
      const place = async () => {
        const range = { backwards: true, limit: 1 };
        return (await store.readStream('process-ticket-relocation', range))[0]!;
      };

      const start = await place();
      await call(into, 'POST', demoBuilding());
      // The stored position may be one before the import.
      let inRooms = 2;
      let expected = inRooms;
      await expect.poll(relocations).toBe(expected);
      await expect.poll(async () => (await place()).revision).toBeGreaterThan(start.revision);

      // The process stores its position every 5 s. If it does so in between, no command is
      // repeated, and the next attempt follows.
      let written = await place();
      let before: Awaited<ReturnType<typeof settled>>;
      for (let attempt = 1; ; attempt += 1) {
        await call(into, 'POST', demoBuilding());
        expected += inRooms;
        const stays = { buildingId, spaceId: (await roomIds())[2], description: 'Stays' };
        await call(REQUESTS, 'POST', stays);
        inRooms += 1;
        await expect.poll(relocations).toBe(expected);
        before = await settled(server);
        const { revision } = written;
        written = await place();
        if (written.revision === revision || attempt === ATTEMPTS_MAX) break;
      }
      const { anew, position } = await startAnew();

      await expect.poll(async () => (await place()).revision).toBeGreaterThan(written.revision);
      expect(await recordedSince(position)).toEqual([]);
      expect(byNumber(await settled(anew))).toEqual(byNumber(before));
    });
  });
});

const copyKeys = async (from: string, to: string): Promise<void> => {
  const [source, target] = [poolOf(from, { max: 1 }), poolOf(to, { max: 1 })];
  const { rows } = await source.query<{ keys: object[] }>(
    'select json_agg(k) as keys from personal.keys k',
  );
  expect(rows[0]!.keys.length).toBeGreaterThan(0);
  await target.query(
    'insert into personal.keys select * from json_populate_recordset(null::personal.keys, $1)',
    [JSON.stringify(rows[0]!.keys)],
  );
  await Promise.all([source.end(), target.end()]);
};

const byNumber = <T extends { readonly number: string }>(items: readonly T[]): T[] =>
  items.toSorted((one, two) => one.number.localeCompare(two.number));

const eventsOfType = async (store: EventStore, type: string): Promise<number> => {
  const events = await allEvents(store, { categories: ['ticket'] });
  return events.filter((event) => event.type === type).length;
};
