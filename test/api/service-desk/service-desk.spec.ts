import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { demoBuilding } from '../../../src/demo/building.ts';
import { MATCH_VALUES_MAX } from '../../../src/domain/service-desk/limits.ts';
import { configured, rule } from '../../support/domain/service-desk.ts';
import { testApi } from '../../support/api/api.ts';

const CONFIGURATION = '/api/service-desk/configuration';
const SIMULATE = `${CONFIGURATION}/simulate`;
const REQUESTS = '/api/service-desk/requests';

const platform = testApi();
const manager = platform.as('manager@acme.test');
const agent = platform.as('agent@acme.test');
const stranger = platform.as('manager@globex.test');
let buildingId: string;

beforeAll(async () => {
  buildingId = await platform.importBuilding();
});

/** Sets the configuration at any current revision. */
const set = async (parts: Parameters<typeof configured>[0]) => {
  const answer = await manager.put(CONFIGURATION, configured(parts));
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer;
};
const draft = (over: object = {}) => ({ buildingId, description: 'Water under the sink', ...over });
const raise = async (over: object = {}, headers: Record<string, string> = {}) => {
  const answer = await agent.post(REQUESTS, draft(over), headers);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
};
const minutesOf = (ticket: { createdAt: string }, due: string) =>
  (Date.parse(due) - Date.parse(ticket.createdAt)) / 60_000;

const office = {
  timeZone: 'Europe/Berlin',
  weekly: {
    monday: [
      ['09:00', '12:00'],
      ['13:00', '17:00'],
    ],
  },
  holidays: ['2026-12-25'],
} as const;

