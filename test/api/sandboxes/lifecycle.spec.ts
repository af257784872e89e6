/** The sandbox lifecycle over HTTP: interface.md «Sandboxes», contract.md section 4. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { sandboxRepository } from '../../../src/use-cases/sandboxes/sandboxes.ts';
import { signingIssuer, type SigningIssuer } from '../../identity/oidc/signing-issuer.ts';
import { testApi } from '../../support/api/api.ts';
import type { Caller, TestAnswer } from '../../support/api/caller.ts';
import { instantBuilder } from '../../support/api/instant-builder.ts';
import { until } from '../../support/until.ts';

const SANDBOXES = '/api/v1/sandboxes';
let issuer: SigningIssuer;
beforeAll(async () => {
  issuer = await signingIssuer();
});
afterAll(() => issuer.close());

let letGo: () => void;
const held = new Promise<void>((resolve) => {
  letGo = resolve;
});
const builder = instantBuilder(64, () => held);
const platform = testApi(() => ({
  issuer: { url: issuer.url, tokenOf: () => issuer.token() },
  sandboxBuilder: builder,
  timeTravel: true,
}));

/** Of this test alone. */
let organisation: string;
let developer: Caller;
beforeEach(async () => {
  organisation = `org-${randomUUID().slice(0, 8)}`;
  developer = await as('developer', 'dora');
});

const as = async (role: string, sub: string, of: string = organisation) =>
  platform.with(await issuer.token({ sub, organization: of, realm_access: { roles: [role] } }));
const keyOf = async (minter: Caller, scope = 'sandbox') => {
  const { body } = await minter.post('/api/v1/keys', { label: 'ci', scope });
  return platform.with(body.token as string);
};
const create = async (by: Caller, body: object = {}, headers = {}) =>
  by.post(SANDBOXES, { name: 'My sandbox', ...body }, headers);
const pathOf = ({ body }: TestAnswer) => `${SANDBOXES}/${body.sandboxId}`;
const leaves = async (by: Caller, path: string) => {
  await until(async () => (await by.get(path)).body.status !== 'provisioning', 'the provisioning');
  return (await by.get(path)).body;
};
const isBegun = (by: Caller, answer: TestAnswer) =>
  until(
    async () => (await by.get(pathOf(answer))).body.progress.phase === 'database',
    'the beginning',
  );
/** A phase is recorded before its work begins; a delete in between has no work to abort. */
const isAtWork = ({ body }: TestAnswer) =>
  until(() => builder.begun.includes(body.sandboxId), 'the work');
const made = async (by: Caller, body: object = {}) => {
  const answer = await create(by, body);
  expect(answer.status).toBe(202);
  await leaves(by, pathOf(answer));
  return { path: pathOf(answer), ...answer.body };
};
const problem = (status: number, code: string, more: object = {}) => ({
  status,
  body: { code, ...more },
});
const DAY_MS = 24 * 60 * 60_000;
const inDays = (days: number, from: string) =>
  new Date(Date.parse(from) + days * DAY_MS).toISOString();

