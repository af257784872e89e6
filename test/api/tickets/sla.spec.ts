/**
 * Service levels over HTTP, on a clock that is advanced: timers due in between have fired at their
 * own time. contract.md section 5.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { demoBuilding } from '../../../src/demo/building.ts';
import { systemClock, virtualClock } from '../../../src/engine/time/clock.ts';
import { testApi } from '../../support/api/api.ts';

const REQUESTS = '/api/service-desk/requests';
const CONFIGURATION = '/api/service-desk/configuration';
const MINUTE_MS = 60_000;

/** A Friday to come, 16:29 in Berlin, whose clocks are put forward in the night to Sunday. */
const friday = (): number => {
  const ofYear = (year: number) => {
    const march = new Date(Date.UTC(year, 2, 31, 15, 29));
    return march.setUTCDate(31 - march.getUTCDay() - 2);
  };
  const year = new Date().getUTCFullYear();
  return [year, year + 1].map(ofYear).find((at) => at > Date.now())!;
};
const week = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];

const configuration = {
  slaPolicies: [
    {
      name: 'urgent',
      match: { priority: 'critical' },
      firstResponseMinutes: 20,
      resolutionMinutes: 60,
    },
    {
      name: 'office',
      match: { requestType: 'office' },
      firstResponseMinutes: 60,
      resolutionMinutes: 120,
      warningPercent: 50,
      calendar: 'berlin',
    },
    {
      name: 'patient',
      match: { requestType: 'patient' },
      firstResponseMinutes: null,
      resolutionMinutes: 100,
      pauseWhileWaiting: true,
    },
  ],
  calendars: {
    berlin: {
      timeZone: 'Europe/Berlin',
      weekly: Object.fromEntries(week.map((day) => [day, [['09:00', '17:00']]])),
      holidays: [],
    },
  },
  routingRules: [
    { ruleId: 'leaks', name: 'Leaks', match: { text: 'leak' }, raisePriorityTo: 'critical' },
  ],
  workflows: [{ requestType: 'bound', transitions: { new: ['triaged'], triaged: ['waiting'] } }],
};

const platform = testApi(() => ({ clock, timeTravel: true }));
let buildingId: string;
const clock = virtualClock(systemClock, friday() - Date.now());
const agent = platform.as('agent@acme.test');
const manager = platform.as('manager@acme.test');

beforeAll(async () => {
  ({ buildingId } = (await manager.post('/api/v1/buildings/import', demoBuilding())).body);
  expect((await manager.put(CONFIGURATION, configuration)).status).toBe(200);
});

interface Shown {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly revision: number;
  readonly slaFirstResponseDueAt: string;
  readonly slaResolutionDueAt: string;
}

const raise = async (over: object = {}): Promise<Shown> => {
  const answer = await agent.post(REQUESTS, { buildingId, description: 'It is cold.', ...over });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
};
const look = async (id: string) => (await agent.get(`${REQUESTS}/${id}`)).body;
const move = async (id: string, ...states: string[]) => {
  for (const state of states) {
    const answer = await agent.post(`${REQUESTS}/${id}/transition`, { state });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  }
};
const advance = async (by: string) => {
  const { status } = await platform
    .as('operator@atrium.test')
    .post('/api/v1/clock', { advance: by });
  expect(status).toBe(200);
};
const overdue = async (id: string): Promise<boolean> => {
  const { body } = await agent.get(`${REQUESTS}?overdue=true&limit=200`);
  return body.items.some((ticket: Shown) => ticket.id === id);
};
/** The occasions on the timeline, each with the minutes since the opening. */
const occasions = async ({ id, createdAt }: Shown) => {
  const { body } = await agent.get(`${REQUESTS}/${id}/updates`);
  return body.items
    .filter(({ kind }: { kind: string }) => kind === 'sla')
    .map(({ at, to }: { at: string; to: { clock?: string; warned?: true } }) => [
      Math.floor((Date.parse(at) - Date.parse(createdAt)) / MINUTE_MS),
      to.clock === undefined ? 'moved' : `${to.clock} ${to.warned ? 'warned' : 'breached'}`,
    ]);
};
const minutes = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / MINUTE_MS;

