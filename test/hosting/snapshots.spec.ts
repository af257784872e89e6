/** Snapshots and branches of sandboxes, in real databases. contract.md section 4. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SnapshotView } from '../../src/domain/sandboxes/snapshots/view.ts';
import type { SandboxView } from '../../src/domain/sandboxes/view.ts';
import { databasesOn, type Databases } from '../../src/hosting/databases.ts';
import { databaseNames } from '../../src/hosting/names.ts';
import { snapshotBuilder } from '../../src/hosting/snapshots.ts';
import { systemClock, virtualClock } from '../../src/engine/time/clock.ts';
import { signingIssuer, type SigningIssuer } from '../identity/oidc/signing-issuer.ts';
import { hostingPlatform, provisioned, type HostingPlatform } from '../support/api/hosting.ts';
import { formHeaders, formOf } from '../support/api/form.ts';
import type { Caller } from '../support/api/caller.ts';
import { databaseIn, runOnce } from '../support/postgres/database.ts';
import { until } from '../support/until.ts';

const SANDBOXES = '/api/v1/sandboxes';
const SNAPSHOTS = '/api/v1/snapshots';
const REQUESTS = '/api/service-desk/requests';
let issuer: SigningIssuer;
let platform: HostingPlatform;
let token: string;
let developer: Caller;
const clock = virtualClock(systemClock);

beforeAll(async () => {
  issuer = await signingIssuer();
  platform = await hostingPlatform({
    issuer: { url: issuer.url, tokenOf: () => issuer.token() },
    clock,
    sandboxSizes: { bytesMax: 40e6, hostBytesMax: Infinity },
  });
});
afterAll(async () => {
  await platform.close();
  await issuer.close();
});

const session = (role: string, sub: string) =>
  issuer.token({ sub, organization: 'acme', realm_access: { roles: [role] } });

let people = 0;
/** Another developer for each test, because quotas are per developer. */
const newDeveloper = async () => {
  people += 1;
  token = await session('developer', `dev-${people}`);
  developer = platform.with(token);
};

interface Sandbox {
  readonly path: string;
  readonly slug: string;
  readonly sandboxId: string;
  readonly buildingId: string;
  readonly status: string;
  readonly fromSnapshot: string | null;
}

const made = async (body: object = {}): Promise<Sandbox> => {
  const small = { name: 'Source', storeys: 1, areaSqm: 500, seedTelemetryDays: 1 };
  const quiet = { ...small, liveTelemetry: false };
  const created = await developer.post(
    SANDBOXES,
    'fromSnapshot' in body ? { name: 'Branch', ...body } : { ...quiet, ...body },
  );
  expect(created).toMatchObject({ status: 202 });
  const path = `${SANDBOXES}/${created.body.sandboxId}`;
  return { path, ...(await provisioned(developer, path)) };
};
const snapshotOf = async ({ path }: Sandbox, name = 'Snapshot') => {
  const asked = await developer.post(`${path}/snapshots`, { name });
  expect(asked).toMatchObject({ status: 202, body: { status: 'creating', bytes: null, name } });
  const location = asked.headers['location']!;
  const status = async () => (await developer.get(location)).body.status;
  await until(async () => (await status()) !== 'creating', 'the snapshot');
  return { location, ...(await developer.get(location)).body };
};
/** The databases of a sandbox or of a snapshot. */
const databasesOf = async (id: string): Promise<readonly string[]> => {
  const begins = `${await platform.prefix()}_${id}`;
  return (await databasesOn(platform.databaseUrl).names()).filter((one) => one.startsWith(begins));
};
const filesOf = async (id: string) =>
  (await platform.filesOf()).filter((name) => name.includes(id));
const dropped = (id: string) =>
  until(async () => (await databasesOf(id)).length === 0, `the drop of ${id}`);
const host = ({ slug }: Sandbox) => platform.at(slug, token);
const raise = async (sandbox: Sandbox, description: string): Promise<string> => {
  const { buildingId } = sandbox;
  const raised = await host(sandbox).post(REQUESTS, { buildingId, description });
  expect(raised.status).toBe(201);
  return raised.body.id;
};
const descriptionsIn = async (sandbox: Sandbox): Promise<readonly string[]> =>
  (await host(sandbox).get(`${REQUESTS}?limit=200`)).body.items.map(
    (one: { readonly description: string }) => one.description,
  );

