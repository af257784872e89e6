/** `atrium tickets list|get|note|assign`, as somebody types them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { testApi } from '../support/api/api.ts';
import { commandLine, followed } from '../support/cli/command-line.ts';

const REQUESTS = '/api/service-desk/requests';

const platform = testApi();
const { as } = commandLine(platform);
const agent = platform.as('agent@acme.test');
const tickets = (...words: readonly string[]) => as('agent@acme.test', 'tickets', ...words);
let buildingId: string;
beforeAll(async () => {
  buildingId = await platform.importBuilding();
});

const raised = async (over: object = {}) => {
  const draft = { buildingId, description: 'It drips.', ...over };
  const { status, body } = await agent.post(REQUESTS, draft);
  expect(status).toBe(201);
  return body;
};

describe('atrium tickets get', () => {
  it('shows a ticket with all that happened to it, by number', async () => {
    const { number, id } = await raised({ category: 'timeline' });
    await tickets('transition', id, 'triaged', '--note', 'Looked at it.');
    const shown = await followed(() => tickets('show', number.toLowerCase()));
    expect(shown).toMatchObject({ id, number, state: 'triaged' });
    expect(shown.timeline).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'state', from: 'new', to: 'triaged' }),
        expect.objectContaining({ kind: 'note', body: 'Looked at it.' }),
      ]),
    );
  });

  it('says which number no ticket has, and which id', async () => {
    const number = await tickets('get', 'sr-999999');
    expect(number).toMatchObject({ code: 1, out: '' });
    expect(number.err).toBe('atrium: no ticket has the number SR-999999\n');
    const id = await tickets('get', '019b0000-0000-7000-8000-000000000000');
    expect(id).toMatchObject({ code: 1, err: expect.stringContaining('(NOT_FOUND)') });
  });
});

describe('atrium tickets list', () => {
  it('prints as many as are asked for and says that there are more, or prints all', async () => {
    for (const priority of ['low', 'high', 'medium']) await raised({ category: 'many', priority });
    const many = ['list', '--category', 'many', '--sort', '-priority'];
    await followed(
      () => tickets(...many),
      ({ items }) => items.length === 3,
    );
    const some = await tickets(...many, '--limit', '2');
    expect(some.json().items.map(({ priority }: { priority: string }) => priority)).toEqual([
      'high',
      'medium',
    ]);
    expect(some.err).toBe('There are more than 2: use --all or --limit to list them.\n');
    const all = await tickets(...many, '--all');
    expect([all.json().items.length, all.err]).toEqual([3, '']);
    const exactly = await tickets(...many, '--limit', '3');
    expect([exactly.json().items.length, exactly.err]).toEqual([3, '']);
  });

  it('filters by place, reporter and assignment', async () => {
    const { body } = await agent.get(`/api/v1/buildings/${buildingId}/spaces?limit=1`);
    const space = body.items[0];
    const { number, createdBy } = await raised({ category: 'placed', spaceId: space.id });
    const numbers = async (...filter: readonly string[]) => {
      const printed = (await tickets('list', '--category', 'placed', ...filter)).json();
      return printed.items.map((ticket: { number: string }) => ticket.number);
    };
    await expect.poll(() => numbers('--space', space.id)).toEqual([number]);
    expect(await numbers('--storey', space.storey.id)).toEqual([number]);
    expect(await numbers('--reporter', createdBy.id)).toEqual([number]);
    expect(await numbers('--mine')).toEqual([]);
    await tickets('assign', number, '--user', createdBy.id);
    await expect.poll(() => numbers('--mine')).toEqual([number]);
    const wrong = await tickets('list', '--field', 'floor');
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('Write <key>=<value>') });
  });
});

describe('atrium tickets note', () => {
  it('adds a note once under a key, internal unless it is public', async () => {
    const { number, id } = await raised();
    const note = ['note', number, 'Fitted.', '--public', '--idempotency-key', 'n-1'];
    const added = await followed(() => tickets(...note));
    expect(added).toMatchObject({ body: 'Fitted.', visibility: 'public' });
    expect((await tickets(...note)).json().id).toBe(added.id);
    expect((await tickets('note', number, 'Ordered.')).json()).toMatchObject({
      visibility: 'internal',
    });
    const { body } = await agent.get(`${REQUESTS}/${id}/updates`);
    const bodies = body.items.map((entry: { body?: string }) => entry.body).filter(Boolean);
    expect(bodies).toEqual(['Fitted.', 'Ordered.']);
  });

  it('is refused without the permission', async () => {
    const { number } = await raised();
    await followed(() => tickets('get', number));
    const refused = await as('viewer@acme.test', 'tickets', 'note', number, 'Mine.');
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('(PERMISSION_DENIED)');
  });
});

describe('atrium tickets assign', () => {
  it('finds people and teams by their names, and unassigns the ticket again', async () => {
    const manager = platform.as('manager@acme.test');
    const configuration = '/api/service-desk/configuration';
    const { body: before } = await manager.get(configuration);
    const { status } = await manager.put(configuration, {
      ...before,
      directory: {
        users: [
          { userId: 'u-1', name: 'Ada Agent' },
          { userId: 'u-2', name: 'Bo Builder' },
          { userId: 'u-3', name: 'Bo Builder' },
        ],
        teams: [{ teamId: 'hvac', name: 'Heating and air', members: ['u-1'] }],
      },
    });
    expect(status).toBe(200);
    const { number } = await raised();
    const assigned = await followed(
      () => tickets('assign', number, '--user', 'Ada Agent', '--team', 'Heating and air'),
      ({ assignedUserId }) => assignedUserId === 'u-1',
    );
    expect(assigned).toMatchObject({ assignedUserId: 'u-1', assignedTeamId: 'hvac' });
    const several = await tickets('assign', number, '--user', 'Bo Builder');
    expect(several).toMatchObject({ code: 1, out: '' });
    expect(several.err).toBe('atrium: several are called Bo Builder: u-2, u-3\n');
    expect((await tickets('assign', number, '--no-user')).json()).toMatchObject({
      assignedUserId: null,
      assignedTeamId: 'hvac',
    });
    const withoutAssignee = await tickets('assign', number);
    expect(withoutAssignee).toMatchObject({
      code: 2,
      err: expect.stringContaining('name the assignee'),
    });
  });
});
