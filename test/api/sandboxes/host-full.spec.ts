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
const hostWithRoomFor = (sandboxes: number, sandboxBuilder: SandboxBuilder = instantBuilder()) => {
  const hostBytesMax = Math.round(sandboxes * estimatedBytes);
  const platform = testApi(() => ({
    issuer: { url: issuer.url, tokenOf: () => issuer.token() },
    sandboxBuilder,
    sandboxSizes: { bytesMax: Infinity, hostBytesMax },
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
