import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { schemaOf } from '../../../src/engine/projections/projection.ts';
import { ticketList } from '../../../src/projections/tickets/list.ts';
import { testApi } from '../../support/api/api.ts';
import { until, WAITS_MAX_MS } from '../../support/until.ts';

const MANAGER = 'manager@acme.test';
const LIST = '/api/v1/operations/projections/ticket-list';

const platform = testApi();
const operator = platform.as('operator@atrium.test');

const ended = async (id: string) => {
  const request = async () => {
    const { status, body } = await operator.get(`${LIST}/requests`);
    expect(status).toBe(200);
    return body.items.find((one: { id: string }) => one.id === id);
  };
  await until(async () => (await request()).endedAt !== null, 'the end of a request');
  return request();
};

it('rebuilds a read model for operators only', async () => {
  expect((await platform.as(MANAGER).post(`${LIST}/rebuild`, {})).status).toBe(403);
  const { status, body } = await operator.post(`${LIST}/rebuild`, {});
  expect([status, body.kind, body.name, body.acceptParked]).toEqual([
    202,
    'rebuild',
    'ticket-list',
    false,
  ]);
  expect(await ended(body.id)).toMatchObject({ state: 'done', error: null, progress: null });
});

it('accepts a rebuild request without a body', async () => {
  const { status, body } = await operator.post(`${LIST}/rebuild`);
  expect([status, body.acceptParked]).toEqual([202, false]);
  expect(await ended(body.id)).toMatchObject({ state: 'done' });
});

it('runs one rebuild at a time, and cancels it', async () => {
  // A long read delays the swap, and so the end of the rebuild.
  const reader = new Client({ connectionString: platform.databaseUrl });
  await reader.connect();
  await reader.query(`begin; select from ${schemaOf(ticketList)}.ticket_list`);
  const first = await operator.post(`${LIST}/rebuild`, { acceptParked: true });
  expect(first.body.acceptParked).toBe(true);
  expect((await operator.post(`${LIST}/rebuild`, {})).status).toBe(409);
  const work = async () => {
    const { body } = await operator.get('/api/v1/operations/projections');
    return body.items.find((one: { name: string }) => one.name === 'ticket-list').work;
  };
  await expect.poll(work).toMatchObject({ kind: 'rebuild' });
  expect((await operator.delete(`${LIST}/rebuild`)).status).toBe(202);
  expect(await ended(first.body.id)).toMatchObject({ state: 'cancelled' });
  expect((await operator.delete(`${LIST}/rebuild`)).status).toBe(404);
  await reader.end();
});

it('lists parked streams, and skips the failing event', async () => {
  const stream = `ticket-${randomUUID()}`;
  const event = { id: randomUUID(), type: 'TicketPainted', data: {}, meta: { commandId: 'x' } };
  const { position } = await platform.log.append(stream, 'no_stream', [event]);
  expect(await platform.readModels.waitFor(['ticket-list'], position, WAITS_MAX_MS)).toBe(true);

  const parked = await operator.get(`${LIST}/parked`);
  expect(parked.body.items).toMatchObject([{ stream, revision: 0, eventId: event.id, skipped: 0 }]);
  expect((await operator.post(`${LIST}/parked/ticket-none/skip`)).status).toBe(404);
  const again = await operator.post(`${LIST}/parked/${stream}/retry`);
  expect(await ended(again.body.id)).toMatchObject({
    state: 'done',
    result: { parkedAgain: { revision: 0 } },
  });
  const skipped = await operator.post(`${LIST}/parked/${stream}/skip`);
  expect(skipped.status).toBe(202);
  expect(await ended(skipped.body.id)).toMatchObject({ result: { parkedAgain: null } });
  expect((await operator.get(`${LIST}/parked`)).body.items).toEqual([]);
});

it.each([
  ['projections/%00/parked', 'name'],
  [`projections/${'n'.repeat(101)}/parked`, 'name'],
  [`processes/${'n'.repeat(101)}/parked`, 'name'],
  ['streams/%00/parked', 'stream'],
  [`streams/${'s'.repeat(1_001)}/parked`, 'stream'],
])('answers 400 with its rule for a malformed name: %s', async (path, where) => {
  const { status, body } = await operator.get(`/api/v1/operations/${path}`);
  expect([status, body.code, body.errors[0].path]).toEqual([400, 'VALIDATION_FAILED', where]);
});

it('reads a stream whose name has the maximum length', async () => {
  const { status } = await operator.get(`/api/v1/operations/streams/${'s'.repeat(1_000)}/parked`);
  expect(status).toBe(200);
});

it('answers 404 for an unknown read model', async () => {
  const nothing = '/api/v1/operations/projections/nothing';
  expect((await operator.post(`${nothing}/rebuild`, {})).status).toBe(404);
  expect((await operator.get(`${nothing}/requests`)).status).toBe(404);
  expect((await operator.get(`${nothing}/parked`)).status).toBe(404);
  expect((await operator.post(`${LIST}/rebuild`, { accept: true })).status).toBe(400);
});