describe('a branch', () => {
  it('has the content of its snapshot, and shares no data with its source', async () => {
    await newDeveloper();
    const source = await made();
    const ticket = await raise(source, 'Before.');
    const form = formOf({ name: 'file', fileName: 'a.txt', content: 'Too warm.' });
    const files = `${REQUESTS}/${ticket}/attachments`;
    const attached = await host(source).post(files, form, formHeaders);
    expect(attached.status).toBe(201);
    expect((await host(source).post('/api/v1/clock', { advance: 'PT1H' })).status).toBe(200);

    const snapshot = await snapshotOf(source, 'Filled');
    expect(snapshot).toMatchObject({
      status: 'ready',
      name: 'Filled',
      sandboxId: source.sandboxId,
      buildingId: source.buildingId,
      failureReason: null,
    });
    expect(snapshot.bytes).toBeGreaterThan(1e6);
    await raise(source, 'After, in the source.');

    const branch = await made({ fromSnapshot: snapshot.snapshotId });
    expect(branch).toMatchObject({
      status: 'ready',
      fromSnapshot: snapshot.snapshotId,
      buildingId: source.buildingId,
      estimatedBytes: snapshot.bytes,
      parameters: { storeys: 1, areaSqm: 500 },
    });
    expect(branch.sandboxId).not.toBe(source.sandboxId);
    expect(branch.slug).not.toBe(source.slug);
    expect((await host(branch).get(`${REQUESTS}/${ticket}`)).body.description).toBe('Before.');
    const { now } = (await host(branch).get('/api/v1/clock')).body;
    expect(Date.parse(now) - Date.now()).toBeGreaterThan(3_000_000);

    await raise(branch, 'In the branch.');
    await expect.poll(() => descriptionsIn(branch)).toContain('In the branch.');
    await expect.poll(() => descriptionsIn(source)).toContain('After, in the source.');
    expect(await descriptionsIn(branch)).not.toContain('After, in the source.');
    expect(await descriptionsIn(source)).not.toContain('In the branch.');

    // Neither snapshot nor branch needs the source.
    expect((await developer.delete(source.path)).status).toBe(204);
    await dropped(source.sandboxId);
    const content = attached.headers['location']!;
    expect((await host(branch).get(content)).body).toBe('Too warm.');
    const other = await made({ fromSnapshot: snapshot.snapshotId });
    expect((await host(other).get(content)).body).toBe('Too warm.');

    // A reset restores the snapshot, with its ids.
    expect((await developer.post(`${branch.path}/reset`)).status).toBe(202);
    const reset = await provisioned(developer, branch.path);
    expect(reset).toMatchObject({ status: 'ready', buildingId: source.buildingId });
    await expect.poll(() => descriptionsIn(branch)).toContain('Before.');
    expect(await descriptionsIn(branch)).not.toContain('In the branch.');

    expect((await developer.delete(snapshot.location)).status).toBe(204);
    await dropped(snapshot.snapshotId);
    expect((await host(branch).get(content)).body).toBe('Too warm.');
    const refused = await developer.post(`${branch.path}/reset`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'SNAPSHOT_GONE' } });
    for (const one of [branch, other]) await developer.delete(one.path);
    const ids = [source, branch, other].map(({ sandboxId }) => sandboxId);
    for (const id of [...ids, snapshot.snapshotId]) {
      await dropped(id);
      await until(async () => (await filesOf(id)).length === 0, `the removal of files of ${id}`);
    }
  });

  it('has none of the webhooks of its source, and no delivery to their receivers', async () => {
    await newDeveloper();
    const source = await made();
    const hook = { url: 'https://93.184.215.14/hook', events: ['building.point.updated'] };
    const registered = await host(source).post('/api/v1/webhooks', hook);
    expect(registered.status).toBe(201);
    const points = await host(source).get(`/api/v1/buildings/${source.buildingId}/points?limit=1`);
    const observations = [{ pointId: points.body.items[0].id, value: 1 }];
    const path = `/api/v1/buildings/${source.buildingId}/observations`;
    await host(source).post(path, { observations });

    const { snapshotId, location } = await snapshotOf(source);
    const branch = await made({ fromSnapshot: snapshotId });
    const { webhookId } = registered.body;
    expect((await host(branch).get('/api/v1/webhooks')).body.items).toEqual([]);
    expect((await host(branch).get(`/api/v1/webhooks/${webhookId}`)).status).toBe(404);
    expect((await host(source).get(`/api/v1/webhooks/${webhookId}`)).status).toBe(200);
    const again = await host(branch).post('/api/v1/webhooks', hook);
    expect(again.status).toBe(201);
    for (const one of [source.path, branch.path, location]) await developer.delete(one);
  });
});

