/** The disk limit of all sandboxes and snapshots of a host: contract.md section 4. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { estimatedBytesOf } from '../../../src/domain/sandboxes/size.ts';
import type { SandboxBuilder } from '../../../src/processes/sandboxes/provisioning.ts';
import { signingIssuer, type SigningIssuer } from '../../identity/oidc/signing-issuer.ts';
import { testApi } from '../../support/api/api.ts';
import { instantBuilder } from '../../support/api/instant-builder.ts';
import { parameters } from '../../support/domain/sandboxes.ts';
import { until } from '../../support/until.ts';

const SANDBOXES = '/api/v1/sandboxes';
let issuer: SigningIssuer;
beforeAll(async () => {
  issuer = await signingIssuer();
});
afterAll(() => issuer.close());

const estimatedBytes = estimatedBytesOf(parameters);
/** A platform on a host with room for so many of them. */
const hostWithRoomFor = (
  sandboxes: number,
  sandboxBuilder: SandboxBuilder = instantBuilder(),
  largest = Infinity,
) => {
  const hostBytesMax = Math.round(sandboxes * estimatedBytes);
  const platform = testApi(() => ({
    issuer: { url: issuer.url, tokenOf: () => issuer.token() },
    sandboxBuilder,
    sandboxSizes: { bytesMax: largest * estimatedBytes, hostBytesMax },
  }));
  const as = async (sub: string) =>
    platform.with(
      await issuer.token({ sub, organization: sub, realm_access: { roles: ['developer'] } }),
    );
  return { hostBytesMax, as };
};

describe('a host with room for one sandbox and a half', () => {
  const { hostBytesMax, as } = hostWithRoomFor(1.5);

  it('is a 503 while the host is full, and a 400 where it never fits', async () => {
    const [dora, david] = [await as('dora'), await as('david')];
    const first = await dora.post(SANDBOXES, { name: 'First' });
    expect(first).toMatchObject({ status: 202, body: { estimatedBytes } });
    const path = `${SANDBOXES}/${first.body.sandboxId}`;
    await until(async () => (await dora.get(path)).body.status === 'ready', 'the provisioning');

    const full = await david.post(SANDBOXES, { name: 'Second' });
    expect(full).toMatchObject({
      status: 503,
      headers: { 'retry-after': expect.any(String) },
      body: { code: 'UNAVAILABLE', estimatedBytes },
    });
    // Until its new database is ready, a reset needs the disk space of two.
    expect(await dora.post(`${path}/reset`)).toMatchObject({ status: 503 });
    expect((await dora.get(path)).body.status).toBe('ready');
    const never = { name: 'Never', storeys: 9, seedTelemetryDays: 30 };
    expect(await david.post(SANDBOXES, never)).toMatchObject({
      status: 400,
      body: { code: 'SANDBOX_TOO_LARGE', maxBytes: hostBytesMax },
    });

    await dora.delete(path);
    expect((await david.post(SANDBOXES, { name: 'Second' })).status).toBe(202);
  });
});

describe('a host with room for two sandboxes and a half', () => {
  const { as } = hostWithRoomFor(2.5);

  it('is filled by a sandbox and its snapshot, which stays without the sandbox', async () => {
    const developer = await as('dora');
    const create = () => developer.post(SANDBOXES, { name: 'One' });
    const ready = async () => {
      const created = await create();
      expect(created.status).toBe(202);
      const path = `${SANDBOXES}/${created.body.sandboxId}`;
      await until(async () => (await developer.get(path)).body.status === 'ready', 'the sandbox');
      return path;
    };
    const full = { status: 503, body: { code: 'UNAVAILABLE', estimatedBytes } };

    const path = await ready();
    const asked = await developer.post(`${path}/snapshots`, { name: 'A' });
    const location = asked.headers['location']!;
    await until(
      async () => (await developer.get(location)).body.status === 'ready',
      'the snapshot',
    );
    expect((await developer.get(location)).body.bytes).toBe(estimatedBytes);
    expect(await create()).toMatchObject(full);
    expect(await developer.post(`${path}/snapshots`, { name: 'B' })).toMatchObject(full);

    await developer.delete(path);
    await ready();
    expect(await create()).toMatchObject(full);
    await developer.delete(location);
    await ready();
  });
});

