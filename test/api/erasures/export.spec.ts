/** contract.md section 11: the personal data of a person as one archive. */
import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { archiveOf } from '../../../src/api/erasures/archive.ts';
import { schemaOf } from '../../../src/engine/projections/projection.ts';
import { personalReferences } from '../../../src/projections/erasures/references.ts';
import { BOUNDARY, formHeaders } from '../../support/api/form.ts';
import { testApi } from '../../support/api/api.ts';
import { opened } from '../../support/domain/tickets.ts';
import { ticketLog } from '../../support/log/ticket-log.ts';
import { addSession } from '../../support/session-rows.ts';

const EXPORT = '/api/v1/subjects/export';
const TICKETS = '/api/service-desk/requests';
const platform = testApi(() => ({ personKeysTrustedMs: 0 }));
const manager = platform.as('manager@acme.test');
const person = platform.as('agent@acme.test');

const database = () => {
  const pool = new Pool({ connectionString: platform.databaseUrl });
  onTestFinished(() => pool.end());
  return pool;
};

interface Line {
  readonly section: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- each test asserts its own shape
  readonly value: any;
}

const archive = async (query: string, as = manager): Promise<readonly Line[]> => {
  const { status, headers, body } = await as.get(`${EXPORT}?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
  return (body as string)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
};

const of = (lines: readonly Line[], section: string) =>
  lines.filter((line) => line.section === section).map(({ value }) => value);

const bytes = 'Zyx '.repeat(30_000);

const sendFile = async (ticketId: string) => {
  const form =
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="zyx.txt"\r\n` +
    `Content-Type: text/plain\r\n\r\n${bytes}\r\n--${BOUNDARY}--\r\n`;
  const path = `${TICKETS}/${ticketId}/attachments`;
  expect(await person.post(path, form, formHeaders)).toMatchObject({ status: 201 });
};

describe('the export of a person', () => {
  it('has only their own account, tickets, entries, views and files', async () => {
    const buildingId = await platform.importBuilding();
    const own = await person.post(TICKETS, { buildingId, description: 'Own words' });
    await person.post(`${TICKETS}/${own.body.id}/updates`, { body: 'More words' });
    await manager.post(`${TICKETS}/${own.body.id}/updates`, { body: 'Of the manager' });
    await sendFile(own.body.id);
    const view = {
      name: 'My view',
      shared: false,
      filters: {},
      sort: 'dueAt',
      columns: ['number'],
    };
    expect(await person.post('/api/service-desk/views', view)).toMatchObject({ status: 201 });
    await manager.post(TICKETS, { buildingId, description: 'Of somebody else' });
    const userId = own.body.createdBy.id;

    const lines = await archive(`userId=${userId}`);
    expect(of(lines, 'subject')).toMatchObject([{ organisationId: 'acme', userIds: [userId] }]);
    expect(of(lines, 'ticket')).toMatchObject([{ id: own.body.id, description: 'Own words' }]);
    expect(of(lines, 'note')).toMatchObject([{ body: 'More words' }]);
    expect(of(lines, 'view')).toMatchObject([{ name: 'My view' }]);
    expect(of(lines, 'attachment')).toMatchObject([{ name: 'zyx.txt', hasBytes: true }]);
    const parts = of(lines, 'bytes');
    expect(parts.length).toBeGreaterThan(1);
    const whole = Buffer.concat(parts.map(({ base64 }) => Buffer.from(base64, 'base64')));
    expect(whole.toString()).toBe(bytes);
    expect(of(lines, 'end')).toEqual([{ tickets: 1, unreadable: 0 }]);
    expect(lines.at(-1)!.section).toBe('end');
    expect(JSON.stringify(lines)).not.toMatch(/Of the manager|Of somebody else/);

    const elsewhere = await archive(`userId=${userId}`, platform.as('manager@globex.test'));
    expect(elsewhere.map(({ section }) => section)).toEqual(['subject', 'end']);
  });

  it('has sessions without secrets, where the account has signed in', async () => {
    const pool = database();
    await addSession(pool, { subject: 'signed-in' });
    await pool.query(
      `insert into people.sign_ins (organisation, user_id, name, folded, seen_on)
       values ('acme', 'signed-in', 'Qponm', 'qponm', '2026-01-01')`,
    );
    const lines = await archive('userId=signed-in');
    expect(of(lines, 'signIn')).toMatchObject([{ userId: 'signed-in', name: 'Qponm' }]);
    expect(of(lines, 'session')).toMatchObject([{ userId: 'signed-in', sourceIp: '127.0.0.1' }]);
    expect(JSON.stringify(lines)).not.toMatch(/cookie|tokens/);
    const elsewhere = await archive('userId=signed-in', platform.as('manager@globex.test'));
    expect(elsewhere.map(({ section }) => section)).toEqual(['subject', 'end']);
  });

  it('finds a reporter by address, ignoring case', async () => {
    const buildingId = await platform.importBuilding();
    const made = await manager.post(TICKETS, {
      buildingId,
      description: 'By phone',
      reporterEmail: 'Qponm@Example.com',
    });
    const lines = await archive('email=qponm@example.COM');
    expect(of(lines, 'ticket')).toMatchObject([{ id: made.body.id }]);
  });

  it('states that the person was erased, and has no other data', async () => {
    const buildingId = await platform.importBuilding();
    const reporterEmail = 'gone@example.com';
    await manager.post(TICKETS, { buildingId, description: 'x', reporterEmail });
    expect(of(await archive(`email=${reporterEmail}`), 'subject')).toMatchObject([
      { emails: [reporterEmail], erasures: [] },
    ]);
    const { body } = await manager.post('/api/v1/erasures', {
      subject: { email: reporterEmail },
      texts: 'erase',
      reason: 'Asked for.',
    });
    const { erasureId } = body;
    const path = `/api/v1/erasures/${erasureId}`;
    await expect
      .poll(async () => (await manager.get(path)).body.status, { timeout: 30_000 })
      .toBe('finished');
    const lines = await archive(`email=${reporterEmail}`);
    expect(lines.map(({ section }) => section)).toEqual(['subject', 'end']);
    expect(of(lines, 'subject')[0].erasures).toMatchObject([
      { erasureId, status: 'finished', texts: 'erase', finishedAt: expect.any(String) },
    ]);
  });

  it('finds a ticket whose events have no keys, as events from before encryption', async () => {
    const buildingId = await platform.importBuilding();
    const reporterEmail = 'Old@example.com';
    const made = await manager.post(TICKETS, { buildingId, description: 'x', reporterEmail });
    const pool = database();
    const forget = `delete from ${schemaOf(personalReferences)}.reference where ticket_id = $1`;
    await expect
      .poll(async () => (await pool.query(forget, [made.body.id])).rowCount, { timeout: 30_000 })
      .toBeGreaterThan(0);
    const lines = await archive(`email=${reporterEmail}`);
    expect(of(lines, 'ticket')).toMatchObject([{ id: made.body.id }]);
    expect(of(lines, 'end')).toEqual([{ tickets: 1, unreadable: 0 }]);
  });

  it('names a ticket that this release cannot read, and has the others', async () => {
    const buildingId = await platform.importBuilding();
    const reporterEmail = 'newer@example.com';
    const newer = randomUUID();
    const tickets = ticketLog(platform.log);
    await tickets.command(newer, [opened({ ticketId: newer, reporterEmail })]);
    await tickets.raw(newer, { type: 'TicketEnchanted', data: {} });
    const made = await manager.post(TICKETS, { buildingId, description: 'x', reporterEmail });
    const lines = await archive(`email=${reporterEmail}`);
    expect(of(lines, 'ticket')).toMatchObject([{ id: made.body.id }]);
    expect(of(lines, 'unreadable')).toEqual([{ ticketId: newer }]);
    expect(of(lines, 'end')).toEqual([{ tickets: 1, unreadable: 1 }]);
  });

  it('is refused before its first line for a person with too many tickets', async () => {
    const buildingId = await platform.importBuilding();
    const made = await manager.post(TICKETS, { buildingId, description: 'x' });
    const parts = {
      log: platform.log,
      pool: database(),
      keys: { keysOf: async () => [] },
      files: { open: () => Promise.reject(new Error('no files')) },
      viewsOf: async () => new Map(),
      directoryOf: async () => undefined,
      erasuresOf: async () => [],
    };
    const person = { userIds: [made.body.createdBy.id], emails: [], subjects: [], names: [] };
    const first = (ticketsMax: number) =>
      archiveOf({ ...parts, ticketsMax }, 'acme', person).next();
    const refusal = () =>
      first(0).then(
        () => null,
        (error: unknown) => error,
      );
    await expect
      .poll(refusal, { timeout: 30_000 })
      .toMatchObject({ code: 'VALIDATION_FAILED', message: expect.stringContaining('tickets') });
    expect((await first(1_000)).value).toMatchObject([{ section: 'subject' }]);
  });

  it.each([['userId=a&email=b@example.com'], ['']])('is refused with "%s"', async (query) => {
    expect(await manager.get(`${EXPORT}?${query}`)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED' },
    });
  });

  it('is for managers alone', async () => {
    expect(await person.get(`${EXPORT}?userId=x`)).toMatchObject({ status: 403 });
  });
});
