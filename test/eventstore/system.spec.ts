/**
 * Whole servers whose log is a real EventStoreDB: what the README promises, through HTTP, while
 * processes and the log's own server are killed, stopped and hung.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { demoBuilding } from '../../src/demo/building.ts';
import type { EventStore, Position } from '../../src/store/event-store.ts';
import { eventstoreDbStore } from '../../src/store/eventstoredb/store.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import { temporaryDirectory } from '../support/directory.ts';
import {
  eventstoreProgram,
  eventstoreServer,
  type EventStoreServer,
} from '../support/eventstoredb/server.ts';
import { proxyTo, type PostgresProxy } from '../support/postgres/proxy.ts';
import type { ServerProcess } from '../support/servers/server.ts';
import { servers, type Servers } from '../support/servers/servers.ts';
import {
  AGENT,
  AGREES,
  buildingOf,
  comparison,
  listed,
  REQUESTS,
  settled,
  ticketLoad,
  watchReadiness,
} from '../support/servers/ticket-load.ts';
import { letPass } from '../support/until.ts';

const given = inject('eventstoreUrl');
const program = eventstoreProgram();
/** Every answer comes within the deadline of a request, and what it takes to notice it. */
const ANSWER_MAX_MS = 20_000;
/** How often a test tries to be faster than a timer of the server's. */
const ATTEMPTS_MAX = 5;
/** Whether anybody has noticed that it was not ready is left open. */
const ANY = /(?:)/;

