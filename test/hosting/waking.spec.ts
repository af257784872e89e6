/** Which callers wake a sleeping sandbox: contract.md section 2. */
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { newKeyId, newToken } from '../../src/identity/keys/token.ts';
import { signingIssuer, type SigningIssuer } from '../identity/oidc/signing-issuer.ts';
import { hostingPlatform, provisioned, type HostingPlatform } from '../support/api/hosting.ts';
import { liveClient } from '../support/api/live-client.ts';
import { until } from '../support/until.ts';

let issuer: SigningIssuer;
let platform: HostingPlatform;
let client: Client;
let sandbox: { readonly sandboxId: string; readonly slug: string };
let key: string;

beforeAll(async () => {
  issuer = await signingIssuer();
  platform = await hostingPlatform({
    issuer: { url: issuer.url, tokenOf: () => issuer.token() },
    idleMaxMs: 1,
    lookMs: 50,
  });
  client = new Client({ connectionString: platform.databaseUrl });
  await client.connect();
  const by = platform.with(await session('acme'));
  key = (await by.post('/api/v1/keys', { label: 'ci', scope: 'sandbox' })).body.token;
  const small = { storeys: 1, areaSqm: 500, seedTelemetryDays: 0, liveTelemetry: false };
  const { body } = await by.post('/api/v1/sandboxes', { name: 'Sleeping', ...small });
  sandbox = await provisioned(by, `/api/v1/sandboxes/${body.sandboxId}`);
});
afterAll(async () => {
  await client.end();
  await platform.close();
  await issuer.close();
});

const session = (organization: string) =>
  issuer.token({ sub: 'mia', organization, realm_access: { roles: ['manager'] } });

/** Of the lease, which a sandbox holds while it is awake; each waking increments the epoch. */
const lease = async (): Promise<{ readonly epoch: number; readonly isHeld: boolean }> => {
  const { rows } = await client.query<{ epoch: number; isHeld: boolean }>(
    `select epoch::int, holder is not null as "isHeld" from consumers.lease
     where starts_with(name, $1)`,
    [`sandbox/${sandbox.sandboxId}/`],
  );
  return rows[0]!;
};

/** The outcome of a live client's handshake at the sandbox: `connected`, or its `connect_error`. */
const connected = (token: string | null): Promise<string> =>
  liveClient(platform.address, { token, headers: { host: `${sandbox.slug}.sandbox.test` } }).then(
    ({ socket }) => {
      socket.disconnect();
      return 'connected';
    },
    (error: Error) => error.message,
  );

beforeEach(() => until(async () => !(await lease()).isHeld, 'its sleep', { everyMs: 50 }));

it('a live client with a key of its organisation does', async () => {
  const { epoch } = await lease();
  expect(await connected(key)).toBe('connected');
  await until(async () => !(await lease()).isHeld, 'its sleep', { everyMs: 50 });
  expect((await lease()).epoch).toBeGreaterThan(epoch);
});

it('a live client of another organisation, or without a valid credential, does not', async () => {
  const { epoch } = await lease();
  const by = platform.at(sandbox.slug, null);
  expect((await by.get('/socket.io/?EIO=4&transport=polling')).status).toBe(200);
  expect(await connected(null)).toBe('UNAUTHENTICATED');
  expect(await connected(newToken(newKeyId('acme')).token)).toBe('UNAUTHENTICATED');
  expect(await connected(newToken(key.split('_')[1]!).token)).toBe('UNAUTHENTICATED');
  expect(await connected(await session('globex'))).toBe('NOT_FOUND');
  expect((await lease()).epoch).toBe(epoch);
});

it('a request with a key of its organisation does', async () => {
  const { epoch } = await lease();
  expect((await platform.at(sandbox.slug, key).get('/api/v1/buildings')).status).toBe(200);
  expect((await lease()).epoch).toBeGreaterThan(epoch);
});

it('a request with an unknown key of its organisation, or a wrong secret, does not', async () => {
  const { epoch } = await lease();
  for (const keyId of [newKeyId('acme'), key.split('_')[1]!]) {
    const forged = platform.at(sandbox.slug, newToken(keyId).token);
    expect(await forged.get('/api/v1/buildings')).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHENTICATED' },
    });
  }
  expect((await lease()).epoch).toBe(epoch);
});
