/** A sandbox as its developer uses it: interface.md «Sandbox», contract.md sections 2 and 4. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildingDocument } from '../../src/domain/sandboxes/generator/building.ts';
import { climateOf } from '../../src/domain/sandboxes/generator/climate.ts';
import { curveOf } from '../../src/domain/sandboxes/generator/curves.ts';
import { pointModels } from '../../src/domain/sandboxes/generator/points.ts';
import { SANDBOX_TELEMETRY_STEP_MS } from '../../src/hosting/limits.ts';
import { seededTickets } from '../../src/domain/sandboxes/generator/tickets.ts';
import { systemClock, virtualClock } from '../../src/engine/time/clock.ts';
import { signingIssuer, type SigningIssuer } from '../identity/oidc/signing-issuer.ts';
import { hostingPlatform, provisioned, type HostingPlatform } from '../support/api/hosting.ts';
import { formHeaders, formOf } from '../support/api/form.ts';
import { sent, subjectOf } from '../support/domain/work-order-events.ts';
import { until } from '../support/until.ts';

const SANDBOXES = '/api/v1/sandboxes';
let issuer: SigningIssuer;
let platform: HostingPlatform;
const clock = virtualClock(systemClock);

beforeAll(async () => {
  issuer = await signingIssuer();
  platform = await hostingPlatform({
    issuer: { url: issuer.url, tokenOf: () => issuer.token() },
    clock,
  });
});
afterAll(async () => {
  await platform.close();
  await issuer.close();
});

const session = (role: string, sub: string, organization = 'acme') =>
  issuer.token({ sub, organization, realm_access: { roles: [role] } });
const keyOf = async (minterToken: string, scope = 'sandbox'): Promise<string> => {
  const label = { label: 'ci', scope };
  return (await platform.with(minterToken).post('/api/v1/keys', label)).body.token;
};
/** The organisation's key ids, in the order of the list, once it includes all of them. */
const keyIdsOf = async (token: string, count: number): Promise<readonly string[]> => {
  let items: readonly { readonly keyId: string }[] = [];
  const isShown = async () => {
    ({ items } = (await platform.with(token).get('/api/v1/keys')).body);
    return items.length === count;
  };
  await until(isShown, 'the keys');
  return items.map(({ keyId }) => keyId);
};

interface Made {
  readonly path: string;
  readonly slug: string;
  readonly sandboxId: string;
  readonly buildingId: string;
}

/** Creates a sandbox and waits until it is `ready`. */
const made = async (token: string, body: object = {}): Promise<Made> => {
  const small = { name: 'Sandbox', storeys: 1, areaSqm: 500, seedTelemetryDays: 0 };
  const quiet = { ...small, liveTelemetry: false };
  const by = platform.with(token);
  const created = await by.post(SANDBOXES, { ...quiet, ...body });
  expect(created.status).toBe(202);
  const path = `${SANDBOXES}/${created.body.sandboxId}`;
  const record = await provisioned(by, path);
  expect(record).toMatchObject({ status: 'ready', failureReason: null });
  return { path, ...record };
};
const DAY_MS = 24 * 60 * 60_000;
const notFound = { status: 404, body: { code: 'NOT_FOUND' } };