describe('a snapshot', () => {
  it('is created while its sandbox is used, and no request fails', async () => {
    await newDeveloper();
    const source = await made();
    const statuses = new Set<number>();
    const stop = new AbortController();
    const using = [0, 1, 2].map(async () => {
      while (!stop.signal.aborted) {
        const answer = await host(source).get(`${REQUESTS}?limit=1`);
        const isHeld = answer.status === 503 && answer.headers['retry-after'] !== undefined;
        if (!isHeld) statuses.add(answer.status);
      }
    });
    const snapshot = await snapshotOf(source);
    stop.abort();
    await Promise.all(using);
    expect(snapshot.status).toBe('ready');
    expect([...statuses]).toEqual([200]);
    for (const one of [source.path, snapshot.location]) await developer.delete(one);
  });

  it('of a sandbox that has grown beyond the limit fails, and is not copied', async () => {
    await newDeveloper();
    const source = await made();
    const [name] = await databasesOf(source.sandboxId);
    const url = databaseIn(platform.databaseUrl, name!);
    await runOnce(url, 'create table filler as select generate_series(1, 1000000)');
    const snapshot = await snapshotOf(source);
    expect(snapshot).toMatchObject({
      status: 'failed',
      failureReason: expect.stringContaining('there is room for a snapshot of 38 MiB'),
    });
    expect(await databasesOf(snapshot.snapshotId)).toEqual([]);
    for (const one of [source.path, snapshot.location]) await developer.delete(one);
  });

  it('is removed after 30 days, and branches of it stay', async () => {
    await newDeveloper();
    const source = await made();
    const snapshot = await snapshotOf(source);
    expect(await databasesOf(snapshot.snapshotId)).toHaveLength(1);
    const operator = platform.with(await session('operator', 'olga'));
    expect((await operator.post('/api/v1/clock', { advance: 'P30D' })).status).toBe(200);
    expect((await developer.get(snapshot.location)).status).toBe(404);
    const listed = async () => (await developer.get(SNAPSHOTS)).body.items;
    await expect.poll(listed).toEqual([]);
    await dropped(snapshot.snapshotId);
  });

  it('is kept by a sweep of databases; that of an unknown snapshot is dropped', async () => {
    await newDeveloper();
    const source = await made();
    const snapshot = await snapshotOf(source);
    const leftOver = 'snp_00000000000000000000';
    const [from] = await databasesOf(snapshot.snapshotId);
    const to = `${await platform.prefix()}_${leftOver}`;
    await databasesOn(platform.databaseUrl).copy(from!, to, true);
    expect(await databasesOf(leftOver)).toHaveLength(1);
    const beside = await platform.hostBeside();
    await dropped(leftOver);
    await beside.stop();
    expect(await databasesOf(snapshot.snapshotId)).toEqual([from]);
    for (const one of [source.path, snapshot.location]) await developer.delete(one);
  });
});

/** A builder of snapshots without databases; that of `busy` sandboxes waits for them. */
const builderFor = ({ busy, copy }: { busy: Set<string>; copy: Databases['copy'] }) => {
  const waiting = new Set<string>();
  const builder = snapshotBuilder({
    databases: {
      names: async () => [],
      bytesOf: async () => 1,
      copy,
    } as Partial<Databases> as Databases,
    names: async () => databaseNames('atrium', 'installation'),
    active: {
      async asleep({ sandboxId }, work) {
        if (busy.has(sandboxId)) waiting.add(sandboxId);
        else await work();
        return !busy.has(sandboxId);
      },
    },
    leases: {
      take: async () => ({ release: async () => {} }) as never,
      forget: async () => {},
    },
    sandboxes: {
      look: async (sandboxId) => {
        const view = { sandboxId, generation: 1, status: 'ready', ended: null };
        return { view: view as Partial<SandboxView> as SandboxView } as never;
      },
    },
    fileStores: undefined,
    removed: async () => {},
  });
  const stop = new AbortController();
  const make = (sandboxId: string, organisation: string) => {
    const snapshot = { snapshotId: `snp_${sandboxId}`, sandboxId, organisation, generation: 1 };
    const view = { ...snapshot, developer: 'dora' } as Partial<SnapshotView> as SnapshotView;
    return builder.make(view, async () => 1, stop.signal);
  };
  return { make, waiting, stop };
};

describe('the copies of a process', () => {
  it('go on while snapshots wait for busy sandboxes', async () => {
    const busy = new Set(['sbx_a', 'sbx_b']);
    const { make, waiting, stop } = builderFor({ busy, copy: async () => {} });
    const waits = [make('sbx_a', 'acme'), make('sbx_b', 'globex')];
    await until(() => waiting.size === 2, 'the waits');
    // The waits end with an error after a minute.
    expect(await Promise.race([make('sbx_c', 'acme'), ...waits])).toBe(1);
    stop.abort();
    for (const wait of waits) await expect(wait).rejects.toThrow('aborted');
  });

  it('are one per organisation, and end with the process', async () => {
    const begun: string[] = [];
    const copy: Databases['copy'] = (_, to, __, signal) => {
      begun.push(to);
      return new Promise((_, reject) =>
        signal!.addEventListener('abort', () => reject(signal!.reason as Error)),
      );
    };
    const { make, stop } = builderFor({ busy: new Set(), copy });
    const copies = [make('sbx_a', 'acme'), make('sbx_b', 'acme'), make('sbx_c', 'globex')];
    await until(() => begun.length === 2, 'two copies');
    expect(begun.map((name) => name.slice(-5))).toEqual(['sbx_a', 'sbx_c']);
    stop.abort();
    for (const one of copies) await expect(one).rejects.toThrow('aborted');
  });
});
