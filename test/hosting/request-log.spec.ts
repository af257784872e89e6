/** The request log is written in the background, and bounded. contract.md section 4. */
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/engine/time/clock.ts';
import {
  SANDBOX_REQUESTS_BATCH_MAX,
  SANDBOX_REQUESTS_PENDING_MAX,
  SANDBOX_REQUESTS_PENDING_OF_SANDBOX_MAX,
} from '../../src/hosting/limits.ts';
import { requestLog } from '../../src/hosting/request-log.ts';
import type { LoggedRequest } from '../../src/projections/sandboxes/requests.ts';
import { signingIssuer, type SigningIssuer } from '../identity/oidc/signing-issuer.ts';
import { hostingPlatform, provisioned, type HostingPlatform } from '../support/api/hosting.ts';
import { until } from '../support/until.ts';

const logged = (sandboxId: string, requestId: string): Omit<LoggedRequest, 'at'> => ({
  sandboxId,
  method: 'GET',
  route: '/api/v1/buildings',
  status: 200,
  ms: 1,
  keyId: null,
  requestId,
});

const logOn = (write: (batch: readonly LoggedRequest[]) => Promise<void>) => {
  const dropped: number[] = [];
  const log = requestLog({
    rows: { write, trim: async () => {} },
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    dropped: (count) => dropped.push(count),
  });
  return { log, dropped: () => dropped.reduce((sum, count) => sum + count, 0) };
};

describe('the writer', () => {
  it('writes in batches and in order, and the rest when it stops', async () => {
    const batches: (readonly LoggedRequest[])[] = [];
    const { log, dropped } = logOn(async (batch) => void batches.push(batch));
    const count = SANDBOX_REQUESTS_BATCH_MAX + 10;
    for (let n = 0; n < count; n += 1) log.record(logged('sbx_a', String(n)));
    const stop = new AbortController();
    const running = log.run(stop.signal);
    await until(() => batches.length === 2, 'the batches');
    log.record(logged('sbx_a', 'last'));
    stop.abort();
    await running;
    const ids = batches.flat().map(({ requestId }) => requestId);
    expect(ids).toEqual([...Array.from({ length: count }, (_, n) => String(n)), 'last']);
    expect(batches[0]).toHaveLength(SANDBOX_REQUESTS_BATCH_MAX);
    expect(dropped()).toBe(0);
  });

  it('drops and counts requests beyond its bounds, per sandbox before in total', async () => {
    const { log, dropped } = logOn(async () => {});
    const of = (sandboxId: string, count: number) => {
      for (let n = 0; n < count; n += 1) log.record(logged(sandboxId, String(n)));
    };
    of('sbx_noisy', SANDBOX_REQUESTS_PENDING_OF_SANDBOX_MAX + 7);
    expect(dropped()).toBe(7);
    of('sbx_quiet', 1);
    expect(dropped()).toBe(7);
    const sandboxes = SANDBOX_REQUESTS_PENDING_MAX / SANDBOX_REQUESTS_PENDING_OF_SANDBOX_MAX;
    for (let n = 1; n < sandboxes; n += 1) of(`sbx_${n}`, SANDBOX_REQUESTS_PENDING_OF_SANDBOX_MAX);
    expect(dropped()).toBe(8);
  });

  it('retries failed writes, and counts the requests lost at the stop', async () => {
    let isAway = true;
    const written: string[] = [];
    let attempts = 0;
    const { log, dropped } = logOn(async (batch) => {
      attempts += 1;
      if (isAway) throw new Error('the database is away');
      written.push(...batch.map(({ requestId }) => requestId));
    });
    log.record(logged('sbx_a', '1'));
    const stop = new AbortController();
    const running = log.run(stop.signal);
    await until(() => attempts > 0, 'an attempt');
    isAway = false;
    await until(() => written.length === 1, 'the write');
    isAway = true;
    log.record(logged('sbx_a', '2'));
    stop.abort();
    await running;
    expect(written).toEqual(['1']);
    expect(dropped()).toBe(1);
  });
});

describe('GET /api/v1/sandboxes/{id}/requests', () => {
  let issuer: SigningIssuer;
  let platform: HostingPlatform;
  beforeAll(async () => {
    issuer = await signingIssuer();
    platform = await hostingPlatform({
      issuer: { url: issuer.url, tokenOf: () => issuer.token() },
    });
  });
  afterAll(async () => {
    await platform.close();
    await issuer.close();
  });

  const session = (role: string, sub: string, organization = 'acme') =>
    issuer.token({ sub, organization, realm_access: { roles: [role] } });

  it("returns the requests to the sandbox's host, only to its owner", async () => {
    const owner = await session('developer', 'dora');
    const by = platform.with(owner);
    const small = { storeys: 1, areaSqm: 500, seedTelemetryDays: 0, liveTelemetry: false };
    const created = await by.post('/api/v1/sandboxes', { name: 'Requests', ...small });
    const path = `/api/v1/sandboxes/${created.body.sandboxId}`;
    const { slug, buildingId, status } = await provisioned(by, path);
    expect(status).toBe('ready');
    const requests = `${path}/requests`;
    const { token, keyId } = (await by.post('/api/v1/keys', { label: 'ci', scope: 'sandbox' }))
      .body;

    const start = (await by.get(`${requests}?after=end`)).body;
    expect(start.items).toEqual([]);
    const host = platform.at(slug, token);
    await host.get(`/api/v1/buildings/${buildingId}/spaces?limit=7`, {
      'x-request-id': 'spaces-1',
    });
    await host.get('/health/live');
    await platform.at(slug, owner).get('/api/v1/none', { 'x-request-id': 'none-1' });
    await platform.at(slug, 'forged').get('/api/v1/buildings');

    type Item = { readonly requestId: string; readonly status: number };
    const found: Item[] = [];
    let after: string = start.nextCursor;
    await until(async () => {
      const page = (await by.get(`${requests}?after=${after}&wait=5&limit=1`)).body;
      found.push(...page.items);
      after = page.nextCursor;
      return found.length >= 3;
    }, 'the requests');
    const common = { at: expect.any(String), method: 'GET', ms: expect.any(Number) };
    expect(found).toEqual([
      {
        ...common,
        route: '/api/v1/buildings/{buildingId}/spaces',
        status: 200,
        keyId,
        requestId: 'spaces-1',
      },
      { ...common, route: 'unknown', status: 404, keyId: null, requestId: 'none-1' },
      { ...common, route: 'unknown', status: 401, keyId: null, requestId: expect.any(String) },
    ]);
    expect((await by.get(`${requests}?after=${after}`)).body).toEqual({
      items: [],
      nextCursor: after,
    });

    const statusFor = async (role: string, sub: string, organization?: string) =>
      (await platform.with(await session(role, sub, organization)).get(requests)).status;
    expect(await statusFor('manager', 'mara')).toBe(200);
    expect(await statusFor('developer', 'dan')).toBe(404);
    expect(await statusFor('manager', 'mara', 'other')).toBe(404);
    for (const wrong of ['after=x', 'limit=0', 'wait=26'])
      expect((await by.get(`${requests}?${wrong}`)).status).toBe(400);

    expect((await by.delete(path)).status).toBe(204);
    expect((await by.get(requests)).status).toBe(404);
  });
});