describe('with only a key', () => {
  it('a sandbox is created, used, extended, reset and deleted', async () => {
    const key = await keyOf(await session('developer', 'dora'));
    const { path, slug, sandboxId, buildingId } = await made(key, { seed: 'alpha' });
    const host = platform.at(slug, key);
    const spaces = `/api/v1/buildings/${buildingId}/spaces?limit=200`;

    expect((await host.get('/api/v1/buildings')).body.items).toMatchObject([{ id: buildingId }]);
    const before = (await host.get(spaces)).body;
    expect(before.total).toBeGreaterThanOrEqual(10);
    const ticket = { buildingId, description: 'Too warm.', spaceId: before.items[0].id };
    const raised = await host.post('/api/service-desk/requests', ticket);
    expect(raised.status).toBe(201);
    const attachments = `/api/service-desk/requests/${raised.body.id}/attachments`;
    const form = formOf({ name: 'file', fileName: 'a.txt', content: 'Too warm.' });
    expect((await host.post(attachments, form, formHeaders)).status).toBe(201);
    expect(await platform.filesOf()).toEqual(await platform.databases());
    expect(await platform.databases()).toEqual([expect.stringContaining(`${sandboxId}_g1`)]);

    const by = platform.with(key);
    for (const days of [1, 1]) expect((await by.post(`${path}/extend`, { days })).status).toBe(200);
    expect((await by.post(`${path}/extend`, { days: 1 })).status).toBe(429);

    expect((await by.post(`${path}/reset`)).status).toBe(202);
    const reset = await provisioned(by, path);
    expect(reset).toMatchObject({ status: 'ready', slug, extensionsRemaining: 0 });
    const after = (await host.get(`/api/v1/buildings/${reset.buildingId}/spaces?limit=200`)).body;
    type Ids = readonly { id: string; externalId: string }[];
    const externalIds = (items: Ids) => items.map(({ externalId }) => externalId);
    expect(externalIds(after.items)).toEqual(externalIds(before.items));
    const ids = new Set((before.items as Ids).map(({ id }) => id));
    expect((after.items as Ids).filter(({ id }) => ids.has(id))).toEqual([]);
    type Tickets = readonly { number: string; description: string; state: string }[];
    const byNumber = async () =>
      ((await host.get('/api/service-desk/requests')).body.items as Tickets)
        .toSorted((a, b) => (a.number < b.number ? -1 : 1))
        .map(({ description, state }) => [description, state]);
    // The seeded tickets, in the order of the seed.
    const seeded = seededTickets('alpha', []).map(({ details, path: states }) => [
      details.description,
      states.at(-1) ?? 'new',
    ]);
    await expect.poll(byNumber).toEqual(seeded);

    await until(async () => (await platform.filesOf()).length === 0, 'the removal of old files');
    const again = { buildingId: reset.buildingId, description: 'Too cold.' };
    const { id } = (await host.post('/api/service-desk/requests', again)).body;
    const other = `/api/service-desk/requests/${id}/attachments`;
    expect((await host.post(other, form, formHeaders)).status).toBe(201);
    expect(await platform.filesOf()).toEqual([expect.stringContaining(`${sandboxId}_g2`)]);

    expect((await by.delete(path)).status).toBe(204);
    expect(await host.get('/api/v1/buildings')).toMatchObject(notFound);
    await until(async () => (await platform.databases()).length === 0, 'the drop');
    await until(async () => (await platform.filesOf()).length === 0, 'the removal of its files');
  });
});

describe('the faults of a sandbox', () => {
  it('have tickets, by its rules and by a key, and none on other platforms', async () => {
    const key = await keyOf(await session('developer', 'dora'));
    const { path, slug, buildingId } = await made(key);
    const host = platform.at(slug, key);
    const building = `/api/v1/buildings/${buildingId}`;
    const { items } = (await host.get(`${building}/points?limit=1000`)).body;
    const points = (items as { id: string; valueType: string }[])
      .filter(({ valueType }) => valueType === 'number')
      .slice(0, 2);
    for (const [index, { id: pointId }] of points.entries()) {
      const rule = {
        title: `R${index}`,
        severity: 'low',
        comparison: 'gt',
        threshold: 1e6,
        pointId,
      };
      const raising = index === 0 ? { raiseTicket: { priority: 'low' } } : {};
      const answer = await host.post(`${building}/diagnostic-rules`, { ...rule, ...raising });
      expect(answer.status).toBe(201);
    }
    const observations = points.map(({ id: pointId }) => ({ pointId, value: 2e6 }));
    await host.post(`${building}/observations`, { observations });
    type Fault = { faultId: string; title: string; ticket: { ticketId: string } | null };
    const faults = async () => {
      const all: Fault[] = (await host.get(`${building}/faults?open=true`)).body.items;
      return all
        .filter(({ title }) => /^R[01]$/.test(title))
        .toSorted((a, b) => (a.title < b.title ? -1 : 1));
    };
    const raised = async () => (await faults()).map(({ ticket }) => ticket !== null);
    await expect.poll(raised).toEqual([true, false]);
    const [, { faultId } = { faultId: '' }] = await faults();
    const byHand = `${building}/faults/${faultId}/ticket`;
    expect((await host.post(byHand, {})).status).toBe(201);
    expect((await host.post(byHand, {})).status).toBe(200);
    await expect.poll(raised).toEqual([true, true]);
    const elsewhere = await platform.with(key).post(byHand, {});
    expect([elsewhere.status, elsewhere.body.code]).toEqual([403, 'SCOPE_DENIED']);
    await platform.with(key).delete(path);
  });
});