describe('POST /api/v1/sandboxes', () => {
  it('answers 202 with the record, where to look and when to look again', async () => {
    const answer = await create(developer, { name: 'Ärger & Söhne', seed: 'alpha' });
    expect(answer).toMatchObject({
      status: 202,
      headers: {
        location: pathOf(answer),
        'retry-after': '5',
        etag: expect.any(String),
        'x-atrium-position': expect.any(String),
      },
      body: {
        sandboxId: expect.stringMatching(/^sbx_[0-9a-z]{16}$/),
        name: 'Ärger & Söhne',
        slug: expect.stringMatching(/^arger-sohne-[0-9a-z]{6}$/),
        status: 'provisioning',
        extensionsRemaining: 2,
        expiresSoon: false,
        buildingId: null,
        failureReason: null,
        createdBy: { kind: 'user', id: 'dora' },
        progress: { phase: 'queued', percent: 0, ahead: expect.any(Number) },
        estimatedBytes: expect.any(Number),
      },
    });
    const { slug, apiUrl, createdAt, expiresAt } = answer.body;
    expect(apiUrl).toBe(`http://${slug}.sandbox.test`);
    expect(expiresAt).toBe(inDays(14, createdAt));
  });

  it('has the defaults of the contract, and draws a seed', async () => {
    const { body } = await create(developer);
    expect(body.parameters).toEqual({
      buildingType: 'office',
      storeys: 3,
      areaSqm: 3000,
      seedTelemetryDays: 7,
      spacesMin: 10,
      spacesMax: 30,
      equipmentDensity: 'realistic',
      occupancyProfile: 'office-hours',
      seed: expect.stringMatching(/^[0-9a-f]{16}$/),
      liveTelemetry: true,
      timeZone: 'UTC',
      faultKinds: ['stuck-damper', 'drifting-sensor', 'silent-sensor', 'night-fan'],
    });
  });

  it('ends in ready, with the building', async () => {
    const { path } = await made(developer);
    expect((await developer.get(path)).body).toMatchObject({
      status: 'ready',
      buildingId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      progress: { phase: 'ready', percent: 100 },
    });
  });

  it('or in failed, with a reason; then its databases are dropped', async () => {
    const { path, sandboxId } = await made(developer, { name: 'fails' });
    expect((await developer.get(path)).body).toMatchObject({
      status: 'failed',
      failureReason: 'The disk is full.',
    });
    await until(() => builder.cleared.some(([id, before]) => id === sandboxId && before === 2));
    // They are counted once a projection has followed.
    const metrics = async () => (await platform.as(null).get('/metrics')).body as string;
    await until(async () => /^atrium_sandboxes\{status="failed"\} [1-9]/m.test(await metrics()));
    await expect.poll(metrics).toMatch(/^atrium_sandbox_provisioning_failures_total [1-9]/m);
  });

  it.each([
    [{ storeys: 0 }, 'storeys'],
    [{ storeys: 51 }, 'storeys'],
    [{ storeys: 1.5 }, 'storeys'],
    [{ name: '' }, 'name'],
    [{ name: '   ' }, 'name'],
    [{ name: 'x'.repeat(300) }, 'name'],
    [{ ttlDays: 0 }, 'ttlDays'],
    [{ areaSqm: 0 }, 'areaSqm'],
    [{ seedTelemetryDays: 31 }, 'seedTelemetryDays'],
    [{ spacesMin: 31 }, 'spacesMin'],
    [{ spacesMax: 5 }, 'spacesMin'],
    [{ buildingType: 'castle' }, 'buildingType'],
  ])('refuses %j', async (body, path) => {
    const answer = await create(developer, body);
    expect(answer).toMatchObject(problem(400, 'VALIDATION_FAILED'));
    expect(answer.body.errors[0].path).toBe(path);
  });

  it('refuses 31 days, and names the latest end', async () =>
    expect(await create(developer, { ttlDays: 31 })).toMatchObject(
      problem(400, 'TTL_TOO_LONG', { latest: expect.any(String) }),
    ));

  it.each(['🏢🏢', 'مبنى المكاتب', 'x'.repeat(100), '名'.repeat(100)])(
    'accepts the name %s, and derives an address from it',
    async (name) => {
      const { body } = await create(developer, { name });
      expect(body.name).toBe(name);
      expect(body.slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(body.slug.length).toBeLessThanOrEqual(63);
    },
  );

  it('creates one sandbox for a repeated Idempotency-Key', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const first = await create(developer, {}, key);
    const second = await create(developer, {}, key);
    expect(second).toMatchObject({ status: 202, headers: { 'idempotent-replayed': 'true' } });
    // How many are ahead is said as of now: sandboxes of others are made meanwhile.
    expect({ ...second.body, progress: null }).toEqual({ ...first.body, progress: null });
    expect(await create(developer, { storeys: 4 }, key)).toMatchObject(
      problem(422, 'IDEMPOTENCY_KEY_REUSED'),
    );
    expect((await developer.get(SANDBOXES)).body.items).toHaveLength(1);
    // Neither the repeat nor the refused one holds a quota slot.
    await made(developer);
    await made(developer);
    expect((await create(developer)).status).toBe(429);
  });
});