describe('the configuration of a service desk', () => {
  it('is empty and has no revision until it is set', async () => {
    const answer = await stranger.get(CONFIGURATION);
    expect(answer).toMatchObject({ status: 200, body: configured({}) });
    expect(answer.headers['etag']).toBeUndefined();
  });

  it('is returned as put, with its revision', async () => {
    const document = configured({
      slaPolicies: [
        { name: 'all', firstResponseMinutes: 60, resolutionMinutes: null, calendar: 'office' },
      ],
      calendars: { office },
      routingRules: [rule('gas', { match: { text: 'gas', priority: ['low', 'medium'] } })],
      workflows: [{ requestType: 'repair', transitions: { new: ['triaged'], closed: [] } }],
    });
    const put = await manager.put(CONFIGURATION, document);
    expect(put).toMatchObject({ status: 200, headers: { etag: '"0"' } });
    expect(put.body).toEqual({ ...document, warnings: [] });
    const got = await agent.get(CONFIGURATION);
    expect(got.body).toEqual(document);
    expect(got.headers['etag']).toBe('"0"');
    // The body of a GET is a valid PUT, and an equal document changes nothing.
    expect((await manager.put(CONFIGURATION, got.body)).headers['etag']).toBe('"0"');
  });

  it('is neither visible nor effective in another organisation', async () => {
    await set({ routingRules: [rule('all', { assignTeamId: 'ours' })] });
    expect((await stranger.get(CONFIGURATION)).body).toEqual(configured({}));
    const theirs = await stranger.post('/api/v1/buildings/import', demoBuilding());
    const ticket = await stranger.post(REQUESTS, draft({ buildingId: theirs.body.buildingId }));
    expect(ticket.body).toMatchObject({ assignedTeamId: null, state: 'new' });
    expect((await raise()).assignedTeamId).toBe('ours');
  });

  it('is readable with the permission to read tickets, and set by managers only', async () => {
    const allowed = async (email: string) => [
      (await platform.as(email).get(CONFIGURATION)).status,
      (await platform.as(email).post(SIMULATE, { ticket: draft() })).status,
      (await platform.as(email).put(CONFIGURATION, configured({}))).status,
    ];
    expect(await allowed('manager@acme.test')).toEqual([200, 200, 200]);
    for (const name of ['agent', 'auditor', 'viewer']) {
      expect(await allowed(`${name}@acme.test`)).toEqual([200, 200, 403]);
    }
    expect(await allowed('developer@acme.test')).toEqual([403, 403, 403]);
  });

  it('is replaced only at the revision in If-Match', async () => {
    const { etag } = (await set({ routingRules: [rule('read')] })).headers;
    await set({ routingRules: [rule('meanwhile')] });
    const late = await manager.put(CONFIGURATION, configured({}), { 'if-match': etag! });
    expect(late).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
    const now = (await agent.get(CONFIGURATION)).headers['etag']!;
    const timely = await manager.put(CONFIGURATION, configured({}), { 'if-match': now });
    expect(timely.status).toBe(200);
  });

  it('is set for the first time only once with If-None-Match', async () => {
    const first = { 'if-none-match': '*' };
    const answers = [
      await stranger.put(CONFIGURATION, configured({ routingRules: [rule('a')] }), first),
      await stranger.put(CONFIGURATION, configured({ routingRules: [rule('b')] }), first),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 412]);
    expect((await stranger.get(CONFIGURATION)).body.routingRules[0].ruleId).toBe('a');
  });

  it('is replaced once under one Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'desk-1' };
    const document = configured({ routingRules: [rule('once')] });
    const first = await manager.put(CONFIGURATION, document, key);
    await set({ routingRules: [rule('later')] });
    const again = await manager.put(CONFIGURATION, document, key);
    expect(again).toMatchObject({
      status: 200,
      headers: { 'idempotent-replayed': 'true', etag: first.headers['etag'] },
    });
    expect(again.body).toEqual(first.body);
    expect((await agent.get(CONFIGURATION)).body.routingRules[0].ruleId).toBe('later');
    const other = await manager.put(CONFIGURATION, configured({}), key);
    expect(other).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
  });

  it('is refused with the rule and the reason, and stays unchanged', async () => {
    await set({ routingRules: [rule('kept')] });
    const policy = { name: 'night', firstResponseMinutes: 1, resolutionMinutes: 1 };
    const answer = await manager.put(
      CONFIGURATION,
      configured({
        routingRules: [rule('a'), rule('a')],
        slaPolicies: [{ ...policy, calendar: 'nights' }],
        calendars: { never: { ...office, weekly: {} } },
      }),
    );
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(answer.body.errors).toEqual([
      {
        path: 'slaPolicies[0].calendar',
        message: 'policy "night" names the calendar "nights", which there is not',
      },
      { path: 'calendars.never.weekly', message: 'calendar "never" has no working time at all' },
      { path: 'routingRules[1].ruleId', message: 'another rule has the ruleId "a" already' },
    ]);
    expect((await agent.get(CONFIGURATION)).body.routingRules[0].ruleId).toBe('kept');
  });

  it('refuses a workflow that adds an edge', async () => {
    const workflows = [{ requestType: 'repair', transitions: { new: ['resolved' as const] } }];
    const answer = await manager.put(CONFIGURATION, configured({ workflows }));
    expect(answer).toMatchObject({ status: 400, body: { code: 'EDGE_NOT_IN_GRAPH' } });
    expect(answer.body.errors).toEqual([
      {
        path: 'workflows[0].transitions.new[0]',
        message:
          'workflow "repair" adds new to resolved: a workflow can only remove edges, ' +
          'and the graph leads from new to triaged, cancelled',
      },
    ]);
  });

  it.each([
    [{ ...configured({}), colour: 'red' }],
    [{ routingRules: [] }],
    [{ ...configured({}), routingRules: [{ ...rule('a'), match: { priority: 'urgent' } }] }],
  ])('refuses an invalid document: %j', async (document) =>
    expect(await manager.put(CONFIGURATION, document)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED' },
    }),
  );

  it("accepts the guide's document, word for word", async () => {
    const guide = new URL('../../../docs/guides/configure-the-service-desk.md', import.meta.url);
    const [, document] = /```json\n(.*?)```/s.exec(await readFile(guide, 'utf8'))!;
    const answer = await manager.put(CONFIGURATION, document);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body).toEqual({ ...JSON.parse(document!), warnings: [] });
  });

  it('accepts a rule that never runs, with a warning', async () => {
    const { body } = await set({ routingRules: [rule('a', { stop: true }), rule('b')] });
    expect(body.warnings).toEqual(['Rule "b" never runs: "a" stops at every ticket it matches.']);
    expect((await agent.get(CONFIGURATION)).body).not.toHaveProperty('warnings');
  });

  it('accepts locations unknown to the organisation, with a warning', async () => {
    const others = await platform.importBuilding('manager@globex.test');
    const unknown = '00000000-0000-4000-8000-000000000000';
    const own = `/api/v1/buildings/${buildingId}`;
    const first = async (list: string) => (await manager.get(`${own}/${list}`)).body.items[0].id;
    const [storeyId, spaceId, elementId] = await Promise.all(
      ['storeys', 'spaces', 'elements'].map(first),
    );
    const match = { buildingId: buildingId.toUpperCase(), storeyId, spaceId, elementId };
    expect((await set({ routingRules: [rule('own', { match })] })).body.warnings).toEqual([]);
    const { status, body } = await set({
      routingRules: [
        rule('a', { match: { buildingId: [buildingId, others] } }),
        rule('b', { match: { spaceId: [spaceId, storeyId, unknown] } }),
      ],
    });
    expect(status).toBe(200);
    expect(body.warnings).toEqual([
      `Rule "a" names a building that the organisation does not have: ${others}.`,
      `Rule "b" names a space that the organisation does not have: ${storeyId}, ${unknown}.`,
    ]);
  });

  it('asks once for all places of the largest document', async () => {
    const ids = Array.from(
      { length: MATCH_VALUES_MAX },
      (_, n) => `00000000-0000-4000-8000-${`${n}`.padStart(12, '0')}`,
    );
    const match = { buildingId: ids, storeyId: ids.slice(0, 30) };
    const rules = Array.from({ length: 45 }, (_, n) => rule(`${n}`, { match }));
    const { status, body } = await set({ routingRules: rules });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.warnings).toHaveLength(90);
  });

  it('warns of a state that a workflow lets no ticket leave', async () => {
    const transitions = { in_progress: [] };
    const { body } = await set({ workflows: [{ requestType: 'repair', transitions }] });
    expect(body.warnings).toEqual(['Workflow "repair": no ticket can leave "in_progress".']);
  });
});