describe('the clocks of a ticket', () => {
  it('go by the hours of the calendar, though the wall clocks are changed meanwhile', async () => {
    const ticket = await raise({ requestType: 'office' });
    // From 17:00 on Friday to 9:00 on Monday it is 63 hours this time, not 64.
    const closed = 63 * 60;
    expect(minutes(ticket.createdAt, ticket.slaFirstResponseDueAt)).toBe(closed + 60);
    expect(minutes(ticket.createdAt, ticket.slaResolutionDueAt)).toBe(closed + 120);
    await advance('P3D');
    const seen = await occasions(ticket);
    expect(seen).toHaveLength(4);
    // Two of them fall on one instant.
    expect(seen).toEqual(
      expect.arrayContaining([
        [30, 'first_response warned'],
        [closed + 60, 'resolution warned'],
        [closed + 60, 'first_response breached'],
        [closed + 120, 'resolution breached'],
      ]),
    );
  });

  it('go by the policy of the priority that a rule has raised it to', async () => {
    const ticket = await raise({ subject: 'A leak', priority: 'low' });
    expect(minutes(ticket.createdAt, ticket.slaFirstResponseDueAt)).toBe(20);
    await advance('PT17M');
    const warned = await look(ticket.id);
    expect(Math.floor(minutes(ticket.createdAt, warned.updatedAt))).toBe(16);
    expect(warned).toMatchObject({ revision: 2, slaFirstResponseBreached: false });
    expect(await overdue(ticket.id)).toBe(false);
    await advance('PT4M');
    const breached = await look(ticket.id);
    expect(breached).toMatchObject({ revision: 3, slaFirstResponseBreached: true });
    expect(breached.updatedAt > breached.slaFirstResponseDueAt).toBe(true);
    expect(await overdue(ticket.id)).toBe(true);
    expect(await occasions(ticket)).toEqual([
      [16, 'first_response warned'],
      [20, 'first_response breached'],
    ]);
  });

  it('raise no event for a resolved ticket, and all of them when it is reopened late', async () => {
    const ticket = await raise({ subject: 'leak', requestType: 'once' });
    await move(ticket.id, 'triaged', 'resolved');
    await advance('PT2H');
    expect(await occasions(ticket)).toEqual([]);
    await move(ticket.id, 'reopened');
    await expect
      .poll(async () => (await occasions(ticket)).map(([, what]: string[]) => what))
      .toEqual(['resolution warned', 'resolution breached']);
    expect((await look(ticket.id)).slaResolutionDueAt).toBe(ticket.slaResolutionDueAt);
    await move(ticket.id, 'in_progress', 'resolved', 'reopened');
    await advance('PT2H');
    expect(await occasions(ticket)).toHaveLength(2);
  });

  it('publish a breach recorded by a command on the bus and in the feed', async () => {
    const ticket = await raise({ requestType: 'late', priority: 'critical' });
    await move(ticket.id, 'triaged', 'resolved');
    await advance('PT2H');
    // The timer may be faster than the second of them: the messages are the same.
    await move(ticket.id, 'reopened', 'resolved');
    const changes = async () =>
      (await agent.get(`/api/service-desk/changes?limit=500`)).body.items.filter(
        ({ ticketId }: { ticketId: string }) => ticketId === ticket.id,
      );
    const raised = { clock: 'resolution', kind: 'breach', dueAt: ticket.slaResolutionDueAt };
    const slaEvents = (await changes()).flatMap((item: { slaEvents?: object[] }) => item.slaEvents);
    expect(slaEvents.filter(Boolean)).toContainEqual(raised);
    const onBus = async () => {
      const { body } = await platform
        .as('operator@atrium.test')
        .get('/api/v1/bus/events?limit=500');
      return body.items
        .filter(({ data }: { data: { id: string } }) => data.id === ticket.id)
        .map(({ subject, data }: { subject: string; data: { change: string; state: string } }) => [
          subject.split('.').at(-1),
          data.change,
          data.state,
        ]);
    };
    await expect
      .poll(onBus)
      .toContainEqual(['sla_breached', 'sla', expect.stringMatching('reopened')]);
    await expect.poll(async () => (await onBus()).at(-1)).toEqual(['updated', 'state', 'resolved']);
  });

  it('pause while it waits, where its policy pauses, and resume afterwards', async () => {
    const ticket = await raise({ requestType: 'patient' });
    expect(ticket.slaFirstResponseDueAt).toBeNull();
    await move(ticket.id, 'triaged', 'waiting');
    await advance('P1D');
    expect(await overdue(ticket.id)).toBe(false);
    expect(await occasions(ticket)).toEqual([]);
    const before = await look(ticket.id);
    expect(before.slaResolutionDueAt).toBe(ticket.slaResolutionDueAt);
    await move(ticket.id, 'in_progress');
    const after = await look(ticket.id);
    const day = 24 * 60;
    expect(Math.floor(minutes(ticket.createdAt, after.slaResolutionDueAt))).toBe(100 + day);
    await advance('PT2H');
    expect(await occasions(ticket)).toEqual([
      [day, 'moved'],
      [80 + day, 'resolution warned'],
      [100 + day, 'resolution breached'],
    ]);
    expect(await overdue(ticket.id)).toBe(true);
  });
});

