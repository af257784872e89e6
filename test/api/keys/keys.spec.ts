/** API keys over HTTP: interface.md «API keys», contract.md sections 1 to 3. */
import { createHmac, randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keyScopes, type KeyScope } from '../../../src/domain/keys/events.ts';
import { useJournal } from '../../../src/domain/keys/journals.ts';
import { newKeyId, newToken } from '../../../src/identity/keys/token.ts';
import { systemClock, virtualClock } from '../../../src/engine/time/clock.ts';
import { drawKey, signingIssuer, type SigningIssuer } from '../../identity/oidc/signing-issuer.ts';
import { keysOf, usesIn } from '../../support/log/keys.ts';
import { testApi } from '../../support/api/api.ts';
import type { Caller } from '../../support/api/caller.ts';
import { testPlatform, type TestPlatform } from '../../support/api/platform.ts';
import { writtenLines } from '../../support/api/written-lines.ts';

const KEYS = '/api/v1/keys';
const SANDBOXES = '/api/v1/sandboxes';

interface Route {
  readonly method: string;
  readonly url: string;
}

let issuer: SigningIssuer;
/** Another process on the same log and database. */
let beside: TestPlatform;
const routes: Route[] = [];
const lines = writtenLines({ level: 'trace' });

/** Sees every route that is registered after it, in the whole server. */
const seeingRoutes = Object.assign(
  async (app: TestPlatform['app']) => {
    app.addHook('onRoute', ({ method, url, config }) => {
      if (config?.permission === 'public') return;
      for (const each of [method].flat()) routes.push({ method: each, url });
    });
  },
  { [Symbol.for('skip-override')]: true },
);

beforeAll(async () => {
  issuer = await signingIssuer();
});
afterAll(() => issuer.close());

const tokens = () => ({ url: issuer.url, tokenOf: () => issuer.token() });
const platform = testApi(() => ({
  issuer: tokens(),
  timeTravel: true,
  mount: seeingRoutes,
  logger: lines.logger,
}));
beforeAll(async () => {
  beside = await testPlatform({
    issuer: tokens(),
    databaseUrl: platform.databaseUrl,
    roles: new Set(['api'] as const),
    trustedProxies: ['127.0.0.1'],
    timeTravel: true,
  });
});
afterAll(() => beside.close());

/** Of this test alone: five keys are soon minted. */
let organisation: string;
let manager: Caller;
beforeEach(async () => {
  organisation = `org-${randomUUID().slice(0, 8)}`;
  manager = await as('manager');
});

const sessionOf = (role: string, claims: Record<string, unknown> = {}) =>
  issuer.token({ organization: organisation, realm_access: { roles: [role] }, ...claims });
const as = async (
  role: string,
  claims: Record<string, unknown> = {},
  on: Pick<TestPlatform, 'with'> = platform,
) => on.with(await sessionOf(role, claims));
const mint = async (body: object = {}, by = manager) => {
  const answer = await by.post(KEYS, { label: 'ci', ...body });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body as { token: string; keyId: string };
};
const uses = async () =>
  (await usesIn(platform.log, useJournal(organisation, systemClock.now()))).map(
    ({ event }) => event,
  );
const statusOf = async (keyId: string): Promise<string | undefined> =>
  (await manager.get(KEYS)).body.items.find((key: { keyId: string }) => key.keyId === keyId)
    ?.status;
const problem = (status: number, code: string) => ({ status, body: { code, status } });

/** With headers that `fetch` would not send. */
const raw = (
  path: string,
  headers: Record<string, string | string[]>,
): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const request = httpRequest(`${platform.address}${path}`, { headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.on('error', reject).end();
  });