describe('the address of a sandbox', () => {
  it('accepts its creator, managers of the organisation and its active keys', async () => {
    const dora = await session('developer', 'dora');
    const maria = await session('manager', 'maria');
    const sandbox = await made(dora);
    const keys = await Promise.all([keyOf(maria), keyOf(maria, 'full')]);
    for (const token of [dora, maria, ...keys]) {
      const host = platform.at(sandbox.slug, token);
      expect((await host.get('/api/v1/buildings')).status).toBe(200);
      // With the manager role in the sandbox, whatever their role on the main platform.
      expect((await host.get('/api/service-desk/configuration')).status).toBe(200);
      expect((await host.get('/api/v1/clock')).status).toBe(200);
    }
    await platform.with(dora).delete(sandbox.path);
  });

  it('is a 404 for any other caller, and a 401 for an invalid key', async () => {
    const dora = await session('developer', 'dora');
    const { slug, path } = await made(dora);
    const mia = await session('manager', 'mia', 'globex');
    const key = await keyOf(mia, 'full');
    for (const token of [
      await session('developer', 'david'),
      await session('agent', 'arno'),
      mia,
      key,
    ])
      expect(await platform.at(slug, token).get('/api/v1/buildings')).toMatchObject(notFound);
    const [gone] = await keyIdsOf(mia, 1);
    await platform.with(mia).delete(`/api/v1/keys/${gone}`);
    expect(await platform.at(slug, key).get('/api/v1/buildings')).toMatchObject({
      status: 401,
      body: { code: 'KEY_REVOKED' },
    });
    await platform.with(dora).delete(path);
  });

  it('requires a credential, and reports to its organisation why a key is refused', async () => {
    const maria = await session('manager', 'mara', 'initech');
    const { slug, path } = await made(maria);
    const key = await keyOf(maria);
    const publish = await keyOf(maria, 'publish');
    const asked = (token: string | null) => platform.at(slug, token).get('/api/v1/buildings');
    expect(await asked(null)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
    const denied = { status: 403, body: { code: 'SCOPE_DENIED' } };
    expect(await asked(publish)).toMatchObject(denied);
    // Also where any credential will do.
    expect(await platform.at(slug, publish).get('/api/v1/me')).toMatchObject(denied);
    expect((await platform.at(slug, key).get('/api/v1/me')).status).toBe(200);
    expect((await platform.with(publish).get('/api/v1/me')).status).toBe(200);
    expect((await asked(key)).status).toBe(200);
    const [, keyId] = await keyIdsOf(maria, 2);
    await platform.with(maria).delete(`/api/v1/keys/${keyId}`);
    expect(await asked(key)).toMatchObject({ status: 401, body: { code: 'KEY_REVOKED' } });
    await platform.with(maria).delete(path);
  });

  it("is in the main platform's audit, with each use of a key", async () => {
    const maria = await session('manager', 'max', 'hooli');
    const { slug, path } = await made(maria);
    const key = await keyOf(maria);
    const latest = async () =>
      (await platform.with(maria).get('/api/v1/keys/audit?action=key.used')).body.items[0];
    const there = platform.at(slug, key);
    const uses = [
      { route: 'GET /api/v1/buildings', answer: () => there.get('/api/v1/buildings'), status: 200 },
      { route: 'GET /*', answer: () => there.get('/api/v1/keys'), status: 404 },
      { route: 'PUT /*', answer: () => there.put('/api/v1/buildings', {}), status: 405 },
    ];
    for (const { route, answer, status } of uses) {
      expect(await answer()).toMatchObject({ status });
      await expect.poll(latest).toMatchObject({
        outcome: 'allowed',
        route: route.replace('/', `http://${slug}.sandbox.test/`),
      });
    }
    await platform.with(maria).delete(path);
  });

  it('is a 404 where there is no sandbox, and 503 while one is being provisioned', async () => {
    const dora = await session('developer', 'dora');
    for (const slug of ['nobody-abc123', 'a.b', '-'])
      expect(await platform.at(slug, dora).get('/api/v1/buildings')).toMatchObject(notFound);
    const created = await platform.with(dora).post(SANDBOXES, { name: 'Slow', storeys: 50 });
    const answer = await platform.at(created.body.slug, dora).get('/api/v1/buildings');
    expect(answer).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5', 'content-type': 'application/problem+json' },
      body: { code: 'SANDBOX_NOT_READY', status: 503 },
    });
    await platform.with(dora).delete(`${SANDBOXES}/${created.body.sandboxId}`);
  });

  it('has no endpoints for sandboxes and keys', async () => {
    const dora = await session('developer', 'dora');
    const { slug, path } = await made(dora);
    for (const there of [SANDBOXES, '/api/v1/keys', '/api/v1/operations/projections'])
      expect(await platform.at(slug, dora).get(there)).toMatchObject(notFound);
    await platform.with(dora).delete(path);
  });
});

