/** `atrium trigger`: events by their real causes, in a sandbox. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inboundTypes } from '../../src/domain/bus/inbound-types.ts';
import { webhookEventTypes } from '../../src/domain/webhooks/subscription/events.ts';
import { testSandbox } from '../support/cli/sandbox.ts';
import { runAtrium } from '../support/servers/cli.ts';
import { until } from '../support/until.ts';

const sandbox = testSandbox();
const trigger = (...words: readonly string[]) =>
  runAtrium(sandbox().environment, 'trigger', ...words);
const triggered = async (event: string) => {
  const { code, out, err } = await trigger(event, '--sandbox', sandbox().name);
  expect([code, err]).toEqual([0, '']);
  const did = JSON.parse(out) as Record<string, string>;
  expect(did['event']).toBe(event);
  return did;
};
const get = async (path: string) => (await sandbox().host.get(path)).body;

describe('events of the building', () => {
  it('are caused by values that are ingested', async () => {
    const { buildingId } = sandbox();
    const { pointId, value } = await triggered('building.point.updated');
    const { latest } = await get(`/api/v1/buildings/${buildingId}/points/${pointId}`);
    expect(latest.value).toBe(value);
  });

  it('are caused by a fault, each time by another, under one rule', async () => {
    const { buildingId } = sandbox();
    const first = await triggered('building.alarm.triggered');
    const second = await triggered('building.fault.created');
    expect(second['faultId']).not.toBe(first['faultId']);
    expect(second['ruleId']).toBe(first['ruleId']);
    const fault = (id: string) => get(`/api/v1/buildings/${buildingId}/faults/${id}`);
    expect(await fault(first['faultId']!)).toMatchObject({ closedAt: expect.any(String) });
    expect(await fault(second['faultId']!)).toMatchObject({ closedAt: null });
  });
});

describe('events of tickets', () => {
  const ticket = ({ ticketId }: Record<string, string>) =>
    get(`/api/service-desk/requests/${ticketId}`);

  it('are caused by a ticket that is raised, and moved', async () => {
    const created = await triggered('service-desk.ticket.created');
    expect(await ticket(created)).toMatchObject({ state: 'new', priority: 'critical' });
    const updated = await triggered('service-desk.ticket.updated');
    expect(await ticket(updated)).toMatchObject({ state: 'triaged' });
  });

  const kinds = async (id: string) => {
    const seen: string[] = [];
    for (let after = '0', caughtUp = false; !caughtUp;) {
      const page = await get(`/api/service-desk/changes?after=${after}&limit=500`);
      for (const { ticketId, slaEvents = [] } of page.items)
        if (ticketId === id) for (const { clock, kind } of slaEvents) seen.push(`${clock} ${kind}`);
      ({ nextCursor: after, caughtUp } = page);
    }
    return seen;
  };

  it('are caused by its clock, which the time of the sandbox moves', async () => {
    const warned = (await triggered('service-desk.ticket.sla_warning'))['ticketId']!;
    await until(async () => (await kinds(warned)).length > 0, 'the warning');
    expect(await kinds(warned)).toEqual(['first_response warning']);
    const breached = (await triggered('service-desk.ticket.sla_breached'))['ticketId']!;
    await until(async () => (await kinds(breached)).includes('first_response breached'), 'it');
  });

  describe('under a configuration', () => {
    const CONFIGURATION = '/api/service-desk/configuration';
    const EMPTY = { slaPolicies: [], calendars: {}, routingRules: [], workflows: [] };
    const configured = async (changes: object) => {
      const { status } = await sandbox().host.put(CONFIGURATION, { ...EMPTY, ...changes });
      expect(status).toBe(200);
      onTestFinished(async () => void (await sandbox().host.put(CONFIGURATION, EMPTY)));
    };

    it('include the warning of a policy that counts the hours of a calendar', async () => {
      const { now } = await get('/api/v1/clock');
      // Hours that are three days away: most of the wait is no working time.
      const day = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' })
        .format(Date.parse(now) + 3 * 86_400_000)
        .toLowerCase();
      await configured({
        calendars: {
          weekly: { timeZone: 'UTC', weekly: { [day]: [['00:00', '24:00']] }, holidays: [] },
        },
        slaPolicies: [
          {
            name: 'Weekly',
            firstResponseMinutes: 60,
            resolutionMinutes: null,
            warningPercent: 90,
            calendar: 'weekly',
          },
        ],
      });
      const warned = (await triggered('service-desk.ticket.sla_warning'))['ticketId']!;
      await until(async () => (await kinds(warned)).length > 0, 'the warning');
      expect(await kinds(warned)).toEqual(['first_response warning']);
    });

    it('have no clock where a rule counts as the first response', async () => {
      await configured({
        routingRules: [{ ruleId: 'r', name: 'Assign', match: {}, assignTeamId: 'lifts' }],
      });
      const words = ['service-desk.ticket.sla_warning', '--sandbox', sandbox().name];
      const { code, out, err } = await trigger(...words);
      expect([code, out]).toEqual([1, '']);
      expect(err).toMatch(/^atrium: \S+ has no clock for a first response\n$/);
    });
  });
});

describe('webhook.test', () => {
  it('is sent to the existing webhooks', async () => {
    const words = ['webhook.test', '--sandbox', sandbox().name];
    expect(await trigger(...words)).toEqual({
      code: 1,
      out: '',
      err: 'atrium: the sandbox has no webhook\n',
    });
    const received: string[] = [];
    const receiver = createServer((request, response) => {
      received.push(request.headers['x-svc-idempotency-key'] as string);
      request.resume().on('end', () => response.writeHead(204).end());
    });
    await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
    onTestFinished(() => {
      receiver.closeAllConnections();
      receiver.close();
    });
    const { port } = receiver.address() as AddressInfo;
    const body = { url: `http://127.0.0.1:${port}/`, events: ['building.point.updated'] };
    const made = await sandbox().host.post('/api/v1/webhooks', body);
    expect(made.status).toBe(201);
    const { webhookId } = made.body;
    const listed = async () => (await get('/api/v1/webhooks')).items.length === 1;
    await until(listed, 'the list');
    expect(await triggered('webhook.test')).toEqual({
      event: 'webhook.test',
      webhookIds: [webhookId],
    });
    await until(() => received.length > 0, 'the test');
    expect(received[0]).toContain(':webhook.test:');
  });
});

describe('where it works', () => {
  it('is a sandbox, by --sandbox or by its own address', async () => {
    const words = ['service-desk.ticket.created'];
    expect(await trigger(...words)).toEqual({
      code: 1,
      out: '',
      err: 'atrium: trigger changes data, so it works in a sandbox only: use --sandbox\n',
    });
    const { code, out } = await trigger(...words, '--url', sandbox().apiUrl);
    expect([code, JSON.parse(out)]).toMatchObject([0, { event: words[0] }]);
  });
});

describe('atrium trigger --list', () => {
  it('has every event of webhooks, live and bus, also those that cannot be triggered', async () => {
    const { code, out } = await trigger('--list');
    const { items } = JSON.parse(out) as {
      items: { event: string; does: string | null; why: string | null }[];
    };
    expect(code).toBe(0);
    const names = items.map(({ event }) => event);
    expect(names).toEqual(expect.arrayContaining([...webhookEventTypes, ...inboundTypes]));
    for (const { does, why } of items) expect((does === null) !== (why === null)).toBe(true);
  });

  it('is named where an event is not, and by a typing error', async () => {
    expect(await trigger()).toEqual({
      code: 2,
      out: '',
      err: 'atrium: name an event; atrium trigger --list lists them\n',
    });
    const wrong = await trigger('building.alarm');
    expect([wrong.code, wrong.out]).toEqual([2, '']);
    expect(wrong.err).toContain('building.alarm.triggered');
    const never = await trigger('building.changeset.applied', '--sandbox', sandbox().name);
    expect(never).toEqual({
      code: 1,
      out: '',
      err:
        'atrium: building.changeset.applied cannot be triggered: ' +
        'no part of Atrium publishes it yet\n',
    });
  });
});