describe('the quota', () => {
  it('is three; the refusal of the fourth says when the first expires', async () => {
    const ends = await Promise.all([5, 3, 9].map((ttlDays) => made(developer, { ttlDays })));
    const answer = await create(developer);
    expect(answer).toMatchObject(problem(429, 'SANDBOX_QUOTA_REACHED', { limit: 3, used: 3 }));
    expect(answer.body.retryAt).toBe(ends[1]!.expiresAt);
    // Waiting does not help: a client that obeyed it would sleep for days.
    expect(answer.headers['retry-after']).toBeUndefined();
  });

  it('is free again at once after a delete', async () => {
    const [first] = await Promise.all([1, 2, 3].map(() => made(developer)));
    expect((await developer.delete(first!.path)).status).toBe(204);
    expect((await create(developer)).status).toBe(202);
  });

  it('does not count a failed sandbox, until it is reset', async () => {
    const failed = await made(developer, { name: 'fails' });
    await Promise.all([1, 2, 3].map(() => made(developer)));
    expect(await developer.post(`${failed.path}/reset`)).toMatchObject(
      problem(429, 'SANDBOX_QUOTA_REACHED'),
    );
  });

  it("is each developer's own", async () => {
    await Promise.all([1, 2, 3].map(() => made(developer)));
    const other = await as('developer', 'david');
    expect((await create(other)).status).toBe(202);
  });

  it('is shared by a developer and the keys that they minted', async () => {
    const key = await keyOf(developer);
    await made(key);
    await made(developer);
    await made(key);
    expect((await create(key)).status).toBe(429);
    expect((await create(developer)).status).toBe(429);
  });

  it('accepts exactly one of two concurrent requests for the last slot', async () => {
    await Promise.all([1, 2].map(() => made(developer)));
    for (let race = 0; race < 10; race += 1) {
      const answers = await Promise.all([create(developer), create(developer)]);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202, 429]));
      const won = answers.find(({ status }) => status === 202)!;
      // While it is being built, its place is free only when that has ended.
      await leaves(developer, pathOf(won));
      expect((await developer.delete(pathOf(won))).status).toBe(204);
    }
  });

  it('counts one slot for six concurrent requests with one key', async () => {
    await Promise.all([1, 2].map(() => made(developer)));
    const key = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => create(developer, {}, key)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(202));
    expect(new Set(answers.map(({ body }) => body.sandboxId)).size).toBe(1);
  });

  it('is not leaked by a request that was killed after it took a slot', async () => {
    // The remains of such a request: an ended sandbox whose slot was not released.
    const gone = await made(developer);
    await Promise.all([1, 2].map(() => made(developer)));
    const sandboxes = sandboxRepository(platform.log);
    await sandboxes.give(
      gone.sandboxId,
      { commandId: randomUUID(), command: { type: 'DeleteSandbox' } },
      { at: new Date().toISOString(), by: { kind: 'system', id: 'test' }, origin: 'system' },
    );
    expect((await create(developer)).status).toBe(202);
  });
});

describe('access to a sandbox', () => {
  it('is for its creator, their keys, and managers of the organisation', async () => {
    const { path } = await made(developer);
    const seeing = [
      developer,
      await keyOf(developer),
      await keyOf(developer, 'full'),
      await as('manager', 'maria'),
    ];
    for (const caller of seeing) expect((await caller.get(path)).status).toBe(200);
  });

  it('is a 404 for every other caller', async () => {
    const { path } = await made(developer);
    const manager = await as('manager', 'maria');
    const elsewhere = await as('manager', 'mia', 'elsewhere');
    const others = [
      await as('developer', 'david'),
      await keyOf(manager),
      elsewhere,
      await as('developer', 'dora', 'elsewhere'),
    ];
    for (const caller of others) {
      expect(await caller.get(path)).toMatchObject(problem(404, 'NOT_FOUND'));
      expect(await caller.post(`${path}/extend`, { days: 1 })).toMatchObject({ status: 404 });
      expect(await caller.post(`${path}/reset`)).toMatchObject({ status: 404 });
      expect(await caller.delete(path)).toMatchObject({ status: 404 });
      expect((await caller.get(SANDBOXES)).body.items).toEqual([]);
    }
  });

  it("is only in its developer's list, newest first; a manager's list is their own", async () => {
    const key = await keyOf(developer);
    const first = await made(developer);
    const second = await made(key);
    for (const caller of [developer, key]) {
      const { body } = await caller.get(SANDBOXES);
      expect(body.items.map(({ sandboxId }: { sandboxId: string }) => sandboxId)).toEqual([
        second.sandboxId,
        first.sandboxId,
      ]);
    }
    const manager = await as('manager', 'maria');
    expect((await manager.get(SANDBOXES)).body.items).toEqual([]);
  });

  it.each(['agent', 'viewer', 'auditor'])('is no %s', async (role) =>
    expect(await (await as(role, 'x')).get(SANDBOXES)).toMatchObject(
      problem(403, 'PERMISSION_DENIED'),
    ),
  );

  it.each(['sbx_x', 'sbx_0000000000000000', 'x'])('has no %s', async (id) =>
    expect(await developer.get(`${SANDBOXES}/${id}`)).toMatchObject(problem(404, 'NOT_FOUND')),
  );
});