describe('two sandboxes and production in one process', () => {
  it('are isolated from each other, at every address', async () => {
    const dora = await session('developer', 'dora');
    const david = await session('developer', 'david');
    const one = await made(dora, { name: 'One', seed: 'same' });
    const two = await made(david, { name: 'Two', seed: 'same' });
    const inOne = platform.at(one.slug, dora);
    const inTwo = platform.at(two.slug, david);
    const maria = platform.with(await session('manager', 'maria'));

    // The same seed: the same codes and external ids, and no id in common.
    type Row = { id: string; code: string; externalId: string };
    const spacesOf = async (host: typeof inOne, { buildingId }: Made): Promise<Row[]> =>
      (await host.get(`/api/v1/buildings/${buildingId}/spaces?limit=500`)).body.items;
    const [first, second] = [await spacesOf(inOne, one), await spacesOf(inTwo, two)];
    const identityOf = ({ code, externalId }: Row) => ({ code, externalId });
    expect(first.map(identityOf)).toEqual(second.map(identityOf));
    expect(first.filter(({ id }) => second.some((other) => other.id === id))).toEqual([]);

    const ticket = { buildingId: one.buildingId, description: 'A secret of one.' };
    const { body: raised } = await inOne.post('/api/service-desk/requests', ticket);
    const doors = [
      `/api/v1/buildings/${one.buildingId}`,
      `/api/v1/buildings/${one.buildingId}/spaces`,
      `/api/service-desk/requests/${raised.id}`,
      `/api/service-desk/requests/${raised.id}/updates`,
    ];
    for (const door of doors) {
      expect((await inOne.get(door)).status).toBe(200);
      expect(await inTwo.get(door)).toMatchObject(notFound);
      expect(await maria.get(door)).toMatchObject(notFound);
      // With the owner's session, at the address of the other sandbox.
      expect(await platform.at(two.slug, dora).get(door)).toMatchObject(notFound);
      expect(await platform.at(one.slug, david).get(door)).toMatchObject(notFound);
    }
    const everywhere = [
      '/api/service-desk/requests',
      '/api/service-desk/requests?search=secret',
      '/api/service-desk/changes',
      '/metrics',
      '/openapi.json',
    ];
    // By then the data that is not returned elsewhere is returned here.
    const found = async () =>
      (await inOne.get('/api/service-desk/requests?search=secret')).body.total;
    await expect.poll(found).toBe(1);
    for (const door of everywhere) {
      expect(JSON.stringify((await inTwo.get(door)).body)).not.toContain('secret of one');
      expect(JSON.stringify((await inTwo.get(door)).body)).not.toContain(one.slug);
      expect(JSON.stringify((await maria.get(door)).body)).not.toContain('secret of one');
    }
    // Ticket numbers are separate, too.
    const other = await inTwo.post('/api/service-desk/requests', {
      buildingId: two.buildingId,
      description: 'x',
    });
    expect(other.body.number).toBe(raised.number);
    await platform.with(dora).delete(one.path);
    await platform.with(david).delete(two.path);
  });
});

describe('the bus of a sandbox', () => {
  it('takes the work orders of its people, by session and by key', async () => {
    const dora = await session('developer', 'dora', 'initech');
    const { slug, path, buildingId } = await made(dora);
    const manager = await session('manager', 'maria', 'initech');
    for (const token of [dora, manager, await keyOf(dora)]) {
      const host = platform.at(slug, token);
      const ticket = { buildingId, description: 'A new pump is needed.' };
      const { id: ticketId } = (await host.post('/api/service-desk/requests', ticket)).body;
      const transition = `/api/service-desk/requests/${ticketId}/transition`;
      expect((await host.post(transition, { state: 'triaged' })).status).toBe(200);
      for (const kind of ['created', 'completed']) {
        const subject = subjectOf(kind, buildingId);
        const data = sent(buildingId, { ticketId, workOrderId: ticketId });
        expect((await host.post('/api/v1/bus/events', { subject, data })).status).toBe(202);
      }
      const found = async () => (await host.get(`/api/service-desk/requests/${ticketId}`)).body;
      await expect.poll(found).toMatchObject({ state: 'resolved', workOrderId: ticketId });
      const { items } = (await host.get('/api/v1/bus/events?type=cafm.work-order.completed')).body;
      expect(items.at(-1)).toMatchObject({ data: { ticketId } });
      expect((await host.get('/api/v1/bus/parked')).status).toBe(200);
    }
    await platform.with(dora).delete(path);
  });
});

