import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { PARKED_LISTED_MAX } from '../../../src/api/operations/limits.ts';
import { processId } from '../../../src/engine/consumers/consumer.ts';
import { postgresEventStore } from '../../../src/engine/log/postgres/store.ts';
import { testApi } from '../../support/api/api.ts';
import { poolOf } from '../../support/postgres/pool.ts';

const OPERATOR = 'operator@atrium.test';
const MANAGER = 'manager@acme.test';
const PROCESSES = '/api/v1/operations/processes';
const PUBLISHING = `${PROCESSES}/ticket-publishing`;

const platform = testApi();

const operator = platform.as(OPERATOR);
const statusOf = async (name: string) => {
  const { body } = await operator.get(PROCESSES);
  return body.items.find((one: { name: string }) => one.name === name);
};
const parked = async (path = PUBLISHING) => (await operator.get(`${path}/parked`)).body.items;
const metric = async (name: string) => {
  const { body } = await platform.as(null).get('/metrics');
  return Number(new RegExp(`^${name}\\{[^}]*"ticket-publishing"\\} (\\S+)$`, 'm').exec(body)?.[1]);
};

it('shows each process and each table of timers, to operators alone', async () => {
  expect((await platform.as(MANAGER).get(PROCESSES)).status).toBe(403);
  expect((await platform.as(null).get(PROCESSES)).status).toBe(401);
  await expect
    .poll(async () => statusOf('ticket-publishing'))
    .toEqual({
      name: 'ticket-publishing',
      kind: 'process',
      position: expect.any(String),
      lagEvents: 0,
      lagSeconds: 0,
      state: 'live',
      owner: 'this',
      parked: 0,
      retrying: 0,
      nextDueAt: null,
      lastError: null,
    });
  await expect
    .poll(() => statusOf('journal-expiry'))
    .toMatchObject({
      kind: 'timers',
      owner: 'this',
      parked: 0,
      nextDueAt: null,
    });
});

it('lists the parked items of a process, retries them, and skips them', async () => {
  const log = postgresEventStore({ url: platform.databaseUrl });
  const stream = `ticket-${randomUUID()}`;
  const event = { id: randomUUID(), type: 'TicketPainted', data: {}, meta: { commandId: 'x' } };
  await log.append(stream, 'no_stream', [event]);
  await log.close();

  await expect.poll(() => parked()).toHaveLength(1);
  const [one] = await parked();
  expect(one).toMatchObject({
    stream,
    revision: 0,
    eventId: event.id,
    skipped: 0,
    retryAt: null,
    dueAt: null,
    error: expect.stringContaining('NewerReleaseNeeded'),
  });
  await expect.poll(() => statusOf('ticket-publishing')).toMatchObject({ parked: 1, lagEvents: 0 });
  await expect.poll(() => metric('atrium_process_parked_streams')).toBe(1);

  const retried = await operator.post(`${PUBLISHING}/retry`, { stream });
  expect([retried.status, retried.body]).toMatchObject([
    202,
    { name: 'ticket-publishing', kind: 'retry', stream, state: 'waiting' },
  ]);
  const skipped = await operator.post(`${PUBLISHING}/skip`, { stream });
  expect(skipped.status).toBe(202);
  await expect.poll(() => parked()).toEqual([]);
  await expect.poll(() => metric('atrium_process_parked_streams')).toBe(0);
  // It is parked no more: there is nothing to leave out.
  expect((await operator.post(`${PUBLISHING}/skip`, { stream })).status).toBe(404);
});

it('lists a bounded number of parked items, and counts all', async () => {
  const consumer = processId('ticket-publishing');
  const database = poolOf(platform.databaseUrl, { max: 1 });
  await database.query(
    `insert into consumers.parked (consumer, lane, stream, event_id, revision, position, reason,
       parked_at)
     select $1, 'lane-' || n, 'stream', gen_random_uuid(), 0, '1', 'why', now()
     from generate_series(1, $2) as n`,
    [consumer, PARKED_LISTED_MAX + 1],
  );
  expect(await parked()).toHaveLength(PARKED_LISTED_MAX);
  expect(await statusOf('ticket-publishing')).toMatchObject({ parked: PARKED_LISTED_MAX + 1 });
  await database.query('delete from consumers.parked where consumer = $1', [consumer]);
  await database.end();
});

it('refuses unknown processes, and callers with read access only', async () => {
  const ask = (path: string, body: unknown) => operator.post(`${PROCESSES}/${path}`, body);
  expect((await operator.get(`${PROCESSES}/nothing/parked`)).status).toBe(404);
  expect((await ask('nothing/retry', { stream: 'a' })).status).toBe(404);
  expect((await ask('ticket-publishing/retry', { stream: 'ticket-none' })).status).toBe(404);
  expect((await ask('journal-expiry/skip', { stream: 'none' })).status).toBe(404);
  expect((await ask('ticket-publishing/retry', {})).status).toBe(400);
  expect((await ask('ticket-publishing/retry', { stream: 'a', force: true })).status).toBe(400);
  const managers = platform.as(MANAGER);
  expect((await managers.post(`${PUBLISHING}/retry`, { stream: 'a' })).status).toBe(403);
});
