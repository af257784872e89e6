/** The audit over HTTP: interface.md «Audit record», contract.md sections 1 and 3. */
import { randomUUID } from 'node:crypto';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { pino } from 'pino';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { daysAfter, monthsAfter, startOfMonth } from '../../../src/engine/time/calendar.ts';
import { AUDIT_WAITING_OF_CALLER_MAX } from '../../../src/domain/keys/limits.ts';
import { AUDIT_RETENTION_MONTHS } from '../../../src/domain/keys/limits.ts';
import { COMMAND_VISIBLE_WAIT_MS, READ_YOUR_WRITES_WAIT_MS } from '../../../src/limits.ts';
import { longPollWakeup } from '../../../src/engine/consumers/long-poll-wakeup.ts';
import { openDatabase } from '../../../src/engine/postgres/pool.ts';
import { keyringOf } from '../../../src/identity/keys/token.ts';
import { auditFollowing, auditWatched } from '../../../src/projections/keys/audit-following.ts';
import { auditQueries } from '../../../src/projections/keys/audit-queries.ts';
import { AUDIT_POLL_MIN_MS } from '../../../src/projections/keys/limits.ts';
import { systemClock, virtualClock } from '../../../src/engine/time/clock.ts';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { streamOf } from '../../../src/engine/log/streams.ts';
import { poolThrough } from '../../support/postgres/pool-through.ts';
import {
  denialsCounted,
  keyIssued,
  unknownDenied,
  type AuditedKey,
} from '../../support/log/key-audit.ts';
import { testApi, type TestApi } from '../../support/api/api.ts';
import { csvRows } from '../../support/api/csv.ts';
import { writtenLines } from '../../support/api/written-lines.ts';
import { heldFor, letPass, WAITS_MAX_MS } from '../../support/until.ts';

const AUDIT = '/api/v1/keys/audit';
const NDJSON = { accept: 'application/x-ndjson' };
const CSV = { accept: 'text/csv' };

const clock = virtualClock();
const lines = writtenLines({ level: 'info' });
const platform = testApi(() => ({ clock, timeTravel: true, logger: lines.logger }), {
  per: 'test',
});
const auditor = platform.as('auditor@acme.test');
const operator = platform.as('operator@atrium.test');
let log: EventStore;
beforeEach(() => {
  ({ log } = platform);
  lines.clear();
});