describe('the telemetry of a sandbox', () => {
  it('reaches back as far as requested, and ends now', async () => {
    const dora = await session('developer', 'dora');
    const { slug, path, buildingId } = await made(dora, { seedTelemetryDays: 2, seed: 'alpha' });
    const host = platform.at(slug, dora);
    const points = `/api/v1/buildings/${buildingId}/points?limit=1000`;
    type Point = { code: string; id: string; pointClass: string; latest: object | null };
    const items: Point[] = (await host.get(points)).body.items;
    const room = items.find(({ pointClass }) => pointClass === 'Zone_Air_Temperature_Sensor')!;
    const now = Date.now();
    // A few points are deliberately silent for three of nine days, depending on the date.
    const { parameters } = (await platform.with(dora).get(path)).body;
    const midnight = Math.floor(now / DAY_MS) * DAY_MS;
    const moments: ReturnType<ReturnType<typeof climateOf>>[] = [];
    for (let atMs = midnight - 2 * DAY_MS; atMs < now; atMs += SANDBOX_TELEMETRY_STEP_MS)
      moments.push(climateOf(parameters)(atMs));
    const models = [...pointModels(parameters, buildingDocument(parameters))].flat();
    const isDead = (code: string) => {
      const curve = curveOf(models.find((model) => model.code === code)!);
      return moments.every((moment) => curve(moment) === null);
    };
    const silent = items.filter(({ latest }) => latest === null);
    expect(silent.filter(({ code }) => !isDead(code))).toEqual([]);
    expect(silent.length).toBeLessThan(items.length / 20);
    const from = new Date(now - 3 * DAY_MS).toISOString();
    const { body } = await host.get(
      `/api/v1/buildings/${buildingId}/points/${room.id}/observations?from=${from}`,
    );
    const times = body.items.map((one: { timestamp: string }) => Date.parse(one.timestamp));
    expect(times.length).toBeGreaterThan(2 * 96 * 0.95);
    // A rule on it finds the planted fault as soon as the next value arrives.
    const rules = await host.get(`/api/v1/buildings/${buildingId}/diagnostic-rules`);
    expect(rules.body.items.length).toBeGreaterThan(1);
    expect(times[0]! - (midnight - 2 * DAY_MS)).toBeLessThan(3_600_000);
    expect(now - times.at(-1)!).toBeLessThan(3_600_000);
    for (const { value } of body.items) {
      expect(value).toBeGreaterThan(15);
      expect(value).toBeLessThan(35);
    }
    await platform.with(dora).delete(path);
  });
});

describe('the live telemetry of a sandbox', () => {
  const latestOf = async (host: ReturnType<HostingPlatform['at']>, buildingId: string) => {
    const { body } = await host.get(`/api/v1/buildings/${buildingId}/points?limit=1000`);
    return body.items.map((point: { latest: { timestamp: string } | null }) => point.latest);
  };

  it('publishes values of its points every minute of its clock', async () => {
    const dora = await session('developer', 'dora');
    const { slug, path, buildingId } = await made(dora, { liveTelemetry: true });
    const host = platform.at(slug, dora);
    const { now } = (await host.get('/api/v1/clock')).body;
    const hasValues = async () => {
      const latest = await latestOf(host, buildingId);
      return latest.filter((one: object | null) => one !== null).length > latest.length / 2;
    };
    await until(hasValues, 'the first values', { everyMs: 100 });
    const values = await latestOf(host, buildingId);
    const { now: later } = (await host.get('/api/v1/clock')).body;
    for (const latest of values) {
      const publishedAt = Date.parse(latest?.timestamp ?? now);
      expect(publishedAt).toBeGreaterThan(Date.parse(now) - 90_000);
      expect(publishedAt).toBeLessThan(Date.parse(later) + 90_000);
    }
    await platform.with(dora).delete(path);
  });

  it('can be turned off', async () => {
    const dora = await session('developer', 'dora');
    const { slug, path, buildingId } = await made(dora);
    const latest = await latestOf(platform.at(slug, dora), buildingId);
    expect(latest.filter((one: object | null) => one !== null)).toEqual([]);
    await platform.with(dora).delete(path);
  });
});

