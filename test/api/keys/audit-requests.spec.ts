/** Audit requests whose answers do not depend on the records of other tests. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { cursorFor } from '../../../src/api/http/cursors.ts';
import { DAY_MS } from '../../../src/engine/time/calendar.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { testApi } from '../../support/api/api.ts';
import { csvRows } from '../../support/api/csv.ts';
import { keyIssued, type AuditedKey } from '../../support/log/key-audit.ts';

const AUDIT = '/api/v1/keys/audit';
const NDJSON = { accept: 'application/x-ndjson' };
const CSV = { accept: 'text/csv' };

const platform = testApi();
const auditor = platform.as('auditor@acme.test');
const operator = platform.as('operator@atrium.test');
const now = () => systemClock.now();
const ago = (ms: number) => new Date(Date.parse(now()) - ms).toISOString();

describe('GET /api/v1/keys/audit?after', () => {
  it.each([
    'after=x',
    'after=-1',
    'after=',
    'after=999999999',
    'after=start&from=2026-01-01T00:00:00Z',
    'after=start&wait=26',
    'wait=1',
  ])('refuses ?%s', async (query) =>
    expect(await auditor.get(`${AUDIT}?${query}`)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED' },
    }),
  );

  it('is for pages, not for exports', async () =>
    expect((await auditor.get(`${AUDIT}?after=start`, NDJSON)).status).toBe(400));
});

describe('an export', () => {
  it('without records is a header line, or empty', async () => {
    expect((await auditor.get(AUDIT, NDJSON)).body).toBe('');
    expect(csvRows((await auditor.get(AUDIT, CSV)).body).length).toBe(1);
  });

  it.each([
    ['application/json', 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    ['text/html', 'application/json; charset=utf-8'],
    ['text/csv;q=0', 'application/json; charset=utf-8'],
    ['application/json;q=0.5, text/csv', 'text/csv; charset=utf-8; header=present'],
    ['application/x-ndjson, text/csv;q=0.9', 'application/x-ndjson; charset=utf-8'],
    ['Text/CSV', 'text/csv; charset=utf-8; header=present'],
  ])('has the media type preferred by Accept: %s', async (accept, type) => {
    const { headers } = await auditor.get(AUDIT, { accept });
    expect(headers['content-type']).toBe(type);
    expect(headers['vary']).toMatch(/\baccept\b(?!-)/);
  });

  it('has no pages', async () => {
    const at = now();
    const key = await keyIssued(platform.log, 'acme', at);
    await key.used(at);
    const { nextCursor } = (await auditor.get(`${AUDIT}?limit=1`)).body;
    const { status, body } = await auditor.get(`${AUDIT}?cursor=${nextCursor}`, CSV);
    expect([status, body.errors[0].path]).toEqual([400, 'cursor']);
  });
});

describe('GET /api/v1/keys/audit', () => {
  it.each([
    ['limit=501', 'limit'],
    ['limit=0', 'limit'],
    ['limit=all', 'limit'],
    ['action=key.deleted', 'action'],
    ['outcome=maybe', 'outcome'],
    ['keyId=short', 'keyId'],
    ['from=yesterday', 'from'],
    ['to=2026-02-30T00:00:00Z', 'to'],
    ['from=2026-01-01T00:30:00Z&to=2026-01-01T01:00:00%2B01:00', 'from'],
    ['cursor=nonsense', 'cursor'],
    [`cursor=${Buffer.from('{"at":"2026-01-01","id":1}').toString('base64url')}`, 'cursor'],
    [`cursor=${cursorFor({ at: '0000-01-01T00:00:00Z', id: randomUUID() })}`, 'cursor'],
    ['to=0000-01-01T00:00:00Z', 'to'],
    ['to=0001-01-01T00:00:00%2B14:00', 'to'],
    ['from=9999-12-31T23:59:59-14:00', 'from'],
    ['organisation=globex', 'organisation'],
  ])('refuses ?%s and names it', async (query, path) => {
    const { status, body } = await auditor.get(`${AUDIT}?${query}`);
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.errors[0].path).toBe(path);
    expect((await auditor.get(`${AUDIT}?${query}`, CSV)).status).toBe(400);
  });

  it('accepts the largest page, and times with any offset', async () => {
    const day = ago(30 * DAY_MS).slice(0, 10);
    await keyIssued(platform.log, 'acme', `${day}T12:00:00.000Z`);
    const to = async (text: string) =>
      (await auditor.get(`${AUDIT}?limit=500&to=${encodeURIComponent(text)}`)).body.items.length;
    expect(await to(`${day}T14:00:00.001+02:00`)).toBe(1);
    expect(await to(`${day}T14:00:00+02:00`)).toBe(0);
  });
});

describe('GET /api/v1/keys/{keyId}/history', () => {
  const historyOf = (key: Pick<AuditedKey, 'keyId'>, query = '') =>
    auditor.get(`/api/v1/keys/${key.keyId}/history${query}`);

  it('returns the key’s own events from the log, oldest first, in pages', async () => {
    const key = await keyIssued(platform.log, 'acme', ago(5_000));
    const other = await keyIssued(platform.log, 'acme', ago(4_500));
    await key.used(ago(4_000));
    await other.used(ago(3_500));
    await key.revoked(ago(3_000));
    await key.used(ago(2_000), { outcome: 'denied', reason: 'revoked' });
    const said = ['key.issued', 'key.used', 'key.revoked', 'key.used'];
    const { status, body } = await historyOf(key);
    expect(status).toBe(200);
    expect(body.items.map(({ action }: { action: string }) => action)).toEqual(said);
    expect(body.nextCursor).toBeNull();
    const paged: string[] = [];
    for (let cursor = ''; ;) {
      const page = (await historyOf(key, `?limit=1${cursor}`)).body;
      paged.push(...page.items.map(({ action }: { action: string }) => action));
      if (page.nextCursor === null) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    expect(paged).toEqual(said);
    expect(JSON.stringify(body)).not.toContain('secretHash');
  });

  it('is in log order, regardless of the times', async () => {
    const key = await keyIssued(platform.log, 'acme', ago(5_000));
    await key.used(ago(1_000));
    await key.revoked(ago(2_000));
    await key.used(ago(3_000), { outcome: 'denied', reason: 'revoked' });
    const { items } = (await historyOf(key)).body;
    expect(
      items.map(({ action, outcome }: Record<string, string>) => `${action} ${outcome}`),
    ).toEqual(['key.issued allowed', 'key.used allowed', 'key.revoked allowed', 'key.used denied']);
  });

  it('of another organisation’s key, or an unknown one, is a 404', async () => {
    const theirs = await keyIssued(platform.log, 'globex', now());
    const mine = await keyIssued(platform.log, 'acme', now());
    const unknown = mine.keyId.slice(0, 12) + '0'.repeat(10);
    for (const keyId of [theirs.keyId, unknown, 'short', theirs.keyId.slice(0, 21)]) {
      expect((await historyOf({ keyId })).status).toBe(404);
      expect((await historyOf({ keyId }, `?asOf=${now()}`)).status).toBe(404);
    }
    expect((await operator.get(`/api/v1/keys/${mine.keyId}/history`)).body.code).toBe(
      'ORGANISATION_REQUIRED',
    );
  });

  it.each([
    'limit=501',
    'cursor=x',
    'asOf=now',
    'asOf=9999-12-31T23:59:59-14:00',
    'from=2026-01-01T00:00:00Z',
  ])('refuses ?%s', async (query) => {
    const key = await keyIssued(platform.log, 'acme', now());
    expect((await historyOf(key, `?${query}`)).status).toBe(400);
  });
});
