/** The estimated size of a sandbox against its finished database: contract.md section 4. */
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signingIssuer, type SigningIssuer } from '../identity/oidc/signing-issuer.ts';
import { hostingPlatform, provisioned, type HostingPlatform } from '../support/api/hosting.ts';

const SANDBOXES = '/api/v1/sandboxes';
let issuer: SigningIssuer;
let platform: HostingPlatform;

beforeAll(async () => {
  issuer = await signingIssuer();
  platform = await hostingPlatform({
    issuer: { url: issuer.url, tokenOf: () => issuer.token() },
  });
});
afterAll(async () => {
  await platform.close();
  await issuer.close();
});

const sizeOf = async (sandboxId: string): Promise<number> => {
  const client = new Client({ connectionString: platform.databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ bytes: string }>(
      `select pg_database_size(datname) as bytes from pg_database
       where datname like '%' || $1 || '%'`,
      [sandboxId],
    );
    return Number(rows[0]!.bytes);
  } finally {
    await client.end();
  }
};

it.each([
  { storeys: 1, areaSqm: 500, seedTelemetryDays: 0 },
  { storeys: 1, areaSqm: 500, seedTelemetryDays: 30, equipmentDensity: 'dense' },
  { storeys: 3, areaSqm: 3_000, seedTelemetryDays: 7 },
  { storeys: 10, areaSqm: 10_000, seedTelemetryDays: 1, equipmentDensity: 'sparse' },
  { storeys: 8, areaSqm: 20_000, seedTelemetryDays: 30, buildingType: 'mall' },
  { storeys: 4, areaSqm: 500_000, seedTelemetryDays: 14, occupancyProfile: '24x7' },
])('of %j is within a quarter of the finished database', async (shape) => {
  const claims = { sub: 'dora', organization: 'acme', realm_access: { roles: ['developer'] } };
  const by = platform.with(await issuer.token(claims));
  const { body } = await by.post(SANDBOXES, { name: 'Sized', liveTelemetry: false, ...shape });
  const path = `${SANDBOXES}/${body.sandboxId}`;
  expect(await provisioned(by, path)).toMatchObject({
    status: 'ready',
    estimatedBytes: body.estimatedBytes,
  });
  const bytes = await sizeOf(body.sandboxId);
  expect(body.estimatedBytes / bytes).toBeGreaterThan(0.75);
  expect(body.estimatedBytes / bytes).toBeLessThan(1.25);
  await by.delete(path);
});