describe('extend', () => {
  it('adds days to the end, twice', async () => {
    const { path, expiresAt } = await made(developer);
    const first = await developer.post(`${path}/extend`, { days: 3 });
    expect(first).toMatchObject({
      status: 200,
      body: { expiresAt: inDays(3, expiresAt), extensionsRemaining: 1 },
    });
    const second = await developer.post(`${path}/extend`, { days: 2 });
    expect(second.body).toMatchObject({
      expiresAt: inDays(5, expiresAt),
      extensionsRemaining: 0,
    });
    const third = await developer.post(`${path}/extend`, { days: 1 });
    expect(third).toMatchObject(problem(429, 'EXTENSION_LIMIT_REACHED'));
    expect(third.headers['retry-after']).toBeUndefined();
  });

  it('is refused beyond 30 days from now, without using an extension', async () => {
    const { path } = await made(developer);
    expect(await developer.post(`${path}/extend`, { days: 17 })).toMatchObject(
      problem(400, 'TTL_TOO_LONG'),
    );
    expect((await developer.get(path)).body.extensionsRemaining).toBe(2);
  });

  it.each([{}, { days: 0 }, { days: 1.5 }, { days: 1, more: 1 }])('refuses %j', async (body) => {
    const { path } = await made(developer);
    expect(await developer.post(`${path}/extend`, body)).toMatchObject(
      problem(400, 'VALIDATION_FAILED'),
    );
  });

  it('is refused before it is ready', async () => {
    const path = pathOf(await create(developer, { name: 'waits' }));
    expect(await developer.post(`${path}/extend`, { days: 1 })).toMatchObject(
      problem(409, 'SANDBOX_NOT_READY'),
    );
  });

  it('is given once under its Idempotency-Key, and honours If-Match', async () => {
    const { path, expiresAt } = await made(developer);
    const key = { 'idempotency-key': randomUUID() };
    const once = await developer.post(`${path}/extend`, { days: 3 }, key);
    const again = await developer.post(`${path}/extend`, { days: 3 }, key);
    expect(again).toMatchObject({ status: 200, body: { expiresAt: inDays(3, expiresAt) } });
    const stale = { 'if-match': '"0"' };
    expect(await developer.post(`${path}/extend`, { days: 1 }, stale)).toMatchObject(
      problem(412, 'PRECONDITION_FAILED'),
    );
    const fresh = { 'if-match': once.headers['etag']! };
    expect((await developer.post(`${path}/extend`, { days: 1 }, fresh)).status).toBe(200);
  });
});

describe('reset', () => {
  it('provisions it again; its address, its end and its extensions stay', async () => {
    const before = await made(developer);
    await developer.post(`${before.path}/extend`, { days: 1 });
    const kept = (await developer.get(before.path)).body;
    const answer = await developer.post(`${before.path}/reset`);
    expect(answer).toMatchObject({
      status: 202,
      headers: { location: before.path, 'retry-after': '5' },
      body: { status: 'provisioning', buildingId: null },
    });
    const after = await leaves(developer, before.path);
    const { slug, expiresAt, extensionsRemaining } = kept;
    expect(after).toMatchObject({ status: 'ready', slug, expiresAt, extensionsRemaining });
    expect(after.buildingId).not.toBe(kept.buildingId);
    await until(() => builder.cleared.some(([id, gen]) => id === before.sandboxId && gen === 2));
  });

  it('is refused while it is being provisioned', async () => {
    const path = pathOf(await create(developer, { name: 'waits' }));
    expect(await developer.post(`${path}/reset`)).toMatchObject(
      problem(409, 'SANDBOX_NOT_READY', { status: 409 }),
    );
  });
});

