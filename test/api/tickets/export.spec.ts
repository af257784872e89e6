/** Tickets as a file. contract.md sections 1, 3 and 5. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { TicketState } from '../../../src/domain/tickets/graph.ts';
import { testApi } from '../../support/api/api.ts';
import { csvRows } from '../../support/api/csv.ts';
import { until } from '../../support/until.ts';

const REQUESTS = '/api/service-desk/requests';
const EXPORT = `${REQUESTS}/export`;
const CSV = { accept: 'text/csv' };

const platform = testApi();
const agent = platform.as('agent@acme.test');
const viewer = platform.as('viewer@acme.test');
const stranger = platform.as('agent@globex.test');
let buildingId: string;
let spaces: { id: string; storey: { id: string } }[];
/** In the order in which they were raised. */
const raised: { id: string }[] = [];

const raise = async (over: object = {}) => {
  const { status, body } = await agent.post(REQUESTS, { buildingId, description: 'x', ...over });
  expect(status, JSON.stringify(body)).toBe(201);
  return body as { id: string };
};
const exported = async (query = '', caller = agent) => {
  const { status, body } = await caller.get(`${EXPORT}${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return (body as string).split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
};
const idsOf = (tickets: readonly { id: string }[]) => tickets.map(({ id }) => id);

beforeAll(async () => {
  buildingId = await platform.importBuilding();
  spaces = (await agent.get(`/api/v1/buildings/${buildingId}/spaces`)).body.items;
  const room = spaces[0]!.id;
  const drafts: object[] = [
    { subject: '=1+1', description: 'a "b",\r\nc', reporterPhone: '+49 30', priority: 'high' },
    { subject: 'Pump leaks', category: 'plumbing', spaceId: room },
    { subject: 'pump hums', category: 'noise', priority: 'low', spaceId: spaces[1]!.id },
    { metadata: { key: 'K-1', list: [1, null] }, formData: { floor: 3 }, priority: 'critical' },
    { category: 'plumbing', reporterName: '@ana', reporterEmail: 'ana@example.com' },
  ];
  for (const draft of drafts) raised.push(await raise(draft));
  const moves: readonly (readonly [number, TicketState])[] = [
    [1, 'triaged'],
    [2, 'cancelled'],
  ];
  for (const [at, state] of moves)
    await agent.post(`${REQUESTS}/${raised[at]!.id}/transition`, { state });
  const assignment = { assignedTeamId: 'hvac', assignedUserId: 'ana' };
  await agent.post(`${REQUESTS}/${raised[3]!.id}/assign`, assignment);
  const last = `${REQUESTS}?assignedTeamId=hvac`;
  await until(async () => (await agent.get(last)).body.total === 1, 'the list');
});

describe('an export', () => {
  it('has every ticket on a line, the oldest first, as the API shows it', async () => {
    const { headers } = await agent.get(EXPORT);
    expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
    expect(headers['content-disposition']).toMatch(
      /^attachment; filename="tickets-acme-\d{8}T\d{6}Z\.ndjson"$/,
    );
    expect(headers['cache-control']).toBe('no-store');
    const tickets = await exported();
    expect(idsOf(tickets)).toEqual(idsOf(raised));
    for (const ticket of tickets)
      expect(ticket).toEqual({
        ...(await agent.get(`${REQUESTS}/${ticket.id}`)).body,
        attachments: [],
      });
  });

  it('includes a ticket written just before', async () => {
    const { id } = await raise({ category: 'just now' });
    const { headers, body } = await agent.get(`${EXPORT}?category=just%20now`);
    // A machine that is too busy for that says so.
    const ticket = headers['x-atrium-stale'] === undefined ? JSON.parse(body) : { id };
    expect(ticket).toMatchObject({ id });
    raised.push({ id });
    await expect.poll(async () => idsOf(await exported())).toEqual(idsOf(raised));
  });

  it.each([
    [1, () => ''],
    [2, () => `?buildingId=${buildingId}`],
    [3, () => '?state=new'],
    [4, () => '?state=triaged,cancelled'],
    [5, () => '?priority=critical'],
    [6, () => '?priority=low,high&state=new'],
    [7, () => '?category=plumbing'],
    [8, () => '?category=plumbing,noise'],
    [9, () => '?category=nobody'],
    [10, () => '?assignedUserId=ana'],
    [11, () => '?assignedTeamId=hvac&priority=critical'],
    [12, () => `?spaceId=${spaces[0]!.id}`],
    [13, () => `?storeyId=${spaces[0]!.storey.id}`],
    [14, () => `?elementId=${buildingId}`],
    [15, () => '?overdue=true'],
    [16, () => '?overdue=false'],
    [17, () => '?search=pump'],
    [18, () => '?search=PUMP&category=plumbing'],
    [19, () => '?search=p%20m'],
    [20, () => '?search=%20&state=new'],
    [21, () => '?search=nowhere'],
  ])('agrees with the list for any filters (%i)', async (_, query) => {
    const listed = (await agent.get(`${REQUESTS}${query()}`)).body.items;
    expect(idsOf(await exported(query()))).toEqual(idsOf(listed).toReversed());
  });

  it.each(['?page=1', '?limit=5', '?state=open', '?category=a,,b', '?colour=red'])(
    'refuses %s',
    async (query) =>
      expect(await agent.get(`${EXPORT}${query}`)).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_FAILED' },
      }),
  );

  it('requires the permission to read tickets, and stays in the organisation', async () => {
    expect(idsOf(await exported('', viewer))).toEqual(idsOf(await exported()));
    expect(await exported('', stranger)).toEqual([]);
    const statuses = await Promise.all(
      ['developer@acme.test', 'operator@atrium.test', null].map(
        async (email) => (await platform.as(email).get(EXPORT)).status,
      ),
    );
    expect(statuses).toEqual([403, 403, 401]);
  });
});

describe('an export as CSV', () => {
  it('has a row per ticket, and no cell that a spreadsheet reads as a formula', async () => {
    const { headers, body } = await agent.get(`${EXPORT}?search=a`, CSV);
    expect(headers['content-type']).toMatch(/^text\/csv; charset=utf-8/);
    expect(headers['content-disposition']).toMatch(/\.csv"$/);
    const tickets = await exported('?search=a');
    const [head, ...rows] = csvRows(body);
    const cells = rows.map((row) => Object.fromEntries(row.map((cell, at) => [head![at], cell])));
    expect(cells.length).toBe(tickets.length);
    for (const [
      at,
      { formData, metadata, workOrderIds, createdBy, rating, attachments: _, ...flat },
    ] of tickets.entries()) {
      const { kind, id, name } = createdBy;
      const guarded = (value: string | number | boolean | null | undefined) =>
        String(value ?? '').replace(/^[=+\-@\t\r]/, "'$&");
      const row = { ...flat, createdByKind: kind, createdById: id, createdByName: name };
      expect(cells[at]).toEqual({
        ...Object.fromEntries(
          Object.entries<string | null>(row).map(([key, value]) => [key, guarded(value)]),
        ),
        formData: JSON.stringify(formData),
        metadata: JSON.stringify(metadata),
        workOrderIds: JSON.stringify(workOrderIds),
        ratingScore: guarded(rating?.score),
        ratingComment: guarded(rating?.comment),
      });
    }
    expect(body).toContain(`"'=1+1"`);
    expect(body).toContain(`"'+49 30"`);
    for (const cell of rows.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
  });

  it('is chosen by `Accept` over NDJSON, and has a header line without tickets', async () => {
    const typeFor = async (accept: string) =>
      (await agent.get(`${EXPORT}?search=nowhere`, { accept })).headers['content-type'];
    for (const accept of ['text/csv', 'text/*', 'application/x-ndjson;q=0.5,text/csv'])
      expect(await typeFor(accept)).toContain('text/csv');
    for (const accept of ['*/*', 'application/json', 'text/csv;q=0.1,*/*', 'text/csv;q=0'])
      expect(await typeFor(accept)).toContain('application/x-ndjson');
    const { body, headers } = await agent.get(`${EXPORT}?search=nowhere`, CSV);
    expect(headers['vary']).toMatch(/\baccept\b(?!-)/);
    expect(csvRows(body).length).toBe(1);
  });
});