describe('a ticket that is created', () => {
  const rules = [
    rule('water', {
      match: { text: 'water' },
      raisePriorityTo: 'critical',
      triage: true,
      note: 'Close the valve.',
    }),
    rule('plumbers', { match: { priority: 'critical' }, assignTeamId: 'plumbers' }),
  ];

  it('is returned as routed, with the effects of the rules on its timeline', async () => {
    await set({ routingRules: rules });
    const ticket = await raise({ priority: 'low' });
    expect(ticket).toMatchObject({
      state: 'triaged',
      priority: 'critical',
      assignedTeamId: 'plumbers',
      assignedUserId: null,
      firstRespondedAt: ticket.createdAt,
      slaFirstResponseBreached: false,
      revision: 5,
    });
    expect(minutesOf(ticket, ticket.slaResolutionDueAt)).toBe(240);
    expect((await agent.get(`${REQUESTS}/${ticket.id}`)).body).toEqual(ticket);
    const listed = await agent.get(`${REQUESTS}?state=triaged&assignedTeamId=plumbers`);
    expect(listed.body.items).toContainEqual(ticket);
    const { items } = (await agent.get(`${REQUESTS}/${ticket.id}/updates`)).body;
    expect(items).toMatchObject([
      { kind: 'fields', from: { priority: 'low' }, to: { priority: 'critical' }, ruleId: 'water' },
      { kind: 'state', from: 'new', to: 'triaged', ruleId: 'water' },
      { kind: 'assignment', to: { assignedTeamId: 'plumbers' }, ruleId: 'plumbers' },
      { kind: 'system', body: 'Close the valve.', ruleId: 'water' },
    ]);
  });

  it('is routed by the places that its own place implies', async () => {
    const { items } = (await agent.get(`/api/v1/buildings/${buildingId}/spaces`)).body;
    const [space] = items;
    await set({
      routingRules: [
        rule('storey', { match: { storeyId: space.storey.id }, assignTeamId: 'upstairs' }),
        rule('space', { match: { spaceId: [space.id] }, assignUserId: 'ana' }),
      ],
    });
    const ticket = await raise({ spaceId: space.id });
    expect(ticket).toMatchObject({ assignedTeamId: 'upstairs', assignedUserId: 'ana' });
    expect((await raise()).assignedTeamId).toBeNull();
  });

  it('is as requested when no rule matches', async () => {
    await set({ routingRules: rules });
    const ticket = await raise({ description: 'The lamp flickers' });
    expect(ticket).toMatchObject({ state: 'new', priority: 'medium', assignedTeamId: null });
    expect(ticket.firstRespondedAt).toBeNull();
    expect((await agent.get(`${REQUESTS}/${ticket.id}/updates`)).body.items).toEqual([]);
  });

  it('is the same ticket under the same key, after any change of the configuration', async () => {
    await set({ routingRules: rules });
    const key = { 'idempotency-key': 'routed-once' };
    const first = await raise({}, key);
    await set({});
    expect(await raise({}, key)).toEqual(first);
    const { items } = (await agent.get(`${REQUESTS}/${first.id}/updates`)).body;
    expect(items).toHaveLength(4);
  });

  it('follows the configuration from its very next create on', async () => {
    for (const team of ['one', 'two', 'three']) {
      await set({ routingRules: [rule('all', { assignTeamId: team })] });
      expect((await raise()).assignedTeamId).toBe(team);
    }
  });

  it('keeps the terms it was opened on', async () => {
    const policy = { name: 'all', firstResponseMinutes: 30, resolutionMinutes: null };
    await set({ slaPolicies: [policy] });
    const ticket = await raise();
    expect(minutesOf(ticket, ticket.slaFirstResponseDueAt)).toBe(30);
    expect(ticket.slaResolutionDueAt).toBeNull();
    await set({});
    expect((await agent.get(`${REQUESTS}/${ticket.id}`)).body).toEqual(ticket);
  });

  it('stays new, with a note, when its workflow does not allow triaging', async () => {
    const workflows = [{ requestType: 'repair', transitions: { new: ['cancelled' as const] } }];
    await set({ routingRules: [rule('a', { triage: true })], workflows });
    const ticket = await raise({ requestType: 'repair' });
    expect(ticket.state).toBe('new');
    const { items } = (await agent.get(`${REQUESTS}/${ticket.id}/updates`)).body;
    expect(items).toMatchObject([{ kind: 'system', ruleId: 'a' }]);
    expect((await agent.get(`${REQUESTS}/${ticket.id}/transitions`)).body).toEqual({
      from: 'new',
      allowed: ['cancelled'],
    });
    const moved = await agent.post(`${REQUESTS}/${ticket.id}/transition`, { state: 'triaged' });
    expect(moved).toMatchObject({
      status: 400,
      body: { code: 'TRANSITION_NOT_ALLOWED', allowed: ['cancelled'] },
    });
    expect((await raise()).state).toBe('triaged');
  });
});

