/** Snapshots over HTTP: contract.md section 4. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signingIssuer, type SigningIssuer } from '../../identity/oidc/signing-issuer.ts';
import { testApi } from '../../support/api/api.ts';
import type { Caller } from '../../support/api/caller.ts';
import { instantBuilder } from '../../support/api/instant-builder.ts';
import { until } from '../../support/until.ts';

const SANDBOXES = '/api/v1/sandboxes';
const SNAPSHOTS = '/api/v1/snapshots';
let issuer: SigningIssuer;
beforeAll(async () => {
  issuer = await signingIssuer();
});
afterAll(() => issuer.close());

const platform = testApi(() => ({
  issuer: { url: issuer.url, tokenOf: () => issuer.token() },
  sandboxBuilder: instantBuilder(),
}));

let organisation: string;
let developer: Caller;
beforeEach(async () => {
  organisation = `org-${randomUUID().slice(0, 8)}`;
  developer = await as('developer', 'dora');
});
const as = async (role: string, sub: string, of: string = organisation) =>
  platform.with(await issuer.token({ sub, organization: of, realm_access: { roles: [role] } }));
const problem = (status: number, code: string, more: object = {}) => ({
  status,
  body: { code, ...more },
});

const SMALL = { storeys: 1, areaSqm: 500, seedTelemetryDays: 0 };
const made = async (by: Caller, body: object = SMALL): Promise<string> => {
  const created = await by.post(SANDBOXES, { name: 'Source', ...body });
  expect(created).toMatchObject({ status: 202 });
  const path = `${SANDBOXES}/${created.body.sandboxId}`;
  await until(async () => (await by.get(path)).body.status !== 'provisioning', 'the provisioning');
  return path;
};
const leaves = async (by: Caller, location: string) => {
  await until(async () => (await by.get(location)).body.status !== 'creating', 'the snapshot');
  return (await by.get(location)).body;
};
const snapped = async (by: Caller, path: string, name = 'Filled'): Promise<string> => {
  const asked = await by.post(`${path}/snapshots`, { name });
  expect(asked).toMatchObject({ status: 202 });
  await leaves(by, asked.headers['location']!);
  return asked.headers['location']!;
};
const idIn = (location: string) => location.slice(`${SNAPSHOTS}/`.length);

describe('POST /api/v1/sandboxes/{id}/snapshots', () => {
  it('answers 202 with the record, where to look and when to look again', async () => {
    const path = await made(developer);
    const asked = await developer.post(`${path}/snapshots`, { name: 'Filled' });
    const { sandboxId, buildingId, estimatedBytes } = (await developer.get(path)).body;
    expect(asked).toMatchObject({
      status: 202,
      headers: { location: `${SNAPSHOTS}/${asked.body.snapshotId}`, 'retry-after': '5' },
      body: { name: 'Filled', sandboxId, buildingId, status: 'creating', bytes: null },
    });
    const { createdAt, expiresAt } = asked.body;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(30 * 24 * 3_600_000);
    const ready = await leaves(developer, asked.headers['location']!);
    expect(ready).toMatchObject({
      status: 'ready',
      bytes: estimatedBytes,
      failureReason: null,
    });
    const { headers } = await developer.get(asked.headers['location']!);
    expect(headers['etag']).not.toBe(asked.headers['etag']);
    const unchanged = { 'if-none-match': headers['etag']! };
    expect((await developer.get(asked.headers['location']!, unchanged)).status).toBe(304);
  });

  it('makes one snapshot per Idempotency-Key, and marks replays', async () => {
    const path = await made(developer);
    const named = { 'idempotency-key': 'once' };
    const first = await developer.post(`${path}/snapshots`, { name: 'A' }, named);
    const again = await developer.post(`${path}/snapshots`, { name: 'A' }, named);
    expect(again.body.snapshotId).toBe(first.body.snapshotId);
    expect(again.headers['idempotent-replayed']).toBe('true');
    const other = await developer.post(`${path}/snapshots`, { name: 'B' }, named);
    expect(other).toMatchObject(problem(422, 'IDEMPOTENCY_KEY_REUSED'));
    expect((await developer.get(`${path}/snapshots`)).body.items).toHaveLength(1);
  });

  it('is deleted once per Idempotency-Key, and a repeat answers as the first time', async () => {
    const location = await snapped(developer, await made(developer));
    const named = { 'idempotency-key': 'delete' };
    expect((await developer.delete(location, named)).status).toBe(204);
    const again = await developer.delete(location, named);
    expect(again).toMatchObject({ status: 204, headers: { 'idempotent-replayed': 'true' } });
    const other = { 'idempotency-key': 'delete-2' };
    expect(await developer.delete(location, other)).toMatchObject(problem(404, 'NOT_FOUND'));
    const unknown = `${SNAPSHOTS}/snp_00000000000000000000`;
    expect(await developer.delete(unknown, named)).toMatchObject(problem(404, 'NOT_FOUND'));
  });

  it('is refused beside three others, until one is deleted', async () => {
    const path = await made(developer);
    const locations = [];
    for (const name of ['fails', 'B', 'C']) locations.push(await snapped(developer, path, name));
    const fourth = () => developer.post(`${path}/snapshots`, { name: 'D' });
    expect(await fourth()).toMatchObject(problem(409, 'SNAPSHOT_LIMIT_REACHED', { limit: 3 }));
    expect((await developer.delete(locations[0]!)).status).toBe(204);
    expect((await fourth()).status).toBe(202);
  });

  it('is refused of a sandbox that is not ready', async () => {
    const path = await made(developer, { ...SMALL, name: 'fails' });
    const asked = await developer.post(`${path}/snapshots`, { name: 'A' });
    expect(asked).toMatchObject(problem(409, 'SANDBOX_NOT_READY', { sandboxStatus: 'failed' }));
  });

  it('ends in failed with the reason', async () => {
    const path = await made(developer);
    const failed = (await developer.get(await snapped(developer, path, 'fails'))).body;
    expect(failed).toMatchObject({ status: 'failed', failureReason: 'The disk is full.' });
    expect(failed.bytes).toBeNull();
  });
});

describe('lists', () => {
  it('show the newest first, of a sandbox and of the caller', async () => {
    const [one, other] = [await made(developer), await made(developer)];
    const first = idIn(await snapped(developer, one));
    const second = idIn(await snapped(developer, other));
    const third = idIn(await snapped(developer, one));
    const ids = async (path: string) =>
      (await developer.get(path)).body.items.map(
        ({ snapshotId }: { readonly snapshotId: string }) => snapshotId,
      );
    expect(await ids(`${one}/snapshots`)).toEqual([third, first]);
    expect(await ids(SNAPSHOTS)).toEqual([third, second, first]);
    await developer.delete(one);
    expect((await developer.get(`${one}/snapshots`)).status).toBe(404);
    expect(await ids(SNAPSHOTS)).toEqual([third, second, first]);
    await developer.delete(`${SNAPSHOTS}/${second}`);
    expect(await ids(SNAPSHOTS)).toEqual([third, first]);
  });
});

describe('a sandbox from a snapshot', () => {
  it('has its building, its parameters and its size', async () => {
    const path = await made(developer, { ...SMALL, equipmentDensity: 'dense' });
    const location = await snapped(developer, path);
    const fromSnapshot = idIn(location);
    const branch = (await developer.get(await made(developer, { fromSnapshot }))).body;
    const { parameters, buildingId, estimatedBytes } = (await developer.get(path)).body;
    const content = { fromSnapshot, parameters, buildingId, estimatedBytes };
    expect(branch).toMatchObject({ status: 'ready', ...content });
    expect((await developer.get(path)).body.fromSnapshot).toBeNull();
  });

  it('refuses members that shape a building', async () => {
    const fromSnapshot = idIn(await snapped(developer, await made(developer)));
    const asked = await developer.post(SANDBOXES, { name: 'B', fromSnapshot, storeys: 3 });
    const errors = [{ path: 'storeys', message: 'must be absent with fromSnapshot' }];
    expect(asked).toMatchObject(problem(400, 'VALIDATION_FAILED', { errors }));
  });

  it('counts for the quota of sandboxes', async () => {
    const fromSnapshot = idIn(await snapped(developer, await made(developer)));
    for (let count = 0; count < 2; count += 1) await made(developer, { fromSnapshot });
    const fourth = await developer.post(SANDBOXES, { name: 'B', fromSnapshot });
    expect(fourth).toMatchObject(problem(429, 'SANDBOX_QUOTA_REACHED'));
  });

  it('is refused for an unknown or failed snapshot', async () => {
    const path = await made(developer);
    const location = await snapped(developer, path, 'fails');
    const from = (fromSnapshot: string) => developer.post(SANDBOXES, { name: 'B', fromSnapshot });
    const failed = problem(409, 'SNAPSHOT_NOT_READY', { snapshotStatus: 'failed' });
    expect(await from(idIn(location))).toMatchObject(failed);
    await developer.delete(location);
    const errors = [{ path: 'fromSnapshot', message: 'is no snapshot of yours' }];
    expect(await from(idIn(location))).toMatchObject(
      problem(400, 'REFERENCE_NOT_FOUND', { errors }),
    );
  });

  it('is answered again under its Idempotency-Key after the snapshot was deleted', async () => {
    const location = await snapped(developer, await made(developer));
    const body = { name: 'B', fromSnapshot: idIn(location) };
    const named = { 'idempotency-key': 'branch' };
    const first = await developer.post(SANDBOXES, body, named);
    await until(
      async () =>
        (await developer.get(`${SANDBOXES}/${first.body.sandboxId}`)).body.status === 'ready',
      'the branch',
    );
    await developer.delete(location);
    const again = await developer.post(SANDBOXES, body, named);
    expect(again).toMatchObject({ status: 202, body: { sandboxId: first.body.sandboxId } });
  });

  it('is reset to its snapshot, until that is deleted', async () => {
    const location = await snapped(developer, await made(developer));
    const branch = await made(developer, { fromSnapshot: idIn(location) });
    const { buildingId } = (await developer.get(branch)).body;
    const key = { 'idempotency-key': 'reset' };
    const reset = await developer.post(`${branch}/reset`, undefined, key);
    expect(reset.status).toBe(202);
    const isReady = async () => (await developer.get(branch)).body.status === 'ready';
    await until(isReady, 'the reset');
    expect((await developer.get(branch)).body.buildingId).toBe(buildingId);
    await developer.delete(location);
    const refused = await developer.post(`${branch}/reset`);
    expect(refused).toMatchObject(problem(409, 'SNAPSHOT_GONE'));
    const again = await developer.post(`${branch}/reset`, undefined, key);
    expect(again).toMatchObject({ status: 202, headers: { 'idempotent-replayed': 'true' } });
    expect(again.headers['etag']).toBe(reset.headers['etag']);
  });
});

describe('access', () => {
  it('is for its owner and managers, and a 404 for others', async () => {
    const path = await made(developer);
    const location = await snapped(developer, path);
    const fromSnapshot = idIn(location);
    const colleague = await as('developer', 'carl');
    const stranger = await as('manager', 'mia', `${organisation}-2`);
    for (const other of [colleague, stranger]) {
      expect((await other.get(location)).status).toBe(404);
      expect((await other.delete(location)).status).toBe(404);
      expect((await other.get(`${path}/snapshots`)).status).toBe(404);
      expect((await other.post(`${path}/snapshots`, { name: 'A' })).status).toBe(404);
      const branch = await other.post(SANDBOXES, { name: 'B', fromSnapshot });
      expect(branch).toMatchObject(problem(400, 'REFERENCE_NOT_FOUND'));
    }
    const manager = await as('manager', 'mo');
    expect((await manager.get(location)).status).toBe(200);
    const theirs = await snapped(manager, path, 'By a manager');
    expect((await developer.get(SNAPSHOTS)).body.items).toHaveLength(2);
    expect((await manager.get(SNAPSHOTS)).body.items).toEqual([]);
    const branch = (await manager.get(await made(manager, { fromSnapshot }))).body;
    expect(branch.createdBy.id).toBe('mo');
    expect((await manager.delete(location)).status).toBe(204);
    expect((await developer.delete(theirs)).status).toBe(204);
    expect((await developer.delete(theirs)).status).toBe(404);
  });

  it('is open to a key for the sandboxes of its minter', async () => {
    const location = await snapped(developer, await made(developer));
    const minted = await developer.post('/api/v1/keys', { label: 'ci', scope: 'sandbox' });
    const key = platform.with(minted.body.token as string);
    expect((await key.get(SNAPSHOTS)).body.items).toHaveLength(1);
    expect((await key.delete(location)).status).toBe(204);
  });

  it('is denied without a session', async () => {
    expect((await platform.with('none').get(SNAPSHOTS)).status).toBe(401);
    expect((await developer.get(`${SNAPSHOTS}/snp_0`)).status).toBe(404);
  });
});
