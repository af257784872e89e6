/** Permits of the process, shared by its platforms. contract.md section 4. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { demoBuilding } from '../../src/demo/building.ts';
import { IMPORTS } from '../../src/building/imports/limits.ts';
import { DRY_RUNS, SAMPLE_READS } from '../../src/api/telemetry/limits.ts';
import type { FairSemaphoreBounds } from '../../src/engine/concurrency/fair-semaphore.ts';
import { httpBounds } from '../../src/api/http/http-bounds.ts';
import { BODIES_RECEIVED_BYTES, LARGE_BODIES } from '../../src/api/http/limits.ts';
import { processPermits } from '../../src/composition/process-permits.ts';
import { signingIssuer, type SigningIssuer } from '../identity/oidc/signing-issuer.ts';
import { hostingPlatform, provisioned, type HostingPlatform } from '../support/api/hosting.ts';
import { heldFor } from '../support/until.ts';

const SANDBOXES = '/api/v1/sandboxes';
let issuer: SigningIssuer;
let platform: HostingPlatform;
let manager: string;
let slug: string;
let buildingId: string;
const permits = processPermits();
const bounds = httpBounds();

beforeAll(async () => {
  issuer = await signingIssuer();
  const source = { url: issuer.url, tokenOf: () => issuer.token() };
  platform = await hostingPlatform({ issuer: source, permits, httpBounds: bounds });
  manager = await issuer.token({
    sub: 'maria',
    organization: 'acme',
    realm_access: { roles: ['manager'] },
  });
  const body = { name: 'S', storeys: 1, areaSqm: 500, seedTelemetryDays: 0, liveTelemetry: false };
  const created = await platform.with(manager).post(SANDBOXES, body);
  const path = `${SANDBOXES}/${created.body.sandboxId}`;
  ({ slug, buildingId } = await provisioned(platform.with(manager), path));
});
afterAll(async () => {
  await platform.close();
  await issuer.close();
});

/** Acquires all permits for other organisations than the caller's. */
const allTaken = async (bounds: FairSemaphoreBounds) => {
  const { inAll, ofOrganisation } = bounds;
  const holders = Array.from({ length: inAll }, (_, at) => ({
    organisation: `other-${Math.floor(at / ofOrganisation)}`,
    caller: `caller-${at}`,
  }));
  const held = await Promise.all(holders.map((holder) => permits(bounds).acquire(holder)));
  return () => held.forEach((release) => release());
};

it('imports into sandboxes and into the platform share the permits', async () => {
  const release = await allTaken(IMPORTS);
  const imported = () =>
    Promise.all(
      [platform.at(slug, manager), platform.with(manager)].map(async (by) => {
        const { status } = await by.post('/api/v1/buildings/import', demoBuilding());
        return status;
      }),
    );
  expect(await imported()).toEqual([503, 503]);
  release();
  expect(await imported()).toEqual([201, 201]);
});

it('dry runs of rules in a sandbox use permits of the process', async () => {
  const now = Date.now();
  const [from, to] = [now - 3_600_000, now].map((ms) => new Date(ms).toISOString());
  const pointClass = 'Zone_Air_Temperature_Sensor';
  const rule = { title: 'Hot', severity: 'low', pointClass, comparison: 'gt', threshold: 1 };
  const path = `/api/v1/buildings/${buildingId}/diagnostic-rules/dry-run`;
  const run = async () => (await platform.at(slug, manager).post(path, { rule, from, to })).status;
  const release = await allTaken(DRY_RUNS);
  expect(await run()).toBe(503);
  release();
  expect(await run()).toBe(200);
});

it('reads of samples, and of past values of a plan, share permits of the process', async () => {
  const building = `/api/v1/buildings/${buildingId}`;
  const sandbox = platform.at(slug, manager);
  const { id } = (await sandbox.get(`${building}/points?limit=1`)).body.items[0];
  const at = new Date(Date.now() - 3_600_000).toISOString();
  const paths = [
    `${building}/points/${id}/observations`,
    `${building}/points/${id}/observations?bucket=1h`,
    `${building}/plan/colours?colour=point:Zone_Air_Temperature_Sensor&at=${at}`,
  ];
  const release = await allTaken(SAMPLE_READS);
  const reads = paths.map((path) => sandbox.get(path));
  const held = await Promise.all(reads.map((read) => heldFor(read, 300)));
  expect(held).toEqual(paths.map(() => 'held'));
  release();
  expect((await Promise.all(reads)).map(({ status }) => status)).toEqual(paths.map(() => 200));
});

it('requests with a large body take turns, and release their permit with the answer', async () => {
  const path = `/api/v1/buildings/${buildingId}/resolve`;
  const resolve = (length: number) => {
    const codes = Array.from({ length }, (_, n) => `no-such-room-${n}`);
    return platform.at(slug, manager).post(path, { codes });
  };
  const release = await allTaken(LARGE_BODIES);
  const large = resolve(5_000);
  expect(await heldFor(large, 300)).toBe('held');
  expect(await resolve(1_000)).toMatchObject({ status: 200 });
  release();
  expect(await large).toMatchObject({ status: 200 });
  // Far more than there are permits; some are refused after their body was received.
  for (let n = 0; n < LARGE_BODIES.inAll; n += 1) {
    expect(await resolve(10_001)).toMatchObject({ status: 400 });
    expect(await resolve(5_000)).toMatchObject({ status: 200 });
  }
});

it('bodies sent to sandboxes and to the platform are counted together', async () => {
  const path = `/api/v1/buildings/${buildingId}/resolve`;
  const body = { codes: ['x'.repeat(70_000)] };
  const sent = () =>
    Promise.all(
      [platform.at(slug, manager), platform.with(manager)].map(async (by) => {
        const { status } = await by.post(path, body);
        return status;
      }),
    );
  const other = { caller: 'user:other', organisation: 'other' };
  bounds.received.add(other, BODIES_RECEIVED_BYTES.inAll);
  expect(await sent()).toEqual([503, 503]);
  bounds.received.add(other, -BODIES_RECEIVED_BYTES.inAll);
  expect(await sent()).toEqual([400, 400]);
});
