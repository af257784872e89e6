/** Snapshots take the space of the host like sandboxes: contract.md section 4. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { estimatedBytesOf } from '../../../src/domain/sandboxes/size.ts';
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
/** Room for two of them, and a half. */
const hostBytesMax = Math.round(2.5 * estimatedBytes);
const platform = testApi(() => ({
  issuer: { url: issuer.url, tokenOf: () => issuer.token() },
  sandboxBuilder: instantBuilder(),
  sandboxSizes: { bytesMax: Infinity, hostBytesMax },
}));

it('a sandbox and its snapshot fill a host of two, and the snapshot stays without it', async () => {
  const as = { sub: 'dora', organization: 'acme', realm_access: { roles: ['developer'] } };
  const developer = platform.with(await issuer.token(as));
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
  await until(async () => (await developer.get(location)).body.status === 'ready', 'the snapshot');
  expect((await developer.get(location)).body.bytes).toBe(estimatedBytes);
  expect(await create()).toMatchObject(full);
  expect(await developer.post(`${path}/snapshots`, { name: 'B' })).toMatchObject(full);

  await developer.delete(path);
  await ready();
  expect(await create()).toMatchObject(full);
  await developer.delete(location);
  await ready();
});