describe('DELETE', () => {
  it('answers 204 immediately, and then 404', async () => {
    const { path, sandboxId } = await made(developer);
    expect((await developer.delete(path)).status).toBe(204);
    expect((await developer.get(path)).status).toBe(404);
    expect((await developer.delete(path)).status).toBe(404);
    expect((await developer.get(SANDBOXES)).body.items).toEqual([]);
    await until(() => builder.cleared.some(([id, before]) => id === sandboxId && before === null));
  });

  it('answers a repeat under its Idempotency-Key as the first time', async () => {
    const { path } = await made(developer);
    const { etag } = (await developer.get(path)).headers;
    const named = { 'idempotency-key': randomUUID(), 'if-match': etag! };
    const first = await developer.delete(path, named);
    const again = await developer.delete(path, named);
    expect([first.status, again.status]).toEqual([204, 204]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.headers['etag']).toBe(first.headers['etag']);
    const stranger = await as('developer', 'david');
    expect(await stranger.delete(path, named)).toMatchObject({ status: 404 });
    expect(await developer.delete(path, { 'idempotency-key': randomUUID() })).toMatchObject({
      status: 404,
    });
  });

  it('ends a provisioning sandbox, and aborts its work', async () => {
    const answer = await create(developer, { name: 'waits' });
    await isAtWork(answer);
    expect((await developer.delete(pathOf(answer))).status).toBe(204);
    expect((await developer.get(pathOf(answer))).status).toBe(404);
    const { sandboxId } = answer.body;
    await until(() => builder.aborted.includes(sandboxId), 'the abort');
    await until(() => builder.cleared.some(([id, before]) => id === sandboxId && before === null));
  });

  it('of a provisioning sandbox releases its slot when the work has ended', async () => {
    onTestFinished(letGo);
    const answer = await create(developer, { name: 'stays' });
    await isAtWork(answer);
    await create(developer, { name: 'waits' });
    await create(developer, { name: 'waits' });
    expect((await developer.delete(pathOf(answer))).status).toBe(204);
    await until(() => builder.aborted.includes(answer.body.sandboxId), 'the abort');
    expect(await create(developer)).toMatchObject(problem(429, 'SANDBOX_QUOTA_REACHED'));
    // Nor does another one of this developer get its turn.
    const { items } = (await developer.get(SANDBOXES)).body;
    type Item = { progress: { phase: string } };
    expect(items.map(({ progress }: Item) => progress.phase)).toEqual(['queued', 'queued']);
    letGo();
    await until(async () => (await create(developer)).status === 202, 'the free place');
    await until(async () => {
      const { items: later } = (await developer.get(SANDBOXES)).body;
      return later.some(({ progress }: Item) => progress.phase === 'database');
    }, 'the turn of the next');
    // The tests that follow count what is ahead in the queue.
    for (const { sandboxId } of (await developer.get(SANDBOXES)).body.items)
      await developer.delete(`${SANDBOXES}/${sandboxId}`);
  });
});

describe('the queue', () => {
  it('builds one per developer and two per organisation, and returns the position', async () => {
    const others = [await as('developer', 'david'), await as('developer', 'dana')];
    const first = await create(developer, { name: 'waits' });
    await isBegun(developer, first);
    const second = await create(developer, { name: 'waits' });
    const third = await create(others[0]!, { name: 'waits' });
    await isBegun(others[0]!, third);
    const fourth = await create(others[1]!, { name: 'waits' });
    const queued = (ahead: number) => ({
      status: 'provisioning',
      progress: { phase: 'queued', percent: 0, ahead },
    });
    // How many are ahead follows from the read model.
    const recordOf = async (by: Caller, one: TestAnswer) => (await by.get(pathOf(one))).body;
    await expect.poll(() => recordOf(developer, second)).toMatchObject(queued(0));
    await expect.poll(() => recordOf(others[1]!, fourth)).toMatchObject(queued(1));
    expect((await others[1]!.get(SANDBOXES)).body.items).toMatchObject([queued(1)]);
    const cached = (await others[1]!.get(pathOf(fourth))).headers['etag']!;
    // Its slot is free immediately: it was still queued.
    await developer.delete(pathOf(second));
    await expect.poll(() => recordOf(others[1]!, fourth)).toMatchObject(queued(0));
    expect((await others[1]!.get(pathOf(fourth), { 'if-none-match': cached })).status).toBe(200);
    await developer.delete(pathOf(first));
    await isBegun(others[1]!, fourth);
    for (const [by, one] of [
      [others[0]!, third],
      [others[1]!, fourth],
    ] as const)
      await by.delete(pathOf(one));
  });
});

describe('the size of a sandbox', () => {
  it('is refused where it is too large, with both figures', async () => {
    const large = {
      storeys: 50,
      spacesMin: 200,
      spacesMax: 200,
      seedTelemetryDays: 30,
      equipmentDensity: 'dense',
    };
    const answer = await create(developer, large);
    expect(answer).toMatchObject(
      problem(400, 'SANDBOX_TOO_LARGE', {
        estimatedBytes: expect.any(Number),
        maxBytes: 1024 ** 3,
      }),
    );
    expect(answer.body.estimatedBytes).toBeGreaterThan(1024 ** 3);
    // It holds no quota slot.
    for (let one = 0; one < 3; one += 1) await made(developer);
  });
});
