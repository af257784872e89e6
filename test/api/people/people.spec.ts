/** People and teams, over HTTP. contract.md section 5. */
import { beforeAll, describe, expect, it } from 'vitest';
import { accountOf } from '../../../src/identity/development/accounts.ts';
import { configured, rule } from '../../support/domain/service-desk.ts';
import { testApi } from '../../support/api/api.ts';

const PEOPLE = '/api/service-desk/people';
const REQUESTS = '/api/service-desk/requests';
const CONFIGURATION = '/api/service-desk/configuration';

const platform = testApi();
const manager = platform.as('manager@acme.test');
const agent = platform.as('agent@acme.test');
const stranger = platform.as('manager@globex.test');
let ticketId: string;

const directory = {
  users: [{ userId: 'u-ana', name: 'Ana Weiß', email: 'ana@example.com' }],
  teams: [{ teamId: 'hvac', name: 'Heating', members: ['u-ana', 'u-gone'] }],
};

beforeAll(async () => {
  const buildingId = await platform.importBuilding();
  const { body } = await agent.post(REQUESTS, { buildingId, description: 'Too warm' });
  ticketId = body.id;
});

const assign = (body: object, headers: Record<string, string> = {}) =>
  agent.post(`${REQUESTS}/${ticketId}/assign`, body, headers);
const set = async (parts: Parameters<typeof configured>[0]) => {
  const answer = await manager.put(CONFIGURATION, configured(parts));
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.warnings;
};
const subOf = (email: string) => accountOf(email)!.sub;

describe('without a directory', () => {
  it('people are the users who have signed in', async () => {
    const person = { userId: subOf('agent@acme.test'), name: 'Acme Agent', teams: [] };
    await expect.poll(async () => (await agent.get(PEOPLE)).body.items).toContainEqual(person);
    const { status, body } = await agent.get(`${PEOPLE}?search=AGENT%20acm`);
    expect(status).toBe(200);
    expect(body).toEqual({ items: [person], teams: [], more: false });
  });

  it('people and teams are those with assigned tickets, without warnings', async () => {
    const assigned = await assign({ assignedUserId: 'u-new', assignedTeamId: 'lifts' });
    expect(assigned.status).toBe(200);
    expect(assigned.body).not.toHaveProperty('warnings');
    const { body } = await agent.get(PEOPLE);
    expect(body.items).toContainEqual({ userId: 'u-new', name: 'u-new', teams: [] });
    expect(body.teams).toEqual([{ teamId: 'lifts', name: 'lifts', members: [] }]);
  });

  it("another organisation's people are not shown", async () => {
    await expect
      .poll(async () => (await stranger.get(`${PEOPLE}?search=manager`)).body.items)
      .toMatchObject([{ name: 'Globex Manager' }]);
    expect((await stranger.get(`${PEOPLE}?search=u-new`)).body.items).toEqual([]);
    expect((await stranger.get(PEOPLE)).body.teams).toEqual([]);
  });
});

describe('a directory', () => {
  it('lists users and teams, and PUT warns of unknown ones', async () => {
    const warnings = await set({ directory, routingRules: [rule('r', { assignTeamId: 'hvca' })] });
    expect(warnings).toEqual([
      'Team "hvac" has members that do not exist: u-gone.',
      'Rule "r": Team "hvca" is not in the directory.',
    ]);
    expect((await agent.get(CONFIGURATION)).body.directory).toEqual(directory);
    const { body } = await agent.get(`${PEOPLE}?search=weiss`);
    expect(body.items).toEqual([{ userId: 'u-ana', name: 'Ana Weiß', teams: ['hvac'] }]);
    expect((await agent.get(`${PEOPLE}?search=heat`)).body.teams).toEqual(
      directory.teams.map(({ teamId, name, members }) => ({ teamId, name, members })),
    );
  });

  it('accepts a member who has signed in', async () => {
    const members = [subOf('agent@acme.test')];
    const teams = [{ teamId: 'hvac', name: 'Heating', members }];
    await expect.poll(() => set({ directory: { ...directory, teams } })).toEqual([]);
  });

  it('that has a user twice is refused', async () => {
    const users = [...directory.users, ...directory.users];
    const answer = await manager.put(
      CONFIGURATION,
      configured({ directory: { ...directory, users } }),
    );
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', errors: [{ path: 'directory.users[1].userId' }] },
    });
  });

  it('accepts any assignee, with a warning for an unknown one', async () => {
    await set({ directory });
    const typo = { assignedUserId: 'u-anna', assignedTeamId: 'hvca' };
    const warnings = [
      'User "u-anna" is not in the directory and has never signed in.',
      'Team "hvca" is not in the directory.',
    ];
    const key = { 'idempotency-key': 'typo' };
    const assigned = await assign(typo, key);
    expect(assigned).toMatchObject({ status: 200, body: { ...typo, warnings } });
    const again = await assign(typo, key);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.body).toEqual(assigned.body);
    const known = { assignedUserId: subOf('agent@acme.test'), assignedTeamId: 'hvac' };
    expect((await assign(known)).body).not.toHaveProperty('warnings');
    expect((await assign({ assignedUserId: null })).body).not.toHaveProperty('warnings');
  });

  it('is that of a simulated configuration', async () => {
    const { buildingId } = (await agent.get(`${REQUESTS}/${ticketId}`)).body;
    const simulated = await agent.post(`${CONFIGURATION}/simulate`, {
      configuration: configured({
        directory: { ...directory, teams: [] },
        routingRules: [rule('r', { assignTeamId: 'hvac' })],
      }),
      ticket: { buildingId, description: 'Cold' },
    });
    expect(simulated.body).toMatchObject({
      ticket: { assignedTeamId: 'hvac' },
      warnings: ['Rule "r": Team "hvac" is not in the directory.'],
    });
  });
});

it('requires the permission to read tickets for its people', async () => {
  for (const [name, status] of [
    ['viewer', 200],
    ['auditor', 200],
    ['developer', 403],
  ] as const)
    expect((await platform.as(`${name}@acme.test`).get(PEOPLE)).status).toBe(status);
  expect((await platform.as(null).get(PEOPLE)).status).toBe(401);
  const long = await agent.get(`${PEOPLE}?search=${'a'.repeat(201)}`);
  expect(long).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
});
