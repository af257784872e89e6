/** The live service at the address of a sandbox: contract.md sections 2, 4 and 8. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signingIssuer, type SigningIssuer } from '../identity/oidc/signing-issuer.ts';
import { hostingPlatform, provisioned, type HostingPlatform } from '../support/api/hosting.ts';
import { liveClient, liveRefusal } from '../support/api/live-client.ts';

let issuer: SigningIssuer;
let platform: HostingPlatform;
beforeAll(async () => {
  issuer = await signingIssuer();
  platform = await hostingPlatform({ issuer: { url: issuer.url, tokenOf: () => issuer.token() } });
});
afterAll(async () => {
  await platform.close();
  await issuer.close();
});
const managerOf = (organization: string) =>
  issuer.token({ sub: 'mia', organization, realm_access: { roles: ['manager'] } });

it('accepts a key of its organisation, and no credential of another', async () => {
  const by = platform.with(await managerOf('acme'));
  const { token } = (await by.post('/api/v1/keys', { label: 'live', scope: 'sandbox' })).body;
  const small = { name: 'Live', storeys: 1, areaSqm: 500, seedTelemetryDays: 0 };
  const created = await by.post('/api/v1/sandboxes', small);
  const path = `/api/v1/sandboxes/${created.body.sandboxId}`;
  const { slug, buildingId } = await provisioned(by, path);
  const headers = { host: `${slug}.sandbox.test` };
  const client = await liveClient(platform.address, { token, headers });
  expect(await client.ask('join', { buildingId })).toMatchObject({ ok: true });

  const other = { token: await managerOf('globex'), headers };
  expect((await liveRefusal(platform.address, other)).data?.code).toBe('NOT_FOUND');
  const nowhere = { token, headers: { host: 'nothing.sandbox.test' } };
  expect((await liveRefusal(platform.address, nowhere)).data?.code).toBe('NOT_FOUND');
  await by.delete(path);
});