const now = () => clock.now();
/** The read model has all that is in the log: an export waits no longer for it than a page does. */
const followed = async () => {
  const { position } = await log.head();
  expect(await platform.readModels.waitFor(['key-audit'], position!, WAITS_MAX_MS)).toBe(true);
};
const ago = (ms: number) => new Date(Date.parse(now()) - ms).toISOString();
const exportsSaid = () =>
  lines
    .text()
    .split('\n')
    .filter((line) => line.includes('export of the key audit'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

interface Following {
  readonly items: { readonly id: string; readonly at: string; readonly action: string }[];
  readonly nextCursor: string;
}

describe('GET /api/v1/keys/audit?after', () => {
  const follow = async (after: string, query = '', caller = auditor): Promise<Following> => {
    const { status, body } = await caller.get(`${AUDIT}?after=${after}${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.nextCursor).toEqual(expect.any(String));
    return body;
  };
  const allAfter = async (from: string, query = '') => {
    const items: Following['items'] = [];
    for (let after = from; ;) {
      const page = await follow(after, query);
      if (page.items.length === 0) return { items, after: page.nextCursor };
      items.push(...page.items);
      after = page.nextCursor;
    }
  };

  it('returns all records from the oldest on, and then later ones', async () => {
    expect(await follow('start')).toEqual({ items: [], nextCursor: 'start' });
    const key = await keyIssued(log, 'acme', ago(5_000));
    // Recorded after the first request: its time is earlier, its position is not.
    await key.used(ago(1_000));
    await key.used(ago(3_000));
    const { items, after } = await allAfter('start', '&limit=1');
    expect(items.map(({ action }) => action)).toEqual(['key.issued', 'key.used', 'key.used']);
    expect(items[1]!.at > items[2]!.at).toBe(true);
    expect(await follow(after)).toEqual({ items: [], nextCursor: after });
    await key.revoked(now());
    expect((await follow(after)).items.map(({ action }) => action)).toEqual(['key.revoked']);
    expect((await follow('start', '&action=key.issued')).items).toHaveLength(1);
  });

  it('has no gaps and no duplicates while many requests are recorded', async () => {
    const other = await platform.beside({ roles: new Set(['api'] as const) });
    const { token } = (await platform.as('manager@acme.test').post('/api/v1/keys', { label: 'a' }))
      .body;
    const use = async (n: number) => {
      const { status } = await (n % 2 === 0 ? platform : other)
        .with(token)
        .get('/api/v1/sandboxes');
      expect(status).toBe(200);
    };
    let done = false;
    const seen: Following['items'] = [];
    const reading = (async () => {
      for (let after = 'start'; ;) {
        const isLast = done;
        const { items, nextCursor } = await follow(after, '&limit=7');
        seen.push(...items);
        after = nextCursor;
        if (isLast && items.length === 0) return;
      }
    })();
    for (let round = 0; round < 10; round += 1)
      await Promise.all(Array.from({ length: 20 }, (_, n) => use(n)));
    done = true;
    await reading;
    const journal = await log.readStream(`keyuse-acme.${now().slice(0, 7).replace('-', '')}`);
    const uses = seen.filter(({ action }) => action === 'key.used');
    expect(uses.map(({ id }) => id)).toEqual(journal.map(({ id }) => id));
    expect(journal).toHaveLength(200);
  });

  it('is a long poll with `wait`', async () => {
    const theirs = await keyIssued(log, 'globex', now());
    const held = follow('start', '&wait=25');
    expect(await heldFor(held, 300)).toBe('held');
    await theirs.used(now());
    expect(await heldFor(held, 300)).toBe('held');
    const key = await keyIssued(log, 'acme', now());
    expect((await held).items).toMatchObject([{ keyId: key.keyId }]);
    expect((await follow((await held).nextCursor, '&wait=1')).items).toEqual([]);
  });

  it('passes the records that its filters leave out, also while they are recorded', async () => {
    const key = await keyIssued(log, 'acme', now());
    const first = await follow('start', '&action=key.issued');
    expect(first.items).toHaveLength(1);
    expect(await follow(first.nextCursor, '&action=key.revoked')).toEqual({
      items: [],
      nextCursor: first.nextCursor,
    });
    await key.used(now());
    await key.used(now());
    const { after: end } = await allAfter('start');
    const passed = await follow(first.nextCursor, '&action=key.revoked');
    expect(passed).toEqual({ items: [], nextCursor: end });
    await key.revoked(now());
    const { items } = await follow(passed.nextCursor, '&action=key.revoked');
    expect(items).toMatchObject([{ action: 'key.revoked' }]);
  });

  it('queries at most four times a second while its filters leave records out', async () => {
    const key = await keyIssued(log, 'acme', now());
    const { logger } = lines;
    const db = openDatabase({ url: platform.databaseUrl, logger });
    onTestFinished(() => db.close());
    const audit = auditQueries(db, clock);
    let queries = 0;
    const follow = auditFollowing({
      ...platform.readModels,
      audit: {
        last: audit.last,
        following(...query) {
          queries += 1;
          return audit.following(...query);
        },
      },
      log,
      watch: longPollWakeup({ log, reader: log, logger, ...auditWatched }),
      keyringOf,
    });
    const waitMs = 4 * AUDIT_POLL_MIN_MS;
    const { signal } = new AbortController();
    const selection = { organisation: 'acme', action: 'key.revoked' } as const;
    const over = new AbortController();
    const held = follow({ selection, after: null, limit: 10, waitMs, signal });
    void held.finally(() => over.abort());
    let uses = 0;
    for (; !over.signal.aborted; uses += 1) await key.used(now());
    expect((await held).rows).toEqual([]);
    expect(uses).toBeGreaterThan(2 * queries);
    expect(queries).toBeLessThanOrEqual(waitMs / AUDIT_POLL_MIN_MS + 1);
  });

  it('bounds long polls per caller, without effect on others', async () => {
    const asked = Array.from({ length: AUDIT_WAITING_OF_CALLER_MAX + 1 }, () =>
      auditor.get(`${AUDIT}?after=start&wait=25`),
    );
    expect(await Promise.race(asked)).toMatchObject({
      status: 429,
      body: { code: 'RATE_LIMITED' },
    });
    const manager = follow('start', '&wait=25', platform.as('manager@acme.test'));
    expect(await heldFor(manager, 100)).toBe('held');
    await keyIssued(log, 'acme', now());
    expect((await manager).items).toHaveLength(1);
    const held = (await Promise.all(asked)).filter(({ status }) => status === 200);
    expect(held.map(({ body }) => body.items.length)).toEqual(
      Array(AUDIT_WAITING_OF_CALLER_MAX).fill(1),
    );
  });

  it('shows operators records without an organisation, and each organisation its own', async () => {
    await unknownDenied(log, now());
    await keyIssued(log, 'globex', now());
    expect((await follow('start')).items).toEqual([]);
    expect((await follow('start', '', operator)).items).toHaveLength(1);
  });

  it.each([
    ['a journal', (month: string) => `keyuse-globex.${month}`],
    ['the keyring', () => streamOf('keyring', keyringOf('globex'))],
  ])('stops before %s that cannot be read, and not for others', async (_, streamIn) => {
    const theirs = platform.as('auditor@globex.test');
    const key = await keyIssued(log, 'globex', now());
    const stream = streamIn(now().slice(0, 7).replace('-', ''));
    const meta = { commandId: randomUUID(), at: now(), by: 'user:ana', organisation: 'globex' };
    await log.append(stream, 'any', [{ id: randomUUID(), type: 'KeyDreamtOf', data: {}, meta }]);
    await key.used(now());
    await keyIssued(log, 'acme', now());
    await unknownDenied(log, now());
    // The first page has the records before it, and later pages are empty.
    const { items, nextCursor } = await follow('start', '', theirs);
    expect(items.map(({ action }) => action)).toEqual(['key.issued']);
    for (const query of [`after=${nextCursor}`, `after=${nextCursor}&wait=1`])
      expect(await theirs.get(`${AUDIT}?${query}`)).toMatchObject({
        status: 503,
        body: { code: 'UNAVAILABLE' },
      });
    expect((await follow('start')).items).toHaveLength(1);
    expect((await follow('start', '', operator)).items).toHaveLength(1);
  });

  it('stops for operators before unreadable denials without an organisation', async () => {
    const journal = `keydenial-${now().slice(0, 7).replace('-', '')}`;
    const meta = { commandId: randomUUID(), at: now(), by: 'user:ana' };
    await log.append(journal, 'any', [{ id: randomUUID(), type: 'KeyDreamtOf', data: {}, meta }]);
    await keyIssued(log, 'acme', now());
    expect((await follow('start')).items).toHaveLength(1);
    expect((await operator.get(`${AUDIT}?after=start`)).status).toBe(503);
  });
});

describe('GET /api/v1/keys/audit', () => {
  it('includes records from before the request, without a position in it', async () => {
    const minted = await platform.as('manager@acme.test').post('/api/v1/keys', { label: 'ci' });
    expect(minted.status).toBe(201);
    const { token, keyId } = minted.body;
    for (let round = 0; round < 20; round += 1) {
      expect((await platform.with(token).get('/api/v1/sandboxes')).status).toBe(200);
      const { status, body, headers } = await auditor.get(`${AUDIT}?action=key.used`);
      expect(status).toBe(200);
      expect(headers['x-atrium-stale']).toBeUndefined();
      expect(body.items.length).toBe(round + 1);
    }
    const { body } = await auditor.get(AUDIT);
    expect(body.nextCursor).toBeNull();
    expect(body.items[0]).toEqual({
      id: expect.any(String),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      action: 'key.used',
      outcome: 'allowed',
      reason: null,
      keyId,
      label: 'ci',
      scope: 'sandbox',
      expiresAt: minted.body.expiresAt,
      actor: { kind: 'key', id: keyId, name: 'ci' },
      route: 'GET /api/v1/sandboxes',
      sourceIp: '127.0.0.1',
      userAgent: expect.any(String),
    });
    expect(body.items.at(-1).action).toBe('key.issued');
    const listed = await auditor.get('/api/v1/keys');
    expect(listed.body.items[0].lastUsedAt).toBe(body.items[0].at);
  });

  it('is marked as stale when the read model lags', async () => {
    const waits = { commandMs: COMMAND_VISIBLE_WAIT_MS, readMs: READ_YOUR_WRITES_WAIT_MS };
    const reader = await platform.beside({ roles: new Set(['api'] as const), waits });
    await keyIssued(log, 'acme', now());
    await platform.stop();
    await keyIssued(log, 'acme', now());
    const began = performance.now();
    const { status, headers } = await reader.as('auditor@acme.test').get(AUDIT);
    expect([status, headers['x-atrium-stale']]).toEqual([200, 'true']);
    expect(performance.now() - began).toBeGreaterThan(1_900);
  });

  it('requires a session with the permission, and refuses keys', async () => {
    const { body } = await platform
      .as('manager@acme.test')
      .post('/api/v1/keys', { label: 'all', scope: 'full' });
    for (const url of [AUDIT, `/api/v1/keys/${body.keyId}/history`]) {
      expect((await platform.with(body.token).get(url)).body.code).toBe('SCOPE_DENIED');
      expect((await platform.as(null).get(url)).status).toBe(401);
      for (const role of ['developer', 'agent', 'viewer'])
        expect((await platform.as(`${role}@acme.test`).get(url)).body.code).toBe(
          'PERMISSION_DENIED',
        );
      for (const role of ['manager', 'auditor'])
        expect((await platform.as(`${role}@acme.test`).get(url)).status).toBe(200);
    }
    // The attempts of the key are in it.
    const { items } = (await auditor.get(`${AUDIT}?outcome=denied`)).body;
    expect(items.map(({ reason, route }: Record<string, string>) => [reason, route])).toEqual([
      ['scope', 'GET /api/v1/keys/{keyId}/history'],
      ['scope', 'GET /api/v1/keys/audit'],
    ]);
  });

  it('shows each organisation its own, and operators those without an organisation', async () => {
    const mine = await keyIssued(log, 'acme', now());
    const theirs = await keyIssued(log, 'globex', now());
    await theirs.used(now());
    await unknownDenied(log, ago(2_000));
    await denialsCounted(log, ago(1_000), 29_995);
    const keyIds = async (email: string, query = '') =>
      (await platform.as(email).get(`${AUDIT}${query}`)).body.items.map(
        ({ keyId }: { keyId: string }) => keyId,
      );
    expect(await keyIds('auditor@acme.test')).toEqual([mine.keyId]);
    expect(await keyIds('auditor@globex.test')).toEqual([theirs.keyId, theirs.keyId]);
    expect(await keyIds('auditor@acme.test', `?keyId=${theirs.keyId}`)).toEqual([]);
    const { items } = (await operator.get(AUDIT)).body;
    expect(items.length).toBe(2);
    expect(items[0]).toMatchObject({ count: 29_995, actor: null, reason: 'unknown' });
    expect(items[0].firstAt).toBe(items[0].lastAt);
    expect(items[1]).not.toHaveProperty('count');
    for (const headers of [NDJSON, CSV]) {
      const acme = (await auditor.get(AUDIT, headers)).body;
      expect(acme).toContain(mine.keyId);
      expect(acme).not.toContain(theirs.keyId);
    }
  });

  it('pages by an opaque cursor through records of one millisecond', async () => {
    const at = now();
    const key = await keyIssued(log, 'acme', at);
    await key.usedBefore(Array.from({ length: 25 }, () => key.use(at)));
    const ids = new Set<string>();
    let pages = 0;
    for (let cursor = ''; ; pages += 1) {
      const { body } = await auditor.get(`${AUDIT}?limit=10${cursor}`);
      for (const { id } of body.items) ids.add(id);
      if (body.nextCursor === null) break;
      expect(body.items.length).toBe(10);
      cursor = `&cursor=${body.nextCursor}`;
    }
    expect([ids.size, pages]).toEqual([26, 2]);
    // The last page is full: nothing follows it.
    expect((await auditor.get(`${AUDIT}?limit=26`)).body.nextCursor).toBeNull();
  });
});

describe('an export', () => {
  it('as NDJSON is the whole selection, an object a line', async () => {
    const at = now();
    const key = await keyIssued(log, 'acme', at);
    for (let part = 0; part < 3; part += 1)
      await key.usedBefore(Array.from({ length: 700 }, () => key.use(at)));
    await followed();
    const { status, headers, body } = await auditor.get(`${AUDIT}?limit=5`, NDJSON);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
    expect(headers['content-disposition']).toMatch(
      /^attachment; filename="key-audit-acme-\d{8}T\d{6}Z\.ndjson"$/,
    );
    const items = String(body).trimEnd().split('\n');
    expect(items.length).toBe(2_101);
    const listed = (await auditor.get(`${AUDIT}?limit=500`)).body.items;
    expect(items.slice(0, 500).map((line) => JSON.parse(line))).toEqual(listed);
    const issued = await auditor.get(`${AUDIT}?action=key.issued`, NDJSON);
    expect(issued.body.trimEnd().split('\n').length).toBe(1);
  });

  it('as CSV is RFC 4180, and no cell is a formula', async () => {
    const at = now();
    const key = await keyIssued(log, 'acme', at, '=cmd|"/c calc"!A1');
    const agents = ['+1', '-1', '@SUM(A1)', '\tx', 'a,b', 'say "hi"', "it's", 'line\r\nbreak'];
    await key.usedBefore(agents.map((userAgent) => key.use(at, { userAgent })));
    const { headers, body } = await auditor.get(AUDIT, CSV);
    expect(headers['content-type']).toMatch(/^text\/csv; charset=utf-8/);
    expect(headers['content-disposition']).toMatch(/\.csv"$/);
    const [head, ...rows] = csvRows(body);
    expect(head).toEqual(
      (
        'id,at,action,outcome,reason,keyId,label,scope,expiresAt,actorKind,actorId,actorName,' +
        'route,sourceIp,userAgent,count,firstAt,lastAt'
      ).split(','),
    );
    const column = (name: string) => rows.map((row) => row[head!.indexOf(name)]);
    expect(new Set(column('label'))).toEqual(new Set([`'=cmd|"/c calc"!A1`]));
    expect(new Set(column('userAgent'))).toEqual(
      new Set(["'+1", "'-1", "'@SUM(A1)", "'\tx", 'a,b', 'say "hi"', "it's", 'line\r\nbreak', '']),
    );
    for (const row of rows) {
      expect(row.length).toBe(head!.length);
      for (const cell of row) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
    }
    // Every text is quoted, so that `;` or a tab splits none, under any separator of a spreadsheet.
    expect(body.replaceAll(/"(?:[^"]|"")*"/g, '').split('\r\n')[1]).toMatch(/^,+$/);
    // Nothing but quoted cells has a line break that is no CRLF.
    expect(body.endsWith('\r\n')).toBe(true);
    expect(body.replaceAll(/"(?:[^"]|"")*"/g, '').replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });

  it('is logged with caller, selection and number of rows, and not audited', async () => {
    const key = await keyIssued(log, 'acme', now());
    await key.used(now());
    await auditor.get(`${AUDIT}?keyId=${key.keyId}`, CSV);
    await expect.poll(() => exportsSaid().length).toBe(2);
    expect(exportsSaid()[1]!['by']).not.toHaveProperty('name');
    expect(exportsSaid()[1]).toMatchObject({
      by: { kind: 'user', id: expect.any(String) },
      selection: { organisation: 'acme', keyId: key.keyId },
      format: 'csv',
      rows: 2,
      whole: true,
      requestId: expect.any(String),
    });
    expect((await auditor.get(AUDIT)).body.items.length).toBe(2);
  });

  it('that fails is a problem at first, and later no end that a reader would believe', async () => {
    const at = now();
    const key = await keyIssued(log, 'acme', at);
    await key.usedBefore(Array.from({ length: 1_500 }, () => key.use(at)));
    await followed();
    const own = openDatabase({ url: platform.databaseUrl, logger: pino({ level: 'silent' }) });
    let failsAt = 1;
    let pages = 0;
    const pool = poolThrough(own.pool, (statement, send) => {
      if (!statement.includes('from key_audit_v2.record')) return send();
      pages += 1;
      const gone = Object.assign(new Error('gone'), { code: '57P01' });
      return pages === failsAt ? Promise.reject(gone) : send();
    });
    const reader = await platform.beside({
      clock,
      roles: new Set(['api'] as const),
      db: { ...own, pool },
      logger: lines.logger,
    });
    const { status, body } = await reader.as('auditor@acme.test').get(AUDIT, NDJSON);
    expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
    expect(exportsSaid()).toEqual([]);
    failsAt = 3;
    await expect(reader.as('auditor@acme.test').get(AUDIT, NDJSON)).rejects.toThrow('terminated');
    await expect.poll(() => exportsSaid().at(-1)).toMatchObject({ rows: 1_000, whole: false });
    await own.close();
  });

  const LONG_USES = 4_800;
  /** The issue of a key and {@link LONG_USES}: some 20 MB, more than sockets buffer. */
  const moreThanBuffered = async () => {
    const at = now();
    const key = await keyIssued(log, 'acme', at);
    const userAgent = 'x'.repeat(4_096);
    for (let part = 0; part < 24; part += 1)
      await key.usedBefore(
        Array.from({ length: LONG_USES / 24 }, () => key.use(at, { userAgent })),
      );
    await followed();
  };

  it('does not keep the server from stopping while the client does not read', async () => {
    await moreThanBuffered();
    const unread = await opened();
    const failed = once(unread, 'error');
    await platform.stop();
    await expect.poll(() => exportsSaid().at(-1)).toMatchObject({ whole: false });
    unread.resume();
    await failed;
  });

  it('waits for a slow reader beyond any deadline, and ends when it disconnects', async () => {
    await moreThanBuffered();
    const reader = await impatient();
    const slow = await opened(reader);
    const leaving = await opened(reader);
    await once(leaving, 'readable');
    leaving.destroy();
    await expect.poll(() => exportsSaid().filter(({ whole }) => whole === false).length).toBe(1);
    // The rest is not read for a disconnected client.
    expect(exportsSaid().find(({ whole }) => whole === false)!['rows']).toBeLessThan(LONG_USES + 1);
    await letPass(2 * DEADLINE_MS, 'longer than any answer or transaction may take there');
    let text = '';
    slow.setEncoding('utf8');
    for await (const chunk of slow) text += chunk;
    expect(text.split('\n').length).toBe(LONG_USES + 2);
    await expect.poll(() => exportsSaid().filter(({ whole }) => whole).length).toBe(1);
    expect(lines.text()).not.toContain('UNAVAILABLE');
    expect(lines.text()).not.toContain('"level":50');
  });
});

describe('GET /api/v1/keys/{keyId}/history', () => {
  const historyOf = (key: Pick<AuditedKey, 'keyId'>, query = '') =>
    auditor.get(`/api/v1/keys/${key.keyId}/history${query}`);

  it("shows the key's state at any time", async () => {
    const start = startOfMonth(now(), -1);
    const [first, second, third, fourth] = [0, 1, 2, 3].map((days) => daysAfter(start, days)) as [
      string,
      string,
      string,
      string,
    ];
    const before = new Date(Date.parse(first) - 1).toISOString();
    const withOffset = `${second.slice(0, 10)}T14:00:00+02:00`;
    const key = await keyIssued(log, 'acme', first);
    await key.used(second);
    await key.used(third);
    await key.revoked(fourth);
    const at = async (asOf: string) => historyOf(key, `?asOf=${encodeURIComponent(asOf)}`);
    const early = await at(before);
    expect([early.status, early.body.detail]).toEqual([
      404,
      'The key had not been issued at that time.',
    ]);
    expect((await at(first)).body).toEqual({
      keyId: key.keyId,
      label: 'ci',
      scope: 'sandbox',
      status: 'active',
      createdAt: first,
      createdBy: { kind: 'user', id: 'ana', name: 'Ana' },
      expiresAt: '2099-01-01T00:00:00.000Z',
      revokedAt: null,
      revokedBy: null,
      lastUsedAt: null,
    });
    expect((await at(withOffset)).body).toMatchObject({
      status: 'active',
      lastUsedAt: second,
    });
    expect((await at(fourth)).body).toMatchObject({
      status: 'revoked',
      revokedAt: fourth,
      lastUsedAt: third,
    });
    const listed = (await auditor.get('/api/v1/keys')).body.items[0];
    expect((await at(now())).body).toEqual(listed);
    const future = await at('2098-01-01T00:00:00.000Z');
    expect([future.status, future.body.errors[0].path]).toEqual([400, 'asOf']);
  });
});

describe('after eighteen months and a day', () => {
  const advance = (by: string) => operator.post('/api/v1/clock', { advance: by });
  const asked = async (kind: 'rebuild' | 'verify') => {
    const { readModels } = platform;
    const { id } = await readModels.ask('key-audit', { kind, by: 'ana' });
    const find = async () =>
      (await readModels.requests('key-audit')).find((request) => request.id === id)!;
    await expect.poll(async () => (await find()).endedAt).not.toBeNull();
    return find();
  };

  it('an expired use is in no answer, after a rebuild too, nor in its journal', async () => {
    const manager = platform.as('manager@acme.test');
    const { token, keyId } = (await manager.post('/api/v1/keys', { label: 'old' })).body;
    expect((await platform.with(token).get('/api/v1/sandboxes')).status).toBe(200);
    const bad = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;
    expect((await platform.with(bad).get('/api/v1/sandboxes')).status).toBe(401);
    const then = clock.now();
    const month = then.slice(0, 4) + then.slice(5, 7);
    const journals = [`keyuse-acme.${month}`, `keydenial-${month}`];
    const events = async () =>
      Promise.all(journals.map(async (journal) => (await log.readStream(journal)).length));
    expect(await events()).toEqual([1, 1]);
    const actions = async () =>
      (await auditor.get(AUDIT)).body.items.map(({ action }: { action: string }) => action);
    expect(await actions()).toEqual(['key.used', 'key.issued']);

    const later = Date.parse(monthsAfter(then, AUDIT_RETENTION_MONTHS));
    const leftDays = () => Math.floor((later - Date.parse(clock.now())) / 86_400_000);
    expect((await advance('P365D')).status).toBe(200);
    expect((await advance(`P${leftDays() - 1}D`)).status).toBe(200);
    expect(await actions()).toEqual(['key.used', 'key.issued']);
    expect((await operator.get(AUDIT)).body.items.length).toBe(1);
    expect((await asked('verify')).result).toMatchObject({ equal: true });

    expect((await advance('P3D')).status).toBe(200);
    const nothing = async () => {
      expect(await actions()).toEqual([]);
      expect((await operator.get(AUDIT)).body.items).toEqual([]);
      expect((await auditor.get(AUDIT, NDJSON)).body).toBe('');
      expect(csvRows((await auditor.get(AUDIT, CSV)).body).length).toBe(1);
      const history = (await auditor.get(`/api/v1/keys/${keyId}/history`)).body;
      expect(history.items.map(({ action }: { action: string }) => action)).toEqual(['key.issued']);
      const [listed] = (await auditor.get('/api/v1/keys')).body.items;
      expect([listed.status, listed.lastUsedAt]).toEqual(['expired', null]);
    };
    await nothing();
    expect((await asked('rebuild')).state).toBe('done');
    await nothing();
    expect((await asked('verify')).result).toMatchObject({ equal: true });

    expect((await advance('P31D')).status).toBe(200);
    await expect.poll(events).toEqual([0, 0]);
    await nothing();
    expect((await asked('rebuild')).state).toBe('done');
    await nothing();
    expect((await asked('verify')).result).toMatchObject({ equal: true });
    expect(systemClock.now() < clock.now()).toBe(true);
  });
});

const once = (stream: IncomingMessage, event: string) =>
  new Promise<void>((resolve) => stream.once(event, () => resolve()));

const DEADLINE_MS = 3_000;

/** Another platform, with short deadlines. */
const impatient = async () => {
  const own = openDatabase({ url: platform.databaseUrl, logger: lines.logger });
  own.pool.options.idle_in_transaction_session_timeout = DEADLINE_MS;
  onTestFinished(() => own.close());
  return platform.beside({
    clock,
    roles: new Set(['api'] as const),
    db: own,
    logger: lines.logger,
    answerMaxMs: DEADLINE_MS,
  });
};

/** An export whose body has not been read yet. */
const opened = async ({
  address,
}: Pick<TestApi, 'address'> = platform): Promise<IncomingMessage> => {
  const token = await platform.issuer.tokenOf('auditor@acme.test');
  return new Promise((resolve, reject) => {
    const headers = { ...NDJSON, authorization: `Bearer ${token}` };
    httpRequest(`${address}${AUDIT}`, { headers }, resolve).on('error', reject).end();
  });
};
