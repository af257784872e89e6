/** A sandbox whose read models take longer to build than a request waits. contract.md section 4. */
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { schemaOf } from '../../src/engine/projections/projection.ts';
import { ticketList } from '../../src/projections/tickets/list.ts';
import { signingIssuer, type SigningIssuer } from '../identity/oidc/signing-issuer.ts';
import { hostingPlatform, provisioned, type HostingPlatform } from '../support/api/hosting.ts';
import { fillLog } from '../support/log/filler.ts';
import { databaseIn } from '../support/postgres/database.ts';
import { letPass, until } from '../support/until.ts';

const LOOK_MS = 50;
let issuer: SigningIssuer;
let platform: HostingPlatform;

beforeAll(async () => {
  issuer = await signingIssuer();
  platform = await hostingPlatform({
    issuer: { url: issuer.url, tokenOf: () => issuer.token() },
    idleMaxMs: 1,
    lookMs: LOOK_MS,
    startMaxMs: 5_000,
  });
});
afterAll(async () => {
  await platform.close();
  await issuer.close();
});

const connected = async (connectionString: string): Promise<Client> => {
  const client = new Client({ connectionString });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
};

it('stays active until they are built, and answers 503 only where it needs them', async () => {
  const token = await issuer.token({
    sub: 'mia',
    organization: 'acme',
    realm_access: { roles: ['manager'] },
  });
  const by = platform.with(token);
  const small = { storeys: 1, areaSqm: 500, seedTelemetryDays: 0, liveTelemetry: false };
  const { body } = await by.post('/api/v1/sandboxes', { name: 'Small', ...small });
  const { slug, sandboxId } = await provisioned(by, `/api/v1/sandboxes/${body.sandboxId}`);
  const main = await connected(platform.databaseUrl);
  const lease = async () => {
    const { rows } = await main.query<{ epoch: string; isHeld: boolean }>(
      `select epoch, holder is not null as "isHeld" from consumers.lease
       where starts_with(name, $1)`,
      [`sandbox/${sandboxId}/`],
    );
    return rows[0]!;
  };
  await until(async () => !(await lease()).isHeld, 'its sleep');

  const [name] = await platform.databases();
  const url = databaseIn(platform.databaseUrl, name!);
  const own = await connected(url);
  await own.query(`drop schema ${schemaOf(ticketList)} cascade`);
  await fillLog(url);
  // The finished read model cannot take its name before this transaction ends.
  await own.query('begin');
  await own.query(`create schema ${schemaOf(ticketList)}`);

  const sandbox = platform.at(slug, token);
  const tickets = () => sandbox.get('/api/service-desk/requests');
  await until(async () => (await sandbox.get('/api/v1/buildings')).status === 200, 'its start');
  const { epoch } = await lease();
  expect(await tickets()).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
  await letPass(10 * LOOK_MS, 'it must not be closed while it is idle');
  expect(await lease()).toEqual({ epoch, isHeld: true });

  await own.query('rollback');
  await until(async () => !(await lease()).isHeld, 'its sleep after the build');
  expect((await lease()).epoch).toBe(epoch);
  expect((await tickets()).status).toBe(200);
});