describe('a simulation', () => {
  const rules = [
    rule('off', { enabled: false }),
    rule('water', { match: { text: 'water' }, raisePriorityTo: 'high', note: 'Close the valve.' }),
    rule('fire', { match: { text: 'fire' } }),
    rule('last', { assignTeamId: 'plumbers', triage: true, stop: true }),
    rule('never'),
  ];
  const policy = {
    name: 'office',
    match: { priority: 'high' as const },
    firstResponseMinutes: 10,
    resolutionMinutes: null,
    warningPercent: 50,
    calendar: 'office',
    pauseWhileWaiting: true,
  };
  const configuration = configured({
    routingRules: rules,
    slaPolicies: [policy],
    calendars: { office },
  });

  it('reports the effect of each rule and the policy, for an unsaved configuration', async () => {
    await set({});
    const { status, body } = await agent.post(SIMULATE, { configuration, ticket: draft() });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({
      ticket: { state: 'triaged', priority: 'high', assignedTeamId: 'plumbers' },
      rules: [
        { ruleId: 'off', outcome: 'disabled', changes: {} },
        {
          ruleId: 'water',
          outcome: 'matched',
          changes: { priority: 'high', note: 'Close the valve.' },
        },
        { ruleId: 'fire', outcome: 'not_matched', changes: {} },
        {
          ruleId: 'last',
          outcome: 'matched',
          changes: { assignedTeamId: 'plumbers', triage: 'done' },
        },
        { ruleId: 'never', outcome: 'not_reached', changes: {} },
      ],
      notes: [{ ruleId: 'water', body: 'Close the valve.' }],
      sla: {
        policy: 'office',
        firstResponseMinutes: 10,
        resolutionMinutes: null,
        warningPercent: 50,
        resolutionWarnsAt: null,
        timeZone: 'Europe/Berlin',
        pauseWhileWaiting: true,
      },
      warnings: ['Rule "never" never runs: "last" stops at every ticket it matches.'],
    });
    expect(body.ticket).not.toHaveProperty('number');
    expect((await agent.get(CONFIGURATION)).body).toEqual(configured({}));
  });

  it('writes nothing and draws no number', async () => {
    await set({ routingRules: rules });
    const before = await raise();
    const { total } = (await agent.get(REQUESTS)).body;
    for (let times = 0; times < 3; times += 1) {
      expect((await agent.post(SIMULATE, { ticket: draft() })).status).toBe(200);
    }
    const numberOf = ({ number }: { number: string }) => Number(number.slice(3));
    expect((await agent.get(REQUESTS)).body.total).toBe(total);
    expect(numberOf(await raise())).toBe(numberOf(before) + 1);
  });

  it('is the ticket that the create then makes', async () => {
    await set(configuration);
    const { ticket } = (await agent.post(SIMULATE, { ticket: draft({ category: 'same' }) })).body;
    const made = await raise({ category: 'same' });
    const { id: _, number: __, revision: ___, ...rest } = made;
    const dated = /At$/;
    const undated = (one: object) =>
      Object.fromEntries(Object.entries(one).filter(([name]) => !dated.test(name)));
    expect(Object.keys(ticket).sort()).toEqual(Object.keys(rest).sort());
    expect(undated(ticket)).toEqual(undated(rest));
  });

  it('refuses the documents of a PUT and the bodies of a create that those refuse', async () => {
    const workflows = [{ requestType: 'repair', transitions: { closed: ['new' as const] } }];
    const answers = await Promise.all([
      agent.post(SIMULATE, { configuration: configured({ workflows }), ticket: draft() }),
      agent.post(SIMULATE, {
        ticket: draft({ buildingId: '0b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22' }),
      }),
      agent.post(SIMULATE, { ticket: draft({ formData: { text: 'x'.repeat(17_000) } }) }),
      agent.post(SIMULATE, {}),
    ]);
    expect(answers.map(({ body }) => body.code)).toEqual([
      'EDGE_NOT_IN_GRAPH',
      'REFERENCE_NOT_FOUND',
      'VALIDATION_FAILED',
      'VALIDATION_FAILED',
    ]);
  });
});
