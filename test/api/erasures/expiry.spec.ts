/** contract.md section 11: closed tickets lose their personal data by themselves. */
import { Pool } from 'pg';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { virtualClock } from '../../../src/engine/time/clock.ts';
import { expiredWithKeys, FIRST_TICKET_ID } from '../../../src/projections/erasures/terms.ts';
import { DAY_MS } from '../../../src/engine/time/calendar.ts';
import { testApi } from '../../support/api/api.ts';
import type { Caller } from '../../support/api/caller.ts';
import { until } from '../../support/until.ts';

const TICKETS = '/api/service-desk/requests';
const platform = testApi();
const ACME = 'manager@acme.test';

const TRACE = /zyxwvut|qponm|40815/i;
const configuration = { slaPolicies: [], calendars: {}, routingRules: [], workflows: [] };

const cancelled = (caller: Caller, path: string) =>
  caller.post(`${path}/transition`, { state: 'cancelled' }, { 'idempotency-key': 'cancel' });

const closedTicket = async (buildingId: string): Promise<string> => {
  const manager = platform.as(ACME);
  const { body, status } = await manager.post(TICKETS, {
    buildingId,
    subject: 'Zyxwvut',
    description: 'Zyxwvut Qponm called',
    reporterName: 'Zyxwvut Qponm',
    reporterPhone: '+49 40815',
  });
  expect(status, JSON.stringify(body)).toBe(201);
  const path = `${TICKETS}/${body.id}`;
  await manager.post(`${path}/updates`, { body: 'Zyxwvut was told', visibility: 'public' });
  const moved = await cancelled(manager, path);
  expect(moved).toMatchObject({ status: 200 });
  return body.id;
};

const withDatabase = async <T>(work: (db: Pool) => Promise<T>): Promise<T> => {
  const db = new Pool({ connectionString: platform.databaseUrl });
  try {
    return await work(db);
  } finally {
    await db.end();
  }
};

const keysOf = (ticketId: string): Promise<number> =>
  withDatabase(async (db) => {
    const subject = `ticket:${ticketId}`;
    const found = await db.query('select from personal.keys where subject = $1', [subject]);
    return found.rowCount ?? 0;
  });

const bringKeyBack = (ticketId: string) =>
  withDatabase((db) =>
    db.query(
      `insert into personal.keys (key_id, organisation, subject, purpose, wrapped, created_at)
       values (gen_random_uuid(), 'acme', $1, 'identity', 'wrapped', now())`,
      [`ticket:${ticketId}`],
    ),
  );

const consumerOf = (line: string) => (JSON.parse(line) as { consumer: string }).consumer;

const expiredIn = () => withDatabase((db) => expiredWithKeys(db, FIRST_TICKET_ID, 10));

const keepForAMonth = async () => {
  const path = '/api/service-desk/configuration';
  const { status, body } = await platform
    .as(ACME)
    .put(path, { ...configuration, personalDataMonths: 1 });
  expect(status, JSON.stringify(body)).toBe(200);
};

it('is removed everywhere after the term, without loss of other data', async () => {
  await keepForAMonth();
  const buildingId = await platform.importBuilding();
  const closed = await closedTicket(buildingId);
  const manager = platform.as(ACME);
  const opened = await manager.post(TICKETS, { buildingId, description: 'Zyxwvut waits' });
  expect(await keysOf(closed)).toBeGreaterThan(0);
  // It would hold the lease of the work.
  await platform.stop();

  // The clock of a host that jumps ahead lets neither tickets nor journals expire.
  const distrusted = new Set<string>();
  const wrong = await platform.beside({
    clock: { now: () => virtualClock(undefined, 70 * DAY_MS).now() },
    logger: pino({ level: 'error' }, { write: (line: string) => distrusted.add(consumerOf(line)) }),
  });
  const both = ['work/personal-data-expiry', 'timers/journal-expiry'];
  await until(() => both.every((consumer) => distrusted.has(consumer)), 'both to be refused');
  const kept = (await wrong.as(ACME).get(`${TICKETS}/${closed}`)).body;
  expect(kept.reporterErased).toBe(false);
  await wrong.stop();

  // A pass is at its start.
  const due = await platform.beside({ clock: virtualClock(undefined, 70 * DAY_MS) });
  const reader = due.as(ACME);
  const path = `${TICKETS}/${closed}`;
  await until(async () => (await reader.get(path)).body.reporterErased === true, 'the expiry');
  await until(async () => (await keysOf(closed)) === 0, 'the keys');
  const changes = '/api/service-desk/changes?limit=200';
  for (const shown of [path, `${path}/updates`, TICKETS, changes]) {
    const { body } = await reader.get(shown);
    const others = JSON.stringify(body).replaceAll('Zyxwvut waits', '');
    expect(others, shown).not.toMatch(TRACE);
  }
  const tried = await reader.post('/api/service-desk/configuration/try', { configuration });
  expect(JSON.stringify(tried.body.items).replaceAll('Zyxwvut waits', '')).toMatch(/"\(erased\)"/);
  expect(JSON.stringify(tried.body.items).replaceAll('Zyxwvut waits', '')).not.toMatch(TRACE);
  const replayed = await cancelled(reader, path);
  expect(replayed.headers['idempotent-replayed']).toBe('true');
  expect(replayed.body).toMatchObject({ state: 'cancelled', description: '(erased)' });
  expect(JSON.stringify(replayed.body)).not.toMatch(TRACE);
  await expect
    .poll(async () => (await reader.get(`${TICKETS}?search=qponm`)).body.total, { timeout: 30_000 })
    .toBe(0);
  const { items } = (await reader.get(`${path}/updates`)).body;
  expect(items[0]).toMatchObject({ kind: 'note', erased: true, actor: { erased: true } });
  // As a copy of the database brings it back.
  expect(await expiredIn()).toEqual([]);
  await bringKeyBack(closed);
  expect(await expiredIn()).toEqual([closed]);
  const other = await reader.get(`${TICKETS}/${opened.body.id}`);
  expect(other.body.description).toBe('Zyxwvut waits');
});
