import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { untrustedHttp } from '../../../src/outbound/untrusted-http.ts';
import { secretsOf } from '../../../src/engine/secrets/secrets.ts';
import { subscriptionStream } from '../../../src/use-cases/webhooks/subscriptions.ts';
import { testApi } from '../../support/api/api.ts';
import { letPass } from '../../support/until.ts';
import { unsubscribeAll } from '../../support/webhooks/unsubscribe.ts';

const addresses: Readonly<Record<string, readonly string[]>> = {
  'hook.example.org': ['1.1.1.1'],
  'both.example.org': ['1.1.1.1', '10.0.0.1'],
};
const api = testApi(() => ({
  untrustedHttp: untrustedHttp({
    allowPrivate: false,
    resolve: async (name) => addresses[name] ?? [],
  }),
}));
const manager = api.as('manager@acme.test');
const other = api.as('manager@globex.test');
afterEach(() => unsubscribeAll(manager));

const WEBHOOKS = '/api/v1/webhooks';
const wanted = { url: 'https://hook.example.org/atrium', events: ['building.point.updated'] };
const registered = async (over: object = {}) => {
  const { status, body } = await manager.post(WEBHOOKS, { ...wanted, ...over });
  expect(status).toBe(201);
  return body;
};

describe('registering a webhook', () => {
  it('answers the record with the secret in full, once', async () => {
    const { status, body, headers } = await manager.post(WEBHOOKS, wanted);
    expect(status).toBe(201);
    expect(headers['location']).toBe(`${WEBHOOKS}/${body.webhookId}`);
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toMatchObject({
      ...wanted,
      buildingId: null,
      description: null,
      status: 'active',
      consecutiveFailures: 0,
      pausedAt: null,
      createdBy: { kind: 'user', name: 'Acme Manager' },
    });
    expect(body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(body.secret.slice(6), 'base64')).toHaveLength(32);
    const read = await manager.get(`${WEBHOOKS}/${body.webhookId}`);
    expect(read.body.secret).toBe(body.secret.slice(0, 8));
  });

  it('keeps the secret out of the log', async () => {
    const { webhookId, secret } = await registered();
    const [stored] = await api.log.readStream(subscriptionStream(webhookId));
    expect(JSON.stringify(stored)).not.toContain(secret.slice(6, 20));
    const { sealedSecret } = stored!.data as { sealedSecret: string };
    const secrets = secretsOf([Buffer.alloc(32, 7)]);
    expect(secrets.open(sealedSecret, subscriptionStream(webhookId))).toBe(secret);
    expect(() => secrets.open(sealedSecret, 'subscription-other')).toThrow(/another stream/);
  });

  it('accepts events that are not produced yet', async () => {
    const events = ['building.element.status_changed', 'building.changeset.applied'];
    expect((await registered({ events })).events).toEqual(events);
  });

  it.each(['building.fault.created', 'service-desk.ticket.created', 'webhook.test'])(
    'refuses %s and lists the four',
    async (event) => {
      // The address does not matter: it is not resolved.
      const url = 'https://hook.invalid/';
      const { status, body } = await manager.post(WEBHOOKS, { ...wanted, url, events: [event] });
      expect([status, body.code]).toEqual([400, 'EVENT_NOT_SUBSCRIBABLE']);
      expect(body.events).toHaveLength(4);
    },
  );

  it.each([
    ['not an url', 'not_a_url'],
    ['https://hook.example.org/\u0000', 'not_a_url'],
    ['https://hook.example.org/\ud800', 'not_a_url'],
    [`https://hook.example.org/${'a'.repeat(3_000)}`, 'not_a_url'],
    ['http://hook.example.org/', 'not_https'],
    ['https://a:b@hook.example.org/', 'has_credentials'],
    ['https://hook.example.org/#a', 'has_fragment'],
    ['https://hook.example.org:25/', 'blocked_port'],
    ['https://localhost/', 'reserved_name'],
    ['https://0x7f.1/', 'odd_address'],
    ['https://169.254.169.254/', 'not_public'],
    ['https://both.example.org/', 'not_public'],
    ['https://nothing.example.org/', 'not_resolvable'],
  ])('refuses %j as %s, at a change too', async (url, reason) => {
    const { status, body } = await manager.post(WEBHOOKS, { ...wanted, url });
    expect([status, body.code, body.reason]).toEqual([400, 'WEBHOOK_URL_REFUSED', reason]);
    const { webhookId } = await registered();
    const changed = await manager.patch(`${WEBHOOKS}/${webhookId}`, { url });
    expect([changed.status, changed.body.code]).toEqual([400, 'WEBHOOK_URL_REFUSED']);
    expect(changed.body.reason).toBe(reason);
  });

  it.each([{ description: '\u0000' }, { url: { text: '\u0000' } }, { url: ['\ud800'] }])(
    'refuses %j by the general rule of texts',
    async (over) => {
      const { status, body } = await manager.post(WEBHOOKS, { ...wanted, ...over });
      expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    },
  );

  it('answers 412 to an If-Match that names a revision', async () => {
    const { status, body } = await manager.post(WEBHOOKS, wanted, { 'if-match': '"0"' });
    expect([status, body.code]).toEqual([412, 'PRECONDITION_FAILED']);
  });

  it('refuses an unknown building, and one of another organisation', async () => {
    const buildingId = await api.importBuilding('manager@globex.test');
    const { status, body } = await manager.post(WEBHOOKS, { ...wanted, buildingId });
    expect([status, body.code]).toEqual([400, 'REFERENCE_NOT_FOUND']);
    const own = await api.importBuilding();
    expect((await registered({ buildingId: own })).buildingId).toBe(own);
  });

  it('under one Idempotency-Key happens once, and the repeat holds no secret', async () => {
    const key = { 'idempotency-key': 'once' };
    const first = await manager.post(WEBHOOKS, wanted, key);
    const again = await manager.post(WEBHOOKS, wanted, key);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.body).toMatchObject({ webhookId: first.body.webhookId });
    expect(again.body).not.toHaveProperty('secret');
    const different = await manager.post(WEBHOOKS, { ...wanted, description: 'x' }, key);
    expect([different.status, different.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('refuses unknown members', async () => {
    for (const body of [{}, { url: wanted.url }, { ...wanted, events: [] }, { ...wanted, a: 1 }])
      expect((await manager.post(WEBHOOKS, body)).body.code).toBe('VALIDATION_FAILED');
  });
});

describe('the webhooks of an organisation', () => {
  it("are listed, oldest first, with masked secrets, and only the organisation's own", async () => {
    const one = await registered({ description: 'first' });
    const two = await registered({ description: 'second' });
    const { body } = await manager.get(`${WEBHOOKS}?limit=1000`);
    const mine = body.items.filter(({ webhookId }: { webhookId: string }) =>
      [one.webhookId, two.webhookId].includes(webhookId),
    );
    expect(mine).toMatchObject([
      { description: 'first', secret: one.secret.slice(0, 8) },
      { description: 'second', secret: two.secret.slice(0, 8) },
    ]);
    expect(body.total).toBe(body.items.length);
    expect((await other.get(WEBHOOKS)).body).toMatchObject({ items: [], total: 0 });
    const { body: paged } = await manager.get(`${WEBHOOKS}?limit=1&offset=1`);
    expect(paged).toMatchObject({ items: [body.items[1]], limit: 1, offset: 1 });
  });

  it('are a 404 for other organisations', async () => {
    const { webhookId } = await registered();
    const at = `${WEBHOOKS}/${webhookId}`;
    const answers = [
      await other.get(at),
      await other.patch(at, { description: 'mine' }),
      await other.delete(at),
      await other.post(`${at}/rotate-secret`),
      await other.post(`${at}/reset-failures`),
      await other.post(`${at}/test`),
      await other.post(`${at}/recover`, { since: '2026-01-01T00:00:00.000Z' }),
      await other.get(`${at}/deliveries`),
      await other.post(`${at}/deliveries/${webhookId}/redeliver`),
      await manager.get(`${WEBHOOKS}/nothing`),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
  });

  it('need the permission: writing is the manager’s, reading also the auditor’s', async () => {
    const { webhookId } = await registered();
    const statuses = async (email: string) => [
      (await api.as(email).get(`${WEBHOOKS}/${webhookId}`)).status,
      (await api.as(email).post(WEBHOOKS, wanted)).status,
    ];
    expect(await statuses('developer@acme.test')).toEqual([200, 403]);
    expect(await statuses('auditor@acme.test')).toEqual([200, 403]);
    expect(await statuses('viewer@acme.test')).toEqual([403, 403]);
    expect(await statuses('agent@acme.test')).toEqual([403, 403]);
    expect((await api.as(null).get(WEBHOOKS)).status).toBe(401);
  });
});

describe('a webhook', () => {
  it('is changed by the members of a PATCH, and validated again', async () => {
    const { webhookId } = await registered();
    const at = `${WEBHOOKS}/${webhookId}`;
    const read = await manager.get(at);
    const changed = await manager.patch(at, { description: 'new' });
    expect(changed.body).toMatchObject({ ...wanted, description: 'new' });
    expect(changed.headers['etag']).not.toBe(read.headers['etag']);
    const bad = await manager.patch(at, { url: 'https://both.example.org/' });
    expect(bad.body).toMatchObject({ code: 'WEBHOOK_URL_REFUSED', reason: 'not_public' });
    const none = await manager.patch(at, { events: ['a'] });
    expect(none.body.code).toBe('EVENT_NOT_SUBSCRIBABLE');
    const late = await manager.patch(at, { description: 'x' }, { 'if-match': '"0"' });
    expect(late.body.code).toBe('PRECONDITION_FAILED');
    const same = await manager.get(at, { 'if-none-match': changed.headers['etag']! });
    expect(same.status).toBe(304);
  });

  it('gets a new secret, shown once', async () => {
    const { webhookId, secret } = await registered();
    const at = `${WEBHOOKS}/${webhookId}/rotate-secret`;
    const key = { 'idempotency-key': 'rotate' };
    const rotated = await manager.post(at, undefined, key);
    expect(rotated.status).toBe(200);
    expect(rotated.body.secret).toMatch(/^whsec_/);
    expect(rotated.body.secret).not.toBe(secret);
    const again = await manager.post(at, undefined, key);
    expect(again.body).not.toHaveProperty('secret');
    const read = await manager.get(`${WEBHOOKS}/${webhookId}`);
    expect(read.body.secret).toBe(rotated.body.secret.slice(0, 8));
  });

  it('that has no failures has none to clear', async () => {
    const { webhookId } = await registered();
    const { status, body } = await manager.post(`${WEBHOOKS}/${webhookId}/reset-failures`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'active', consecutiveFailures: 0 });
  });

  it('of another organisation is the same 404 as an unknown one under If-Match', async () => {
    const { webhookId } = await registered();
    const ids = [webhookId, randomUUID()];
    const answers = ids.map((id) => other.delete(`${WEBHOOKS}/${id}`, { 'if-match': '"99"' }));
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses).toEqual([404, 404]);
  });

  it('that is deleted is a 404', async () => {
    const { webhookId } = await registered();
    const at = `${WEBHOOKS}/${webhookId}`;
    const key = { 'idempotency-key': 'before-its-end' };
    const changed = await manager.patch(at, { description: 'New' }, key);
    expect(changed.status).toBe(200);
    expect((await other.delete(at, { 'if-match': '"99"' })).status).toBe(404);
    expect((await manager.delete(at)).status).toBe(204);
    expect((await manager.get(at)).status).toBe(404);
    expect((await manager.patch(at, { description: 'Late' })).status).toBe(404);
    const again = await manager.patch(at, { description: 'New' }, key);
    expect(again).toMatchObject({ status: 200, body: changed.body });
    expect((await manager.delete(at)).status).toBe(404);
    const { body } = await manager.get(`${WEBHOOKS}?limit=1000`);
    expect(body.items.map((item: { webhookId: string }) => item.webhookId)).not.toContain(
      webhookId,
    );
  });

  it('without deliveries has an empty history, and no delivery to repeat', async () => {
    const { webhookId } = await registered();
    const at = `${WEBHOOKS}/${webhookId}/deliveries`;
    expect((await manager.get(at)).body).toEqual({ items: [], skippedEvents: 0 });
    expect((await manager.get(`${at}?deadLettered=true`)).body.items).toEqual([]);
    const { status } = await manager.post(`${at}/${webhookId}/redeliver`);
    expect(status).toBe(404);
  });

  it('refuses to recover a future period', async () => {
    const { webhookId } = await registered();
    const at = `${WEBHOOKS}/${webhookId}/recover`;
    const late = await manager.post(at, { since: '2999-01-01T00:00:00.000Z' });
    expect(late.body).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [
        {
          path: 'since',
          message: expect.stringMatching(/^must lie in the past, and before until/),
        },
      ],
    });
    const past = await manager.post(at, { since: '2026-01-01T00:00:00.000Z' });
    expect(past.status).toBe(202);
  });

  it('returns the end of its recovery, and the same for a repeat', async () => {
    const { webhookId } = await registered();
    const at = `${WEBHOOKS}/${webhookId}/recover`;
    const key = { 'idempotency-key': 'recover' };
    const since = '2026-01-01T00:00:00.000Z';
    const { body, headers } = await manager.post(at, { since }, key);
    await letPass(2, 'the default for `until` has moved');
    const again = await manager.post(at, { since }, key);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.body).toEqual(body);
    const revision = Number(headers['etag']!.slice(1, -1));
    const [stored] = await api.log.readStream(subscriptionStream(webhookId), { from: revision });
    expect(stored!.data).toEqual(body);
  });

  it.each(['0000-01-01T00:00:00+12:00', '9999-12-31T23:59:59-12:00'])(
    'recovers nothing since %s, which no other time is compared with',
    async (since) => {
      const { webhookId } = await registered();
      const at = `${WEBHOOKS}/${webhookId}/recover`;
      for (const body of [{ since }, { since: '2026-01-01T00:00:00Z', until: since }]) {
        const { status, body: problem } = await manager.post(at, body);
        expect([status, problem.code]).toEqual([400, 'VALIDATION_FAILED']);
      }
    },
  );
});