describe('on a real EventStoreDB', () => {
  /** Of this file alone where a program is there to run one: only that one may be broken. */
  let log: EventStoreServer | null = null;
  let url: string;
  let running: Servers;
  let env: Record<string, string>;

  beforeAll(async () => {
    if (program) log = await eventstoreServer(program);
    url = log?.url ?? given;
  });
  afterAll(() => log?.release());
  beforeEach(async () => {
    running = servers();
    // Postgres keeps the read models and the graph; one directory, one key of the issuer.
    const database = await freshDatabase();
    const ATRIUM_DATA = temporaryDirectory('eventstore-system');
    env = { EVENTSTORE_URL: url, DATABASE_URL: database.url, ATRIUM_DATA };
  });
  afterEach(() => running.release());

  it('raises, moves, assigns and finds tickets; after kill -9 everything is there', async () => {
    let server = await running.start(env);
    const call = (method: string, path: string, ask = {}) => server.call(AGENT, method, path, ask);
    const buildingId = await buildingOf(server);
    const headers = { 'idempotency-key': randomUUID() };
    const word = `thermostat${randomUUID().slice(0, 8)}`;
    const body = { buildingId, description: `air conditioner ${word}`, priority: 'high' };
    const first = await call('POST', REQUESTS, { body, headers });
    expect(first.status).toBe(201);
    const path = `${REQUESTS}/${first.body.id}`;
    const team = randomUUID();
    await call('POST', `${path}/transition`, { body: { state: 'triaged' } });
    await call('POST', `${path}/assign`, { body: { assignedTeamId: team } });
    const found = `${REQUESTS}?state=triaged&assignedTeamId=${team}&search=${word}`;
    expect((await call('GET', found)).body.total).toBe(1);
    const before = await settled(server);

    await server.signal('SIGKILL');
    server = await running.start(env);

    expect(await listed(server)).toEqual(before);
    expect((await call('GET', found)).body.items[0].id).toBe(first.body.id);
    const again = await call('POST', REQUESTS, { body, headers });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    await server.signal('SIGTERM');
    expect(server.process.exitCode).toBe(0);
  });

  it('is served by two processes at once; one is killed and nothing is lost', async () => {
    const all = [await running.start(env), await running.start(env)];
    const before = await settled(all[0]!);
    const load = await ticketLoad({ servers: () => all, lanes: 6 });
    await load.more(50);
    // A lane that asks the dead one asks the other one next.
    await all[0]!.signal('SIGKILL');
    await load.more(50);
    await load.stop();
    const compared = () => comparison(all[1]!, before, load.acknowledged);
    await expect.poll(compared, { interval: 500 }).toEqual(AGREES);
  });

  const faults: [string, RegExp, () => Promise<void>][] = [
    [
      'is killed three times',
      ANY,
      async () => {
        for (let time = 0; time < 3; time += 1) {
          await log!.kill();
          await log!.start();
          await letPass(500, 'requests go on between two kills');
        }
      },
    ],
    [
      'hangs for 20 s',
      /event log/,
      async () => {
        await log!.freeze();
        await letPass(20_000, 'longer than the deadline of a request');
        log!.thaw();
      },
    ],
    [
      'is stopped for 5 s and started again',
      /event log/,
      async () => {
        await log!.stop();
        await letPass(5_000, 'how long it is gone');
        await log!.start();
      },
    ],
  ];

  // A server at EVENTSTORE_URL, or in a container, is not ours to break.
  it.skipIf(!program).each(faults)(
    'loses nothing and goes on by itself when the log %s',
    async (_, red, fault) => {
      const server = await running.start(env);
      const before = await settled(server);
      const readiness = watchReadiness(server);
      const load = await ticketLoad({ servers: () => [server], lanes: 8 });
      await load.more(20);
      await fault();
      await load.more(50);
      await load.stop();

      const compared = () => comparison(server, before, load.acknowledged);
      await expect.poll(compared, { interval: 500 }).toEqual(AGREES);
      await expect.poll(() => readiness.green()).toBe(true);
      await readiness.stop();
      expect([...readiness.reasons].join('; ')).toMatch(red);
      expect(load.slowestMs()).toBeLessThan(ANSWER_MAX_MS);
      expect(readiness.slowestMs()).toBeLessThan(ANSWER_MAX_MS / 4);
      // And whoever comes after it, by another process.
      const late = await running.start(env);
      expect(await comparison(late, before, load.acknowledged)).toEqual(AGREES);
    },
  );

  it.each([
    ['is gone', (proxy: PostgresProxy) => proxy.cut()],
    ['hangs', async (proxy: PostgresProxy) => proxy.hang(true)],
  ])('reads and changes a ticket while Postgres %s', async (_, fault) => {
    const proxy = await proxyTo(env['DATABASE_URL']!);
    const server = await running.start({ ...env, DATABASE_URL: proxy.url });
    const body = { buildingId: await buildingOf(server), description: 'Still there' };
    const made = await server.call(AGENT, 'POST', REQUESTS, { body });
    const path = `${REQUESTS}/${made.body.id}`;
    await fault(proxy);
    // The second when it is known that the lists cannot follow.
    for (const state of ['triaged', 'in_progress']) {
      const moved = await server.call(AGENT, 'POST', `${path}/transition`, { body: { state } });
      expect([moved.status, moved.body.state]).toEqual([200, state]);
      expect((await server.call(AGENT, 'GET', path)).body.state).toBe(state);
      await letPass(6_000, 'longer than a checkpoint is kept back');
    }
    expect((await server.call(AGENT, 'GET', REQUESTS)).status).toBe(503);
    await running.release();
    await proxy.close();
  });

  describe('with an empty Postgres', () => {
    let server: ServerProcess;
    let store: EventStore;
    beforeEach(async () => {
      server = await running.start(env);
      store = eventstoreDbStore({ url });
    });
    afterEach(() => store.close());

    /** Kills the server, and starts one whose Postgres holds nothing. */
    const startAnew = async () => {
      await server.signal('SIGKILL');
      const { position } = await store.head();
      const database = await freshDatabase();
      return { anew: await running.start({ ...env, DATABASE_URL: database.url }), position };
    };

    /** What was recorded of tickets after `position`. */
    const recordedSince = async (position: Position | null) => {
      const { events } = await store.readAll(position, { categories: ['ticket'], limit: 1_000 });
      return events.map(({ type }) => type);
    };

    it('brings the lists back', async () => {
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

    it('gives the commands of the last 5 s again, and they record nothing', async () => {
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
      await expect.poll(async () => (await place()).revision).toBeGreaterThan(start.revision);
      let told = await relocations();
      let inRooms = told;
      expect(told).toBeGreaterThan(0);

      // It takes 5 s until the process writes down again how far it has come. Where that falls in
      // between there is nothing to give again, and the next attempt follows.
      let written = await place();
      let before: Awaited<ReturnType<typeof settled>>;
      for (let attempt = 1; ; attempt += 1) {
        await call(into, 'POST', demoBuilding());
        told += inRooms;
        const stays = { buildingId, spaceId: (await roomIds())[2], description: 'Stays' };
        await call(REQUESTS, 'POST', stays);
        inRooms += 1;
        await expect.poll(relocations).toBe(told);
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

  // The last of this file: the clock of the log stays where it is moved to.
  it('runs a desk: routes, warns, breaches, is resolved by a work order', async () => {
    let server = await running.start(env);
    const asked = async (email: string, method: string, path: string, body?: object) => {
      const answer = await server.call(email, method, path, body ? { body } : {});
      expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
      return answer.body;
    };
    const buildingId = await buildingOf(server);
    const category = `pumps-${randomUUID().slice(0, 8)}`;
    await asked('manager@acme.test', 'PUT', '/api/service-desk/configuration', {
      slaPolicies: [
        {
          name: 'Pumps',
          match: { category },
          firstResponseMinutes: null,
          resolutionMinutes: 100,
        },
      ],
      calendars: {},
      routingRules: [
        {
          ruleId: 'pumps',
          name: 'Pumps',
          match: { category },
          assignTeamId: 'plumbers',
          raisePriorityTo: 'high',
          triage: true,
        },
      ],
      workflows: [],
    });
    const changes = async (after: string, limit = 500) => {
      const path = `/api/service-desk/changes?after=${after}&limit=${limit}`;
      return asked(AGENT, 'GET', path);
    };
    /** Everything after `cursor`, by pages of `limit`. */
    const feedFrom = async (cursor: string, limit?: number) => {
      const items: { ticketId: string; change: string; position: string; origin: string }[] = [];
      for (let after = cursor; ;) {
        const page = await changes(after, limit);
        if (page.items.length === 0) return { items, end: page.nextCursor as string };
        items.push(...page.items);
        after = page.nextCursor;
      }
    };
    const { end: start } = await feedFrom('0');

    const held = asked(AGENT, 'GET', `/api/service-desk/changes?after=${start}&wait=20`);
    const body = { buildingId, category, description: 'The pump is loud' };
    const ticket = await asked(AGENT, 'POST', REQUESTS, body);
    expect(ticket).toMatchObject({
      state: 'triaged',
      priority: 'high',
      assignedTeamId: 'plumbers',
    });
    expect((await held).items).toMatchObject([{ ticketId: ticket.id, change: 'created', ticket }]);

    const operator = 'operator@atrium.test';
    await asked(operator, 'POST', '/api/v1/clock', { advance: 'PT90M' });
    await server.signal('SIGKILL');
    server = await running.start(env);
    await asked(operator, 'POST', '/api/v1/clock', { advance: 'PT30M' });
    const subject = `atrium.building.${buildingId}.cafm.work-order`;
    const workOrderId = randomUUID();
    const { now: occurredAt } = await asked(operator, 'GET', '/api/v1/clock');
    const order = { buildingId, workOrderId, ticketId: ticket.id, occurredAt };
    for (const kind of ['created', 'completed', 'completed']) {
      const data = { eventId: `${workOrderId}/${kind}`, ...order };
      await asked(operator, 'POST', '/api/v1/bus/events', { subject: `${subject}.${kind}`, data });
    }
    const path = `${REQUESTS}/${ticket.id}`;
    const now = () => asked(AGENT, 'GET', path);
    await expect.poll(async () => (await now()).state).toBe('resolved');

    const changesOf = async (limit?: number) =>
      (await feedFrom(start, limit)).items.filter(({ ticketId }) => ticketId === ticket.id);
    const ofTicket = await changesOf();
    expect(ofTicket.map(({ change, origin }) => [change, origin])).toEqual([
      ['created', 'api'],
      ['sla', 'sla'],
      ['sla', 'sla'],
      ['work_order', 'work_order'],
      ['state', 'work_order'],
    ]);
    expect(ofTicket.at(-1)).toMatchObject({ ticket: await now() });
    expect(await changesOf(1)).toEqual(ofTicket);
    const mid = ofTicket[2]!.position;
    expect((await changes(mid)).items[0]).toMatchObject({ position: ofTicket[3]!.position });

    /** What was published about the ticket. */
    const published = async () => {
      const found: string[] = [];
      for (let after = ''; ;) {
        const from = `/api/v1/bus/events?buildingId=${buildingId}&limit=100`;
        const page = await asked(operator, 'GET', after === '' ? from : `${from}&after=${after}`);
        for (const { subject: about, data } of page.items)
          if (data.id === ticket.id) found.push(`${about.split('.').at(-1)} ${data.revision}`);
        if (page.items.length === 0) return found;
        after = page.nextCursor;
      }
    };
    await expect
      .poll(async () => (await published()).map((one) => one.split(' ')[0]))
      .toEqual(['created', 'sla_warning', 'sla_breached', 'updated', 'updated']);

    for (const after of ['5/3', '999999999999999/999999999999999', '7', 'x']) {
      const refused = await server.call(AGENT, 'GET', `/api/service-desk/changes?after=${after}`);
      expect([after, refused.status, refused.body.code]).toEqual([after, 400, 'VALIDATION_FAILED']);
    }
  });
});

const byNumber = <T extends { readonly number: string }>(items: readonly T[]): T[] =>
  items.toSorted((one, two) => one.number.localeCompare(two.number));

const eventsOfType = async (store: EventStore, type: string): Promise<number> => {
  let count = 0;
  for (let at: Position | null = null; ;) {
    const page = await store.readAll(at, { categories: ['ticket'], limit: 1_000 });
    count += page.events.filter((event) => event.type === type).length;
    at = page.next;
    if (page.end) return count;
  }
};