describe('the clock of a sandbox', () => {
  it('is separate: its due timers fire in the sandbox, in order', async () => {
    const dora = await session('developer', 'dora');
    const { slug, path, buildingId } = await made(dora);
    const host = platform.at(slug, dora);
    const ticket = { buildingId, description: 'Hot.', priority: 'critical' };
    const { body } = await host.post('/api/service-desk/requests', ticket);
    const real = Date.now();
    const moved = await host.post('/api/v1/clock', { advance: 'P1D' });
    expect(moved.status).toBe(200);
    expect(Date.parse(moved.body.now)).toBeGreaterThanOrEqual(real + 24 * 60 * 60_000);
    const after = await host.get(`/api/service-desk/requests/${body.id}`);
    expect(after.body).toMatchObject({
      slaFirstResponseBreached: true,
      slaResolutionBreached: true,
    });
    expect((await platform.with(dora).get(path)).status).toBe(200);
    await platform.with(dora).delete(path);
  });

  it('is advanced by at most 732 days in an hour', async () => {
    const dora = await session('developer', 'dora');
    const { slug, path } = await made(dora);
    const host = platform.at(slug, dora);
    const key = { 'idempotency-key': 'the-first-year' };
    const advance = (by: string, headers = {}) =>
      host.post('/api/v1/clock', { advance: by }, headers);
    expect((await advance('P366D', key)).status).toBe(200);
    expect((await advance('P366D')).status).toBe(200);
    const refused = await advance('PT1M');
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    const retryAfterS = Number(refused.headers['retry-after']);
    expect(retryAfterS).toBeGreaterThan(0);
    expect(retryAfterS).toBeLessThanOrEqual(3_600);
    // A repeat of a recorded advance gets the same answer.
    expect((await advance('P366D', key)).status).toBe(200);
    await platform.with(dora).delete(path);
  });

  it('adds values of its points for skipped time, by the same curves', async () => {
    const dora = await session('developer', 'dora');
    const { slug, path, buildingId } = await made(dora, { liveTelemetry: true, seed: 'alpha' });
    const host = platform.at(slug, dora);
    const { parameters } = (await platform.with(dora).get(path)).body;
    const from = (await host.get('/api/v1/clock')).body.now;
    const moved = await host.post('/api/v1/clock', { advance: 'PT2H' });
    expect(moved.status).toBe(200);

    const points = (await host.get(`/api/v1/buildings/${buildingId}/points?limit=1000`)).body;
    type Point = { id: string; code: string; pointClass: string };
    const room = (points.items as Point[]).find(
      ({ pointClass }) => pointClass === 'Zone_Air_Temperature_Sensor',
    )!;
    const { body } = await host.get(
      `/api/v1/buildings/${buildingId}/points/${room.id}/observations?from=${from}`,
    );
    const observed = new Map(
      body.items.map((one: { timestamp: string; value: number }) => [one.timestamp, one.value]),
    );
    const model = pointModels(parameters, buildingDocument(parameters))
      .flatMap((storey) => [...storey])
      .find(({ code }) => code === room.code)!;
    const stepMs = SANDBOX_TELEMETRY_STEP_MS;
    const firstMs = (Math.floor(Date.parse(from) / stepMs) + 1) * stepMs;
    for (let atMs = firstMs; atMs <= Date.parse(from) + 2 * 3_600_000; atMs += stepMs) {
      const expected = curveOf(model)(climateOf(parameters)(atMs));
      expect(observed.get(new Date(atMs).toISOString()) ?? null).toBe(expected);
    }
    await platform.with(dora).delete(path);
  });
});

describe('an expired sandbox', () => {
  it('has no record, address or database any more', async () => {
    const dora = await session('developer', 'dora');
    const key = await keyOf(dora);
    const { slug, path } = await made(dora, { ttlDays: 1 });
    await until(async () => (await platform.with(dora).get(path)).body.expiresSoon === true);
    const operator = await issuer.token({
      sub: 'otto',
      organization: undefined,
      realm_access: { roles: ['operator'] },
    });
    const moved = await platform.with(operator).post('/api/v1/clock', { advance: 'P1D' });
    expect(moved.status).toBe(200);
    expect(await platform.with(dora).get(path)).toMatchObject(notFound);
    expect(await platform.at(slug, dora).get('/api/v1/buildings')).toMatchObject(notFound);
    expect(await platform.at(slug, key).get('/api/v1/buildings')).toMatchObject(notFound);
    await until(async () => (await platform.databases()).length === 0, 'the drop');
  });
});