describe('a host with room for three sandboxes and a half', () => {
  const builder = instantBuilder();
  const rebuilding = Promise.withResolvers<void>();
  const rebuilt = Promise.withResolvers<void>();
  const database: SandboxBuilder['build']['database'] = async ({ generation }) => {
    if (generation === 1) return;
    rebuilding.resolve();
    await rebuilt.promise;
  };
  const { as } = hostWithRoomFor(3.5, { ...builder, build: { ...builder.build, database } });

  it('is filled by two sandboxes and the second database of a reset', async () => {
    const developers = [await as('dora'), await as('david')];
    const made = developers.map(async (developer) => {
      const { body } = await developer.post(SANDBOXES, { name: 'One' });
      const path = `${SANDBOXES}/${body.sandboxId}`;
      const isReady = async () => (await developer.get(path)).body.status === 'ready';
      await until(isReady, 'the sandbox');
      return { isReady, reset: () => developer.post(`${path}/reset`) };
    });
    const [first, second] = [await made[0]!, await made[1]!];
    expect((await first.reset()).status).toBe(202);
    await rebuilding.promise;
    expect(await second.reset()).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    rebuilt.resolve();
    await until(async () => (await second.reset()).status === 202, 'the end of the reset');
    await until(second.isReady, 'the other reset');
  });
});

describe('a host with room for two sandboxes and two snapshots', () => {
  const builder = instantBuilder();
  const bounds: number[] = [];
  let isListed: (snapshotId: string) => Promise<boolean>;
  const make: SandboxBuilder['snapshots']['make'] = async ({ snapshotId }, bytesMax) => {
    await until(() => isListed(snapshotId), 'the list, which may follow later');
    bounds.push((await bytesMax()) / estimatedBytes);
    return 2 * estimatedBytes;
  };
  const snapshots = { ...builder.snapshots, make };
  const { as } = hostWithRoomFor(4, { ...builder, snapshots }, 2.5);

  it('makes no snapshot larger than a sandbox may be, or than the room left', async () => {
    const developer = await as('dora');
    isListed = async (id) =>
      (await developer.get('/api/v1/snapshots')).body.items.some(
        ({ snapshotId }: { readonly snapshotId: string }) => snapshotId === id,
      );
    const { body } = await developer.post(SANDBOXES, { name: 'One' });
    const path = `${SANDBOXES}/${body.sandboxId}`;
    const isReady = async (location: string) =>
      (await developer.get(location)).body.status === 'ready';
    await until(() => isReady(path), 'the sandbox');
    for (const name of ['A', 'B']) {
      const asked = await developer.post(`${path}/snapshots`, { name });
      expect(asked.status).toBe(202);
      await until(() => isReady(asked.headers['location']!), 'the snapshot');
    }
    expect(bounds).toEqual([2.5, 1]);
  });
});

describe('a host with room for four sandboxes and a half', () => {
  const builder = instantBuilder();
  const made = Promise.withResolvers<number>();
  const snapshots = { ...builder.snapshots, make: () => made.promise };
  const { as } = hostWithRoomFor(4.5, { ...builder, snapshots });

  it('builds the next sandbox when the deletion of a snapshot leaves room for it', async () => {
    const developer = await as('dora');
    const statusOf = async (path: string) => (await developer.get(path)).body.status;
    const create = async (name: string) => {
      const { status, body } = await developer.post(SANDBOXES, { name });
      expect(status).toBe(202);
      return { id: body.sandboxId as string, path: `${SANDBOXES}/${body.sandboxId}` };
    };
    const first = await create('First');
    await until(async () => (await statusOf(first.path)) === 'ready', 'the sandbox');
    const asked = await developer.post(`${first.path}/snapshots`, { name: 'A' });
    const snapshot = asked.headers['location']!;
    const under = await create('waits');
    await until(() => builder.begun.includes(under.id), 'the build');
    const queued = await create('Queued');
    made.resolve(3 * estimatedBytes);
    await until(async () => (await statusOf(snapshot)) === 'ready', 'the snapshot');

    await developer.delete(under.path);
    await until(() => builder.cleared.some(([id]) => id === under.id), 'the end of the build');
    expect((await developer.get(queued.path)).body.progress.phase).toBe('queued');
    await developer.delete(snapshot);
    await until(async () => (await statusOf(queued.path)) === 'ready', 'the queued sandbox');
  });
});
