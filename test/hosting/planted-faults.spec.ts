/** The list of planted faults matches the values of a sandbox. contract.md section 4. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../support/api/caller.ts';
import { hostingPlatform, provisioned, type HostingPlatform } from '../support/api/hosting.ts';
import { runOnce } from '../support/postgres/database.ts';
import { signingIssuer, type SigningIssuer } from '../identity/oidc/signing-issuer.ts';

let issuer: SigningIssuer;
let platform: HostingPlatform;
let owner: string;
let by: Caller;
beforeAll(async () => {
  issuer = await signingIssuer();
  platform = await hostingPlatform({
    issuer: { url: issuer.url, tokenOf: () => issuer.token() },
  });
  owner = await session('developer', 'dora');
  by = platform.with(owner);
});
afterAll(async () => {
  await platform.close();
  await issuer.close();
});

const session = (role: string, sub: string, organization = 'acme') =>
  issuer.token({ sub, organization, realm_access: { roles: [role] } });

interface Fault {
  readonly kind: string;
  readonly elementId: string;
  readonly pointIds: readonly string[];
  readonly from: string;
  readonly to: string;
}

/** Has three faulty elements, one at a time. */
const shape = {
  name: 'Faults',
  seed: 'f129',
  storeys: 2,
  areaSqm: 1_000,
  seedTelemetryDays: 12,
};

interface Made {
  readonly path: string;
  readonly slug: string;
  readonly buildingId: string;
  faults(query?: string): Promise<readonly Fault[]>;
}

const made = async (more: object): Promise<Made> => {
  const created = await by.post('/api/v1/sandboxes', { ...shape, ...more });
  expect(created.status).toBe(202);
  const path = `/api/v1/sandboxes/${created.body.sandboxId}`;
  const record = await provisioned(by, path);
  expect(record).toMatchObject({ status: 'ready' });
  const faults = async (query = ''): Promise<readonly Fault[]> =>
    (await by.get(`${path}/planted-faults${query}`)).body.items;
  return { ...record, path, faults };
};

it('matches the values, both seeded ones and those of skipped time', async () => {
  const { path, slug, buildingId, faults } = await made({ liveTelemetry: true });
  const host = platform.at(slug, owner);
  const found = await faults();
  expect([...new Set(found.map(({ kind }) => kind))].toSorted()).toEqual([
    'drifting-sensor',
    'silent-sensor',
    'stuck-damper',
  ]);
  const building = `/api/v1/buildings/${buildingId}`;
  type Point = { readonly id: string; readonly elementId: string; readonly code: string };
  const points: readonly Point[] = (await host.get(`${building}/points?limit=1000`)).body.items;
  const knownIds = new Set(points.map(({ id }) => id));
  expect(found.flatMap(({ pointIds }) => pointIds).filter((id) => !knownIds.has(id))).toEqual([]);

  const silent = found.find(({ kind }) => kind === 'silent-sensor')!;
  const [pointId] = silent.pointIds;
  expect(points.find(({ id }) => id === pointId)).toMatchObject({ elementId: silent.elementId });
  const samples = async (from: number, to: number) => {
    const [a, b] = [from, to].map((ms) => new Date(ms).toISOString());
    const query = `from=${a}&to=${b}`;
    const path = `${building}/points/${pointId}/observations?${query}`;
    return ((await host.get(path)).body.items as unknown[]).length;
  };
  const [from, to] = [Date.parse(silent.from), Date.parse(silent.to)];
  expect(await samples(from, to)).toBe(0);

  const lengthOf = (fault: Fault) => Date.parse(fault.to) - Date.parse(fault.from);
  const damper = found
    .filter(({ kind }) => kind === 'stuck-damper')
    .toSorted((a, b) => lengthOf(b) - lengthOf(a))[0]!;
  const code = (id: string) => points.find((point) => point.id === id)!.code;
  const position = damper.pointIds.find((id) => code(id).endsWith('.DMP'))!;
  const asked = `from=${damper.from}&to=${damper.to}`;
  const { items } = (await host.get(`${building}/points/${position}/observations?${asked}`)).body;
  const values = (items as { readonly value: number }[]).map(({ value }) => value);
  expect(values.length).toBeGreaterThan(50);
  expect(new Set(values)).toEqual(new Set([100]));

  const endOf = (all: readonly Fault[]) =>
    all
      .map((fault) => fault.to)
      .toSorted()
      .at(-1)!;
  expect((await host.post('/api/v1/clock', { advance: 'PT6H' })).status).toBe(200);
  const aheadMs = Date.parse(endOf(await faults())) - Date.parse(endOf(found));
  expect(aheadMs).toBeGreaterThan(5 * 60 * 60_000);
  const cut = await faults(`?from=${endOf(found)}`);
  expect(cut.length).toBeGreaterThan(0);
  for (const fault of cut) expect(fault.from >= endOf(found)).toBe(true);
  const berlin = new Date(Date.parse(endOf(found)) + 60 * 60_000).toISOString();
  const inBerlin = encodeURIComponent(berlin.replace('Z', '+01:00'));
  expect(await faults(`?from=${inBerlin}`)).toEqual(cut);
  const reversed = '?from=2026-11-24T00:00:00Z&to=2026-11-23T00:00:00Z';
  expect(await platform.with(owner).get(`${path}/planted-faults${reversed}`)).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'from', message: 'must not be after to' }] },
  });

  const get = async (role: string, sub: string, organization?: string) =>
    (await platform.with(await session(role, sub, organization)).get(`${path}/planted-faults`))
      .status;
  expect(await get('manager', 'mara')).toBe(200);
  expect(await get('developer', 'dan')).toBe(404);
  expect(await get('manager', 'mara', 'other')).toBe(404);
});

it('ends with the seeded values where live telemetry is off', async () => {
  const quiet = await made({ liveTelemetry: false, faultKinds: ['silent-sensor'] });
  const found = await quiet.faults();
  expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set(['silent-sensor']));
  expect(
    (await platform.at(quiet.slug, owner).post('/api/v1/clock', { advance: 'P1D' })).status,
  ).toBe(200);
  expect(await quiet.faults()).toEqual(found);

  // As stored by an earlier release.
  const database = new URL(platform.databaseUrl);
  for (const name of await platform.databases()) {
    database.pathname = `/${name}`;
    await runOnce(database.href, 'delete from hosting.seeded');
  }
  const { status, body } = await by.get(`${quiet.path}/planted-faults`);
  expect([status, body.code]).toEqual([409, 'SANDBOX_NOT_READY']);
});

it('has kinds and time zones that exist, each kind once', async () => {
  for (const wrong of [{ faultKinds: ['none'] }, { timeZone: 'Mars/Olympus' }])
    expect((await by.post('/api/v1/sandboxes', { ...shape, ...wrong })).status).toBe(400);
  const twice = { faultKinds: ['night-fan', 'night-fan'] };
  expect((await by.post('/api/v1/sandboxes', { ...shape, ...twice })).status).toBe(400);
});
