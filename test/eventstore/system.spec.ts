/**
 * Whole servers whose log is a real EventStoreDB: the guarantees of the README, over HTTP, while
 * processes and the log's server are killed, stopped and hang.
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { eventstoreProgram } from '../support/eventstoredb/server.ts';
import {
  AGENT,
  AGREES,
  buildingOf,
  comparison,
  listed,
  REQUESTS,
  settled,
  ticketLoad,
  type TicketLoad,
  watchReadiness,
} from '../support/servers/ticket-load.ts';
import { letPass } from '../support/until.ts';
import { ownSystem } from './support/own-server.ts';
import { readFeed } from '../support/feed.ts';

const program = eventstoreProgram();
/** Every answer arrives within the deadline of a request plus the time to detect it. */
const ANSWER_MAX_MS = 30_000;
const READY_ANSWER_MAX_MS = 20_000;
/** Matches any output: the server may or may not have reported that it was not ready. */
const ANY = /(?:)/;

describe('on a real EventStoreDB', () => {
  const system = ownSystem();

  it('creates, transitions, assigns and finds tickets, which survive kill -9', async () => {
    let server = await system.running.start(system.env);
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
    // The answer to a command waits only briefly for the lists.
    const total = async () => (await call('GET', found)).body.total;
    await expect.poll(total).toBe(1);
    const before = await settled(server);

    await server.signal('SIGKILL');
    server = await system.running.start(system.env);

    expect(await listed(server)).toEqual(before);
    expect((await call('GET', found)).body.items[0].id).toBe(first.body.id);
    const again = await call('POST', REQUESTS, { body, headers });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    await server.signal('SIGTERM');
    expect(server.process.exitCode).toBe(0);
  });

  it('is served by two processes; when one is killed, no ticket is lost', async () => {
    const all = [await system.running.start(system.env), await system.running.start(system.env)];
    const before = await settled(all[0]!);
    const load = await ticketLoad({ servers: () => all, lanes: 6 });
    await load.more(50);
    // A caller of the killed process retries at the other one.
    await all[0]!.signal('SIGKILL');
    await load.more(50);
    await load.stop();
    const compared = () => comparison(all[1]!, before, load.acknowledged);
    await expect.poll(compared, { interval: 500 }).toEqual(AGREES);
  });

  const faults: [string, RegExp, (load: TicketLoad) => Promise<void>][] = [
    [
      'is killed three times',
      ANY,
      async () => {
        for (let time = 0; time < 3; time += 1) {
          await system.log.server!.kill();
          await system.log.server!.start();
          await letPass(500, 'requests go on between two kills');
        }
      },
    ],
    [
      'hangs for 20 s',
      /event log/,
      async (load) => {
        await system.log.server!.freeze();
        await letPass(20_000, 'longer than the deadline of a request');
        await load.answered();
        system.log.server!.thaw();
      },
    ],
    [
      'is stopped for 5 s and started again',
      /event log/,
      async () => {
        await system.log.server!.stop();
        await letPass(5_000, 'how long it is gone');
        await system.log.server!.start();
      },
    ],
  ];

  // A server at EVENTSTORE_URL, or in a container, must not be broken by tests.
  it.skipIf(!program).each(faults)(
    'loses no event and continues by itself when the log %s',
    async (_, red, fault) => {
      const server = await system.running.start(system.env);
      const before = await settled(server);
      const readiness = watchReadiness(server);
      const load = await ticketLoad({ servers: () => [server], lanes: 8 });
      await load.more(20);
      await fault(load);
      await load.more(50);
      await load.stop();

      const compared = () => comparison(server, before, load.acknowledged);
      await expect.poll(compared, { interval: 500 }).toEqual(AGREES);
      await expect.poll(() => readiness.green()).toBe(true);
      await readiness.stop();
      expect([...readiness.reasons].join('; ')).toMatch(red);
      expect(load.slowestMs()).toBeLessThan(ANSWER_MAX_MS);
      expect(readiness.slowestMs()).toBeLessThan(READY_ANSWER_MAX_MS);
      // Another process that starts later reads the same.
      const late = await system.running.start(system.env);
      expect(await comparison(late, before, load.acknowledged)).toEqual(AGREES);
    },
  );

  // The last test of this file, because the clock of the log keeps its offset.
  it('routes a ticket, warns, records breaches, and resolves it by a work order', async () => {
    let server = await system.running.start(system.env);
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
    /** All changes after `cursor`, in pages of `limit`. */
    const feedFrom = (cursor: string, limit?: number) =>
      readFeed<{ ticketId: string; change: string; position: string; origin: string }>(
        (after) => changes(after, limit),
        cursor,
      );
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
    server = await system.running.start(system.env);
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

    /** The bus messages about the ticket. */
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