describe('`slaPausedAt`', () => {
  /** From every place that shows a ticket. */
  const everywhere = async (id: string, category: string) => {
    const list = `${REQUESTS}?category=${category}`;
    const exported = `${REQUESTS}/export?category=${category}`;
    const { body: csv } = await agent.get(exported, { accept: 'text/csv' });
    const [head, row] = String(csv).split('\r\n') as [string, string];
    const at = head.split(',').findIndex((name) => name.includes('slaPausedAt'));
    const feed = (await agent.get('/api/service-desk/changes?limit=500')).body.items;
    const latest = feed.findLast(({ ticketId }: { ticketId: string }) => ticketId === id);
    const shown: readonly (string | null)[] = [
      (await look(id)).slaPausedAt,
      (await agent.get(list)).body.items[0].slaPausedAt,
      JSON.parse((await agent.get(exported)).body).slaPausedAt,
      row.split(',')[at]!.replaceAll('"', '') || null,
      latest.ticket.slaPausedAt,
    ];
    return new Set(shown);
  };

  it('is the start of the pause in every view, after a rebuild too', async () => {
    const category = 'paused';
    const { id } = await raise({ requestType: 'patient', category });
    expect(await everywhere(id, category)).toEqual(new Set([null]));
    await move(id, 'triaged');
    const { body: waiting } = await agent.post(`${REQUESTS}/${id}/transition`, {
      state: 'waiting',
    });
    expect(waiting.slaPausedAt).toBe(waiting.updatedAt);
    await agent.post(`${REQUESTS}/${id}/updates`, { body: 'Parts are ordered.' });
    expect(await everywhere(id, category)).toEqual(new Set([waiting.slaPausedAt]));
    const asked = await platform.readModels.ask('ticket-list', { kind: 'rebuild', by: 'ana' });
    const rebuild = async () =>
      (await platform.readModels.requests('ticket-list')).find((one) => one.id === asked.id)!;
    await expect.poll(async () => (await rebuild()).state).toBe('done');
    expect(await everywhere(id, category)).toEqual(new Set([waiting.slaPausedAt]));
    await move(id, 'in_progress');
    expect(await everywhere(id, category)).toEqual(new Set([null]));
  });

  it('is null where the policy does not pause', async () => {
    const { id } = await raise();
    await move(id, 'triaged', 'waiting');
    expect((await look(id)).slaPausedAt).toBeNull();
  });
});

describe('a workflow', () => {
  it('limits the allowed transitions, and refuses others', async () => {
    const { id } = await raise({ requestType: 'bound' });
    const allowed = async () => (await agent.get(`${REQUESTS}/${id}/transitions`)).body;
    const to = (state: string) => agent.post(`${REQUESTS}/${id}/transition`, { state });
    expect(await allowed()).toEqual({ from: 'new', allowed: ['triaged'] });
    expect(await to('cancelled')).toMatchObject({
      status: 400,
      body: {
        code: 'TRANSITION_NOT_ALLOWED',
        from: 'new',
        to: 'cancelled',
        allowed: ['triaged'],
      },
    });
    await move(id, 'triaged');
    expect(await allowed()).toEqual({ from: 'triaged', allowed: ['waiting'] });
    await move(id, 'waiting');
    // It says nothing of this state.
    expect(await allowed()).toEqual({
      from: 'waiting',
      allowed: ['in_progress', 'resolved', 'cancelled'],
    });
  });

  it('counts as it is when the ticket moves, and for its request type alone', async () => {
    const [bound, free] = [await raise({ requestType: 'bound' }), await raise()];
    await move(free.id, 'cancelled');
    await manager.put(CONFIGURATION, { ...configuration, workflows: [] });
    await move(bound.id, 'cancelled');
    await manager.put(CONFIGURATION, configuration);
  });
});

describe('updatedAt', () => {
  it('moves exactly with each visible change', async () => {
    const { id, createdAt } = await raise();
    const path = `${REQUESTS}/${id}`;
    const seen = [createdAt];
    const changes: [string, object][] = [
      ['assign', { assignedTeamId: 'hvac' }],
      ['assign', { assignedUserId: 'ana' }],
      ['updates', { body: 'Called.' }],
      ['transition', { state: 'triaged' }],
      ['assign', { assignedTeamId: null }],
      ['transition', { state: 'waiting', note: 'Parts.' }],
    ];
    const patches = [{ subject: 'Cold' }, { priority: 'low' }, { metadata: { a: 'b' } }];
    const moved = async () => {
      const { updatedAt } = await look(id);
      expect(updatedAt > seen.at(-1)!).toBe(true);
      seen.push(updatedAt);
    };
    for (const [verb, body] of changes) {
      await agent.post(`${path}/${verb}`, body);
      await moved();
    }
    for (const patch of patches) {
      await agent.patch(path, patch);
      await moved();
    }

    const before = await agent.get(path);
    for (const patch of patches) expect((await agent.patch(path, patch)).status).toBe(200);
    for (const same of [{ assignedUserId: 'ana' }, { assignedTeamId: null }])
      expect((await agent.post(`${path}/assign`, same)).status).toBe(200);
    for (const state of ['waiting', 'closed', 'new'])
      expect((await agent.post(`${path}/transition`, { state })).status).toBe(400);
    const after = await agent.get(path);
    expect(after.body).toEqual(before.body);
    expect(after.headers['etag']).toBe(before.headers['etag']);
  });
});