describe('the scope of a key', () => {
  /** Typed again from the contract; every other route that is not public stays shut. */
  const opened: Readonly<Record<string, readonly KeyScope[]>> = {
    'GET /api/v1/keys': ['full'],
    'DELETE /api/v1/keys/{keyId}': ['full'],
    'GET /api/v1/me': keyScopes,
    'GET /api/v1/sandboxes': ['sandbox', 'full'],
    'POST /api/v1/sandboxes': ['sandbox', 'full'],
    'GET /api/v1/sandboxes/{id}': ['sandbox', 'full'],
    'DELETE /api/v1/sandboxes/{id}': ['sandbox', 'full'],
    'POST /api/v1/sandboxes/{id}/extend': ['sandbox', 'full'],
    'POST /api/v1/sandboxes/{id}/reset': ['sandbox', 'full'],
    'GET /api/v1/sandboxes/{id}/planted-faults': ['sandbox', 'full'],
    'GET /api/v1/sandboxes/{id}/requests': ['sandbox', 'full'],
    'GET /api/v1/sandboxes/{id}/snapshots': ['sandbox', 'full'],
    'POST /api/v1/sandboxes/{id}/snapshots': ['sandbox', 'full'],
    'GET /api/v1/snapshots': ['sandbox', 'full'],
    'GET /api/v1/snapshots/{snapshotId}': ['sandbox', 'full'],
    'DELETE /api/v1/snapshots/{snapshotId}': ['sandbox', 'full'],
  };
  const nameOf = ({ method, url }: Route) =>
    `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`.replace(/^HEAD/, 'GET');

  it('is defined for existing routes only', () => {
    expect(routes.length).toBeGreaterThan(30);
    const names = routes.map(nameOf);
    for (const name of Object.keys(opened)) expect(names).toContain(name);
  });

  it.each(keyScopes)(
    '%s opens the routes of the contract, and each use is recorded',
    async (scope) => {
      const { token, keyId } = await mint({ scope });
      for (const route of routes) {
        const path = route.url.replaceAll(/:\w+/g, newKeyId('nobody'));
        const answer = await fetch(`${platform.address}${path}`, {
          method: route.method,
          headers: { authorization: `Bearer ${token}`, 'user-agent': 'matrix' },
        });
        const text = await answer.text();
        const code = /"code":"(\w+)"/.exec(text)?.[1] ?? null;
        const isHead = route.method === 'HEAD';
        const shut = [403, isHead ? null : 'SCOPE_DENIED'];
        const lacking = route.method === 'POST' ? [400, 'VALIDATION_FAILED'] : [200, null];
        const open = route.url.includes(':') ? [404, isHead ? null : 'NOT_FOUND'] : lacking;
        const name = nameOf(route);
        const isOpen = opened[name]?.includes(scope) === true;
        expect([name, answer.status, code]).toEqual([name, ...(isOpen ? open : shut)]);
      }
      const recorded = await uses();
      expect(recorded).toEqual(
        routes.map((route) => {
          const isOpen = opened[nameOf(route)]?.includes(scope) === true;
          return expect.objectContaining({
            type: 'KeyUsed',
            keyId,
            scope,
            route: nameOf(route).replace(/^\w+/, route.method),
            outcome: isOpen ? 'allowed' : 'denied',
            reason: isOpen ? null : 'scope',
            sourceIp: '127.0.0.1',
            userAgent: 'matrix',
          });
        }),
      );
    },
  );

  it('is decided before the body is looked at', async () => {
    const { token } = await mint();
    const answer = await platform.with(token).post('/api/v1/buildings/import', '{ nonsense');
    expect(answer).toMatchObject(problem(403, 'SCOPE_DENIED'));
  });

  it('never allows minting', async () => {
    const { token } = await mint({ scope: 'full' });
    const answer = await platform.with(token).post(KEYS, { label: 'more' });
    expect(answer).toMatchObject(problem(403, 'SCOPE_DENIED'));
    expect((await manager.get(KEYS)).body.items).toHaveLength(1);
  });

  it('is required: without a key every route answers 401', async () => {
    for (const { method, url } of routes) {
      const path = url.replaceAll(/:\w+/g, newKeyId('nobody'));
      const answer = await fetch(`${platform.address}${path}`, { method });
      expect({ url, status: answer.status }).toEqual({ url, status: 401 });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });
});

describe("another organisation's keys", () => {
  it('are neither seen nor revoked, by a session or by a full key', async () => {
    const { keyId } = await mint();
    const full = await mint({ scope: 'full' }, await as('manager', { organization: 'stranger' }));
    const strangers = [
      await as('manager', { organization: 'stranger' }),
      platform.with(full.token),
    ];
    for (const stranger of strangers) {
      const { items } = (await stranger.get(KEYS)).body;
      expect(items.map((key: { keyId: string }) => key.keyId)).not.toContain(keyId);
      expect(await stranger.delete(`${KEYS}/${keyId}`)).toMatchObject(problem(404, 'NOT_FOUND'));
    }
    const history = await strangers[0]!.get(`${KEYS}/${keyId}/history`);
    expect(history).toMatchObject(problem(404, 'NOT_FOUND'));
    const audit = await strangers[0]!.get(`${KEYS}/audit?keyId=${keyId}`);
    expect(audit).toMatchObject({ status: 200, body: { items: [] } });
    expect(await statusOf(keyId)).toBe('active');
    expect(await uses()).toEqual([]);
  });
});

describe('a session', () => {
  it.each([
    ['manager', 200, 201, 204],
    ['developer', 200, 201, 204],
    ['agent', 403, 403, 403],
    ['auditor', 200, 403, 403],
    ['viewer', 403, 403, 403],
    ['operator', 403, 403, 403],
  ])('of a(n) %s is answered %i to a list, %i to a mint, %i to a revoke', async (...of) => {
    const [role, listed, minted, revoked] = of;
    const { keyId } = await mint();
    const caller = await as(role, role === 'operator' ? { organization: undefined } : {});
    const answers = [
      await caller.get(KEYS),
      await caller.post(KEYS, { label: 'x' }),
      await caller.delete(`${KEYS}/${keyId}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([listed, minted, revoked]);
    const denied = answers.filter(({ status }) => status === 403);
    for (const { body } of denied) expect(body.code).toBe('PERMISSION_DENIED');
  });

  it.each([
    ['sub equals client_id', { sub: 'bridge', client_id: 'bridge' }],
    ['sub equals azp', { sub: 'bridge', azp: 'bridge' }],
    ['it is a service account', { preferred_username: 'service-account-bridge' }],
  ])(
    "must be a person's to mint, to revoke and to read the audit: not where %s",
    async (_, claims) => {
      const { keyId } = await mint();
      const machine = await as('manager', claims);
      const denied = problem(403, 'PERSON_REQUIRED');
      expect(await machine.post(KEYS, { label: 'x' })).toMatchObject(denied);
      expect(await machine.delete(`${KEYS}/${keyId}`)).toMatchObject(denied);
      expect(await machine.get(`${KEYS}/audit`)).toMatchObject(denied);
      expect(await machine.get(`${KEYS}/${keyId}/history`)).toMatchObject(denied);
      expect(await machine.get(KEYS)).toMatchObject({ status: 200 });
      expect(await statusOf(keyId)).toBe('active');
    },
  );

  it.each([
    ['manager', 200, 200],
    ['developer', 403, 403],
    ['agent', 403, 403],
    ['auditor', 200, 200],
    ['viewer', 403, 403],
    // Of no organisation: it sees denials without an organisation, and no keys.
    ['operator', 200, 403],
  ])('of a(n) %s is answered %i by the audit, and %i by the history of a key', async (...of) => {
    const [role, audit, history] = of;
    const { keyId } = await mint();
    const caller = await as(role, role === 'operator' ? { organization: undefined } : {});
    expect((await caller.get(`${KEYS}/audit`)).status).toBe(audit);
    expect((await caller.get(`${KEYS}/${keyId}/history`)).status).toBe(history);
  });

  it('that is forged is refused everywhere', async () => {
    const good = await sessionOf('manager');
    const [head, claims, signature] = good.split('.') as [string, string, string];
    const part = (of: object) => Buffer.from(JSON.stringify(of)).toString('base64url');
    const { kid } = issuer.key.publicJwk;
    const hs256 = `${part({ alg: 'HS256', typ: 'at+jwt', kid })}.${claims}`;
    const said = JSON.parse(Buffer.from(claims, 'base64url').toString()) as object;
    const secret = JSON.stringify(issuer.key.publicJwk);
    const stranger = { ...issuer, key: await drawKey() };
    const nowS = Math.floor(Date.now() / 1_000);
    const forged = [
      `${part({ alg: 'none', typ: 'at+jwt' })}.${claims}.`,
      `${hs256}.${createHmac('sha256', secret).update(hs256).digest('base64url')}`,
      `${head}.${part({ ...said, organization: 'acme' })}.${signature}`,
      await sessionOf('manager', { iss: 'https://elsewhere.test' }),
      await sessionOf('manager', { aud: 'account' }),
      await sessionOf('manager', { exp: nowS - 60 }),
      await sessionOf('manager', { nbf: nowS + 600 }),
      await issuer.token({ typ: 'ID' }, { typ: 'JWT' }),
      await issuer.token({}, { kid: 'unknown' }),
      await issuer.token({}, { kid: 'x', jku: `${issuer.url}/keys`, jwk: stranger.key.publicJwk }),
      await issuer.token({}, { kid: 'x', x5c: ['AAAA'] }),
    ];
    for (const [index, token] of forged.entries()) {
      const answer = await platform.with(token).get(KEYS);
      expect({ index, ...answer }).toMatchObject({ index, ...problem(401, 'UNAUTHENTICATED') });
    }
    expect(await platform.with(good).get(KEYS)).toMatchObject({ status: 200 });
  });
});

describe('a credential', () => {
  const rejected = [401, 'UNAUTHENTICATED'] as const;

  it('that is malformed has the same answer as an unknown one', async () => {
    const unknown = newToken(newKeyId(organisation)).token;
    const { token } = await mint();
    for (const odd of [unknown, 'atr_', 'atr_x', `${token}0`, token.slice(0, -1), 'nonsense']) {
      const answer = await platform.with(odd).get(KEYS);
      expect(answer).toMatchObject(problem(...rejected));
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      expect(JSON.stringify(answer.body)).not.toContain(odd.slice(4, 20) || 'atr_');
    }
  });

  it.each([
    ['oversized', `Bearer atr_${'x'.repeat(10_000)}`],
    ['in Unicode', Buffer.from('Bearer atr_ключ').toString('latin1')],
    ['Basic', `Basic ${Buffer.from('atr_x:').toString('base64')}`],
    ['an empty Bearer', 'Bearer '],
    ['a bare Bearer', 'Bearer'],
    ['nothing', ''],
    ['two words', 'Bearer atr_x atr_y'],
    ['a list', 'Bearer atr_x, Bearer atr_y'],
  ])('that is %s is refused', async (_, authorization) => {
    const { status, text } = await raw(SANDBOXES, { authorization });
    expect([status, JSON.parse(text).code]).toEqual(rejected);
  });

  it('that is sent twice is refused, though both are valid', async () => {
    const { token } = await mint();
    const { status, text } = await raw(SANDBOXES, {
      authorization: [`Bearer ${token}`, `Bearer ${token}`],
    });
    expect([status, JSON.parse(text).code]).toEqual(rejected);
    expect(await uses()).toEqual([]);
  });

  it('in the query, a cookie or another header is ignored', async () => {
    const { token } = await mint();
    expect((await raw(`${SANDBOXES}?access_token=${token}`, {})).status).toBe(401);
    const attempts = [{ cookie: `token=${token}` }, { 'x-api-key': token }];
    for (const headers of attempts) expect((await raw(SANDBOXES, headers)).status).toBe(401);
    expect(await uses()).toEqual([]);
  });

  it('is accepted with any case of its scheme', async () => {
    const { token } = await mint();
    for (const scheme of ['bearer', 'BEARER', 'Bearer  ']) {
      const authorization = `${scheme} ${token}`;
      expect((await raw(SANDBOXES, { authorization })).status).toBe(200);
    }
  });

  it('of a revoked key is reported as revoked only with the right secret', async () => {
    const revoked = await mint();
    await manager.delete(`${KEYS}/${revoked.keyId}`);
    expect(await platform.with(revoked.token).get(SANDBOXES)).toMatchObject(
      problem(401, 'KEY_REVOKED'),
    );
    const wrong = newToken(revoked.keyId).token;
    expect(await platform.with(wrong).get(SANDBOXES)).toMatchObject(problem(...rejected));
  });
});

describe('minting', () => {
  it("returns the plaintext and the key's record", async () => {
    const caller = await as('developer', { sub: 'dana', name: 'Dana' });
    const answer = await caller.post(KEYS, { label: 'ci' });
    expect(answer).toMatchObject({
      status: 201,
      headers: { 'cache-control': 'no-store', etag: '"1"' },
    });
    expect(answer.headers['x-atrium-position']).toBeDefined();
    const { createdAt, expiresAt, token, keyId } = answer.body;
    expect(answer.body).toEqual({
      keyId: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
      label: 'ci',
      scope: 'sandbox',
      status: 'active',
      createdAt,
      createdBy: { kind: 'user', id: 'dana', name: 'Dana' },
      expiresAt,
      token: expect.stringMatching(/^atr_[0-9A-Za-z]{22}_[0-9A-Za-z]{49}$/),
    });
    expect(token).toContain(keyId);
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(90 * 24 * 3_600_000);
  });

  it.each([1, 365])('accepts a lifetime of %i days', async (expiresInDays) => {
    const { createdAt, expiresAt } = (await manager.post(KEYS, { label: 'x', expiresInDays })).body;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(expiresInDays * 24 * 3_600_000);
  });

  it.each([
    ['an unknown member', { label: 'x', expires: 1 }],
    ['no label', {}],
    ['an empty label', { label: '' }],
    ['a blank label', { label: ' \u00A0\t' }],
    ['a label with a line break', { label: 'a\nb' }],
    ['a label with U+0085', { label: 'a\u0085b' }],
    ['a label with U+0000', { label: 'a\0b' }],
    ['a label of 101 characters', { label: 'x'.repeat(101) }],
    ['a label that is no text', { label: 1 }],
    ['no scope that exists', { label: 'x', scope: 'admin' }],
    ['a scope of two', { label: 'x', scope: ['sandbox', 'publish'] }],
    ['no scope at all', { label: 'x', scope: null }],
    ['no day', { label: 'x', expiresInDays: 0 }],
    ['366 days', { label: 'x', expiresInDays: 366 }],
    ['a day and a half', { label: 'x', expiresInDays: 1.5 }],
    ['days as text', { label: 'x', expiresInDays: '90' }],
    ['no end', { label: 'x', expiresInDays: null }],
    ['a key id of its own', { label: 'x', keyId: 'a'.repeat(22) }],
  ])('refuses %s', async (_, body) => {
    expect(await manager.post(KEYS, body)).toMatchObject(problem(400, 'VALIDATION_FAILED'));
    expect((await manager.get(KEYS)).body.items).toEqual([]);
  });

  it('accepts a label of 100 characters of any script', async () => {
    const label = '🔑'.repeat(100).slice(0, 100);
    const answer = await manager.post(KEYS, { label });
    expect(answer).toMatchObject({ status: 201, body: { label } });
  });

  it('again under the same Idempotency-Key is the same key, without its token', async () => {
    const named = { 'idempotency-key': randomUUID() };
    const first = await manager.post(KEYS, { label: 'ci', scope: 'full' }, named);
    const other = await as('manager', {}, beside);
    for (const caller of [manager, other]) {
      const again = await caller.post(KEYS, { scope: 'full', label: 'ci' }, named);
      const { token, ...key } = first.body;
      expect(token).toBeDefined();
      expect(again).toMatchObject({ status: 201, headers: { 'idempotent-replayed': 'true' } });
      expect(again.body).toEqual(key);
    }
    expect((await manager.get(KEYS)).body.items).toHaveLength(1);
    expect(await manager.post(KEYS, { label: 'other' }, named)).toMatchObject(
      problem(422, 'IDEMPOTENCY_KEY_REUSED'),
    );
  });

  it('again returns the key as minted, after its expiry', async () => {
    const named = { 'idempotency-key': randomUUID() };
    const { token: _, ...key } = (
      await manager.post(KEYS, { label: 'ci', expiresInDays: 1 }, named)
    ).body;
    const later = await platform.beside({
      issuer: tokens(),
      clock: virtualClock(systemClock, 2 * 24 * 60 * 60 * 1_000),
      roles: new Set(['api'] as const),
    });
    const caller = await as('manager', {}, later);
    expect((await caller.get(KEYS)).body.items).toMatchObject([{ status: 'expired' }]);
    const again = await caller.post(KEYS, { label: 'ci', expiresInDays: 1 }, named);
    expect([again.status, again.body]).toEqual([201, key]);
  });

  it('concurrently under one Idempotency-Key gives one key, and its token once', async () => {
    const named = { 'idempotency-key': randomUUID() };
    const other = await as('manager', {}, beside);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        (index % 2 ? manager : other).post(KEYS, { label: 'ci' }, named),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.keyId)).size).toBe(1);
    const tokens = answers.flatMap(({ body }) => body.token ?? []);
    expect(tokens).toHaveLength(1);
    expect((await platform.with(tokens[0]).get(SANDBOXES)).status).toBe(200);
  });

  it('twenty concurrently in two processes with three free slots: three succeed', async () => {
    await mint();
    await mint();
    const other = await as('developer', {}, beside);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? manager : other).post(KEYS, { label: `key ${index}` }),
      ),
    );
    const minted = answers.filter(({ status }) => status === 201);
    expect(minted).toHaveLength(3);
    for (const { status, body } of answers.filter((answer) => answer.status !== 201)) {
      expect([status, body.code, body.limit]).toEqual([409, 'KEY_LIMIT_REACHED', 5]);
    }
    const { items } = (await manager.get(KEYS)).body;
    expect(items).toHaveLength(5);
    for (const { body } of minted) {
      expect((await platform.with(body.token).get(SANDBOXES)).status).toBe(200);
    }
  });

  it('has place again once a key was revoked', async () => {
    const { keyId } = await mint();
    for (let place = 0; place < 4; place += 1) await mint();
    expect(await manager.post(KEYS, { label: 'x' })).toMatchObject(
      problem(409, 'KEY_LIMIT_REACHED'),
    );
    await manager.delete(`${KEYS}/${keyId}`);
    expect((await manager.post(KEYS, { label: 'x' })).status).toBe(201);
  });
});

describe('the list', () => {
  it('is empty at first, then shows the newest first, and no secret of any', async () => {
    expect((await manager.get(KEYS)).body).toEqual({ items: [] });
    const first = await mint({ label: 'first' });
    const second = await mint({ label: 'second', scope: 'full' });
    await manager.delete(`${KEYS}/${first.keyId}`);
    const { items } = (await platform.with(second.token).get(KEYS)).body;
    expect(items).toMatchObject([
      { keyId: second.keyId, label: 'second', scope: 'full', status: 'active', revokedAt: null },
      { keyId: first.keyId, status: 'revoked', revokedBy: { kind: 'user', id: 'ana' } },
    ]);
    for (const item of items) {
      expect(Object.keys(item).toSorted()).toEqual([
        'createdAt',
        'createdBy',
        'expiresAt',
        'keyId',
        'label',
        'lastUsedAt',
        'revokedAt',
        'revokedBy',
        'scope',
        'status',
      ]);
    }
  });

  it('refuses unknown parameters', async () =>
    expect(await manager.get(`${KEYS}?status=active`)).toMatchObject(
      problem(400, 'VALIDATION_FAILED'),
    ));
});

describe('revoking', () => {
  it('is 204, and again 204, by a session or a full key', async () => {
    const { keyId, token } = await mint();
    const full = await mint({ scope: 'full' });
    const answer = await platform.with(full.token).delete(`${KEYS}/${keyId}`);
    expect(answer).toMatchObject({ status: 204, body: '' });
    expect((await manager.delete(`${KEYS}/${keyId}`)).status).toBe(204);
    expect((await platform.with(token).get(SANDBOXES)).body.code).toBe('KEY_REVOKED');
    const revokedBy = { kind: 'key', id: full.keyId, name: 'ci' };
    expect((await manager.get(KEYS)).body.items[1]).toMatchObject({ revokedBy });
  });

  it('of a key that revokes itself is its last act', async () => {
    const { keyId, token } = await mint({ scope: 'full' });
    const key = platform.with(token);
    expect((await key.delete(`${KEYS}/${keyId}`)).status).toBe(204);
    expect((await key.delete(`${KEYS}/${keyId}`)).body.code).toBe('KEY_REVOKED');
  });

  it('holds for the next request to any process', async () => {
    const { keyId, token } = await mint();
    expect((await beside.with(token).get(SANDBOXES)).status).toBe(200);
    await manager.delete(`${KEYS}/${keyId}`);
    expect((await beside.with(token).get(SANDBOXES)).body.code).toBe('KEY_REVOKED');
  });

  it.each(['nonsense', 'a'.repeat(22), '%00', randomUUID()])('of %s is a 404', async (keyId) =>
    expect(await manager.delete(`${KEYS}/${keyId}`)).toMatchObject(problem(404, 'NOT_FOUND')),
  );

  it('of a key that never expires works as of any', async () => {
    const { keyId } = await keysOf(platform.log, systemClock, organisation).mint({
      expiresInDays: null,
    });
    expect((await manager.get(KEYS)).body.items).toMatchObject([{ keyId, expiresAt: null }]);
    expect((await manager.delete(`${KEYS}/${keyId}`)).status).toBe(204);
  });
});

describe('the source of a use', () => {
  const sourceOf = async (on: Pick<TestPlatform, 'with'>, forwarded: string) => {
    const { token } = await mint();
    const headers = { 'x-forwarded-for': forwarded };
    expect((await on.with(token).get(SANDBOXES, headers)).status).toBe(200);
    const last = (await uses()).at(-1);
    return last?.type === 'KeyUsed' ? last.sourceIp : null;
  };

  it('is the address reported by a trusted proxy', async () => {
    expect(await sourceOf(beside, '198.51.100.7, 203.0.113.9')).toBe('203.0.113.9');
    expect(await sourceOf(beside, '2001:db8::1')).toBe('2001:db8::1');
    expect(await sourceOf(beside, 'fe80::1%eth0')).toBe('fe80::1%eth0');
  });

  it('has no port, and is that of the proxy when the reported one is not an address', async () => {
    expect(await sourceOf(beside, '198.51.100.7:5555')).toBe('198.51.100.7');
    expect(await sourceOf(beside, '[2001:db8::1]:443')).toBe('2001:db8::1');
    for (const reported of ['unknown', 'x'.repeat(5_000)])
      expect(await sourceOf(beside, reported)).toBe('127.0.0.1');
  });

  it('is the address of the connection without a trusted proxy', async () =>
    expect(await sourceOf(platform, '203.0.113.9')).toBe('127.0.0.1'));
});

it('the plaintext is in no table, in no event and in no line of the log', async () => {
  const named = { 'idempotency-key': randomUUID() };
  const { token, keyId } = (await manager.post(KEYS, { label: 'ci', scope: 'full' }, named)).body;
  await manager.post(KEYS, { label: 'ci', scope: 'full' }, named);
  const key = platform.with(token);
  await key.get(KEYS);
  await key.get(`${KEYS}?oops=1`);
  await key.post(KEYS, { label: token });
  await platform.with(`${token}x`).get(KEYS);
  await raw(`${KEYS}?token=${token}`, {});
  await raw(`/nowhere/${token}`, { authorization: `Bearer ${token}` });
  await key.delete(`${KEYS}/${token}`);
  await key.delete(`${KEYS}/${keyId}`);
  await key.get(KEYS);

  const client = new Client({ connectionString: platform.databaseUrl });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  let text = lines.text();
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t`);
    text += rows.map(({ row }) => row).join('\n');
  }
  await client.end();
  expect(tables.length).toBeGreaterThan(5);
  // A control: expected contents are found.
  expect(text).toContain(keyId);
  expect(lines.text()).toContain('DELETE');
  expect(lines.text()).toContain(keyId);
  const secret = token.slice(27, 70);
  for (const part of [token, secret, secret.slice(0, 20), secret.slice(-20)]) {
    expect(text.includes(part)).toBe(false);
  }
});
