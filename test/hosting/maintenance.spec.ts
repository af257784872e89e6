/** Background work of hosting: templates, sweeping, suspending and waking. */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { leases as leasesIn } from '../../src/engine/consumers/leases.ts';
import { loggerOf } from '../../src/engine/observe/logging.ts';
import { openDatabase } from '../../src/engine/postgres/pool.ts';
import { leaseOf } from '../../src/hosting/claims.ts';
import { databaseNames } from '../../src/hosting/names.ts';
import { postgresEventStore } from '../../src/engine/log/postgres/store.ts';
import { signingIssuer, type SigningIssuer } from '../identity/oidc/signing-issuer.ts';
import {
  hostingPlatform,
  provisioned,
  type HostingOptions,
  type HostingPlatform,
} from '../support/api/hosting.ts';
import { databaseIn, runOnce } from '../support/postgres/database.ts';
import { freePort } from '../support/servers/port.ts';
import { until } from '../support/until.ts';

const SANDBOXES = '/api/v1/sandboxes';
let issuer: SigningIssuer;
let platform: HostingPlatform;
beforeAll(async () => {
  issuer = await signingIssuer();
});
afterAll(() => issuer.close());
afterEach(() => platform.close());

const hosting = async (options: Partial<HostingOptions> = {}) => {
  const tokens = { url: issuer.url, tokenOf: () => issuer.token() };
  platform = await hostingPlatform({ issuer: tokens, ...options });
};
const session = (sub = 'dora', role = 'developer') =>
  issuer.token({ sub, organization: 'acme', realm_access: { roles: [role] } });
const made = async (token: string) => {
  const by = platform.with(token);
  const small = { name: 'Small', storeys: 1, areaSqm: 500, seedTelemetryDays: 0 };
  const { body } = await by.post(SANDBOXES, small);
  const path = `${SANDBOXES}/${body.sandboxId}`;
  return { path, ...(await provisioned(by, path)) };
};
const owner = () => new URL(platform.databaseUrl).pathname.slice(1);
const namesLike = async (prefix: string): Promise<readonly string[]> => {
  const client = new Client({ connectionString: platform.databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      'select datname as name from pg_database where starts_with(datname, $1) order by 1',
      [prefix],
    );
    return rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
};

describe('the database server', () => {
  it('that forbids creating databases is the failure reason, and uses no quota slot', async () => {
    await hosting();
    const { databaseUrl } = platform;
    const role = `${owner()}_login`;
    await runOnce(databaseUrl, `create role ${role} login`);
    const url = new URL(databaseUrl);
    url.username = role;
    url.pathname = '/postgres';
    await platform.close();
    await hosting({ sandboxDatabaseUrl: url.href });
    const by = platform.with(await session());
    for (let time = 0; time < 4; time += 1) {
      let sandboxId = '';
      // A failed sandbox holds its slot until its databases are gone.
      await until(async () => {
        const { status, body } = await by.post(SANDBOXES, { name: 'x' });
        sandboxId = body.sandboxId;
        return status === 202;
      }, 'a free quota slot');
      const failed = await provisioned(by, `${SANDBOXES}/${sandboxId}`);
      expect(failed).toMatchObject({
        status: 'failed',
        failureReason: expect.stringContaining('CREATEDB'),
      });
    }
    await runOnce(platform.databaseUrl, `drop role ${role}`);
  });
});

describe('a full disk', () => {
  /** Makes writes to the table fail so in each sandbox's database, by the template. */
  const fillDisk = async (table: string) => {
    const templates = async () => namesLike(`${await platform.prefix()}_template_`);
    const isMade = async () => (await templates()).some((name) => !name.endsWith('_new'));
    await until(isMade, 'the template');
    const [template] = await templates();
    const opens = (yes: boolean) =>
      runOnce(platform.databaseUrl, `alter database ${template} allow_connections ${yes}`);
    await opens(true);
    const url = databaseIn(platform.databaseUrl, template!);
    await runOnce(
      url,
      `create function full_disk() returns trigger language plpgsql as $$
       begin raise 'No space left on device' using errcode = '53100'; end $$`,
    );
    await runOnce(
      url,
      `create trigger full_disk before insert on ${table} execute function full_disk()`,
    );
    await opens(false);
  };

  it('is the failure reason of a sandbox, which is cleared completely', async () => {
    await hosting();
    await fillDisk('graph.node');
    const by = platform.with(await session());
    const small = { name: 'Full', storeys: 1, areaSqm: 500, seedTelemetryDays: 0 };
    const { body } = await by.post(SANDBOXES, small);
    expect(await provisioned(by, `${SANDBOXES}/${body.sandboxId}`)).toMatchObject({
      status: 'failed',
      failureReason: expect.stringContaining('disk of the database server is full'),
    });
    await until(async () => (await platform.databases()).length === 0, 'the drop');
  });
});

describe('the template', () => {
  it('is created once that is permitted, or when a sandbox needs it', async () => {
    const { promise: mayCreateTemplate, resolve } = Promise.withResolvers<void>();
    await hosting({ mayCreateTemplate });
    const templates = async () => namesLike(`${await platform.prefix()}_template_`);
    const orphan = `${await platform.prefix()}_sbx_0000000000000000_g1`;
    await runOnce(platform.databaseUrl, `create database ${orphan}`);
    const beside = await platform.hostBeside();
    await until(async () => !(await platform.databases()).includes(orphan), 'the sweep');
    expect(await templates()).toEqual([]);
    const { path, status } = await made(await session());
    expect(status).toBe('ready');
    const [template] = await templates();
    await runOnce(platform.databaseUrl, `alter database ${template} is_template false`);
    await runOnce(platform.databaseUrl, `drop database ${template}`);
    resolve();
    await until(async () => (await templates()).includes(template!), 'the template');
    await beside.stop();
    await platform.with(await session()).delete(path);
  });

  it('is created once, and that of another release is dropped', async () => {
    await hosting();
    let current: string | undefined;
    const isMade = async () => {
      [current] = await namesLike(`${await platform.prefix()}_template_`);
      return current !== undefined && !current.endsWith('_new');
    };
    await until(isMade, 'the template');
    const old = `${await platform.prefix()}_template_000000000000`;
    await runOnce(platform.databaseUrl, `alter database ${current} is_template false`);
    await runOnce(platform.databaseUrl, `alter database ${current} rename to ${old}`);
    await runOnce(platform.databaseUrl, `alter database ${old} is_template true`);
    // This release has no template yet: the next sandbox creates it.
    const { path, status } = await made(await session());
    expect(status).toBe('ready');
    expect(await namesLike(`${await platform.prefix()}_template_`)).toEqual([current]);
    await platform.with(await session()).delete(path);
  });
});

describe('sweeping', () => {
  it('drops databases without a sandbox at the start, not those of others', async () => {
    await hosting();
    const { databaseUrl } = platform;
    const [orphan, foreign] = [
      `${await platform.prefix()}_sbx_0000000000000000_g1`,
      // On the same server and of the same name, but of another log.
      databaseNames(owner(), randomUUID()).of('sbx_0000000000000000', 1),
    ];
    const kept = await made(await session());
    for (const name of [orphan, foreign]) await runOnce(databaseUrl, `create database ${name}`);
    const beside = await platform.hostBeside();
    await until(async () => !(await platform.databases()).includes(orphan), 'the sweep');
    expect(await platform.databases()).toEqual([expect.stringContaining(kept.sandboxId)]);
    expect(await namesLike(foreign)).toEqual([foreign]);
    await beside.stop();
    await runOnce(databaseUrl, `drop database ${foreign}`);
    await platform.with(await session()).delete(kept.path);
  });
});

const connectionsTo = async (sandboxId: string) => {
  const client = new Client({ connectionString: platform.databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where datname like '%' || $1 || '%'`,
    [sandboxId],
  );
  await client.end();
  return rows[0]!.n;
};

describe('an idle sandbox', () => {
  it('is suspended without a connection, and wakes at a request with all its data', async () => {
    await hosting({ idleMaxMs: 100, lookMs: 50 });
    const dora = await session();
    const { slug, path, sandboxId, buildingId } = await made(dora);
    const asleep = () => until(async () => (await connectionsTo(sandboxId)) === 0, 'the sleep');
    await asleep();
    const host = platform.at(slug, dora);
    const ticket = { buildingId, description: 'Awake.' };
    expect((await host.post('/api/service-desk/requests', ticket)).status).toBe(201);
    await host.post('/api/v1/clock', { advance: 'PT1H' });
    await asleep();
    const stranger = platform.at(slug, null);
    for (const path of ['/health/ready', '/openapi.json', '/docs', '/api/v1/buildings']) {
      await stranger.get(path);
      expect(await connectionsTo(sandboxId)).toBe(0);
    }
    const found = async () =>
      (await host.get('/api/service-desk/requests?search=Awake')).body.total;
    await expect.poll(found).toBe(1);
    // Its clock keeps its offset.
    const { now } = (await host.get('/api/v1/clock')).body;
    expect(Date.parse(now) - Date.now()).toBeGreaterThan(59 * 60_000);
    await platform.with(dora).delete(path);
  });

  it('is woken for a timer that falls due while it is suspended', async () => {
    await hosting({ idleMaxMs: 100, lookMs: 50 });
    const dora = await session();
    const { slug, path, sandboxId, buildingId } = await made(dora);
    const host = platform.at(slug, dora);
    // Its first response is due in a quarter of an hour.
    const ticket = { buildingId, description: 'Hot.', priority: 'critical' };
    const { body } = await host.post('/api/service-desk/requests', ticket);
    expect((await host.post('/api/v1/clock', { advance: 'PT14M56S' })).status).toBe(200);
    await until(async () => (await connectionsTo(sandboxId)) === 0, 'the sleep');
    const [name] = await platform.databases();
    const log = postgresEventStore({ url: databaseIn(platform.databaseUrl, name!) });
    const breached = async () =>
      (await log.readStream(`ticket-${body.id}`)).some(({ type }) => type === 'SlaClockBreached');
    await until(breached, 'the breach', { everyMs: 100 });
    await log.close();
    await platform.with(dora).delete(path);
  });
});

describe('a busy sandbox', () => {
  it('has requests beyond its share of the event loop refused, unlike any other', async () => {
    /** The computed time of each turn, without real time: only turns are counted. */
    let turnMs = 0;
    let [nowMs, computedMs] = [0, 0];
    await hosting({ loopClocks: { now: () => nowMs, computed: () => (computedMs += turnMs) } });
    const [dora, david] = [await session(), await session('david')];
    const one = await made(dora);
    turnMs = 100;
    const busy = platform.at(one.slug, dora);
    expect((await busy.get('/api/v1/buildings')).status).toBe(200);
    let refusal = await busy.get('/api/v1/buildings');
    for (let asked = 0; asked < 500 && refusal.status === 200; asked += 1)
      refusal = await busy.get('/api/v1/buildings');
    expect(refusal).toMatchObject({
      status: 429,
      headers: { 'retry-after': expect.stringMatching(/^[1-9]\d*$/) },
      body: { code: 'RATE_LIMITED', status: 429 },
    });
    // Strangers do not learn that it is busy.
    const foreign = await issuer.token({ sub: 'mia', organization: 'globex' });
    for (const [token, path] of [
      [null, '/health/live'],
      [null, '/docs'],
      [null, '/api/v1/buildings'],
      ['nonsense', '/api/v1/buildings'],
      ['atr_nonsense', '/api/v1/buildings'],
      [foreign, '/api/v1/buildings'],
    ] as const) {
      const there = await platform.at(one.slug, token).get(path);
      const nowhere = await platform.at('vacant-abc123', token).get(path);
      expect([path, there.status]).toEqual([path, nowhere.status]);
    }
    expect((await busy.get('/api/v1/buildings')).status).toBe(429);
    // Does not count its background work, which is more on a slow machine.
    turnMs = 0;
    const two = await made(david);
    turnMs = 100;
    const other = platform.at(two.slug, david);
    expect((await other.get('/api/v1/buildings')).status).toBe(200);
    expect((await busy.get('/api/v1/buildings')).status).toBe(429);
    expect((await platform.with(dora).get(one.path)).status).toBe(200);

    nowMs += 1_000_000;
    expect((await busy.get('/api/v1/buildings')).status).toBe(200);
    for (const [token, { path }] of [
      [dora, one],
      [david, two],
    ] as const)
      await platform.with(token).delete(path);
  });
});

describe('a use of a key that the sandbox itself does not answer', () => {
  const route = ({ slug }: { readonly slug: string }) => `GET http://${slug}.sandbox.test/*`;
  const keyed = async (one: { readonly slug: string }, manager: string) => {
    const by = platform.with(manager);
    const { keyId, token } = (await by.post('/api/v1/keys', { label: 'ci' })).body;
    return {
      ask: () => platform.at(one.slug, token).get('/api/v1/buildings'),
      revoke: () => by.delete(`/api/v1/keys/${keyId}`),
      uses: async () =>
        (await by.get(`/api/v1/keys/audit?action=key.used&keyId=${keyId}`)).body.items,
    };
  };

  it('is recorded while the sandbox is busy, and refused once the key is revoked', async () => {
    let [computedMs, turnMs] = [0, 0];
    const loopClocks = { now: () => 0, computed: () => (computedMs += turnMs) };
    await hosting({ idleMaxMs: 300, lookMs: 50, loopClocks });
    const manager = await session('maria', 'manager');
    const one = await made(manager);
    const { ask, revoke, uses } = await keyed(one, manager);
    // It is opened as one that is ready, and not as one that is being built.
    await until(async () => (await connectionsTo(one.sandboxId)) === 0, 'the sleep');
    turnMs = 100_000;
    await until(async () => (await ask()).status === 429, 'the refusal');
    expect((await uses())[0]).toMatchObject({ outcome: 'allowed', route: route(one) });
    await revoke();
    expect(await ask()).toMatchObject({ status: 401, body: { code: 'KEY_REVOKED' } });
    await platform.with(manager).delete(one.path);
  });

  it('is recorded while the process that hosts the sandbox cannot be reached', async () => {
    await hosting({ idleMaxMs: 1, lookMs: 50 });
    const manager = await session('maria', 'manager');
    const one = await made(manager);
    const { ask, uses } = await keyed(one, manager);
    const logger = loggerOf('silent');
    const db = openDatabase({ url: platform.databaseUrl, logger });
    for (const [at, address] of [null, `http://127.0.0.1:${await freePort()}`].entries()) {
      const leases = leasesIn({ db, logger, address });
      const name = leaseOf({ ...one, generation: 1 });
      await until(async () => (await leases.take(name)) !== null, 'the lease', { everyMs: 50 });
      expect(await ask()).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
      const recorded = { outcome: 'allowed', route: route(one) };
      expect(await uses()).toMatchObject(Array.from({ length: at + 1 }, () => recorded));
      await leases.close();
    }
    await db.close();
    await platform.with(manager).delete(one.path);
  });

  it('is recorded while the database of the sandbox cannot be opened', async () => {
    await hosting({ idleMaxMs: 1, lookMs: 50 });
    const manager = await session('maria', 'manager');
    const one = await made(manager);
    const { ask, uses } = await keyed(one, manager);
    const [name] = await platform.databases();
    const opens = (yes: boolean) =>
      runOnce(platform.databaseUrl, `alter database ${name} allow_connections ${yes}`);
    await opens(false);
    await until(async () => (await ask()).status === 500, 'the refusal');
    const routes = (await uses()).map((use: { readonly route: string }) => use.route);
    expect(routes[0]).toBe(route(one));
    await opens(true);
    await platform.with(manager).delete(one.path);
  });
});
