/** A sandbox deleted or expired while it is provisioned: contract.md section 4. */
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock, virtualClock } from '../../src/engine/time/clock.ts';
import { signingIssuer, type SigningIssuer } from '../identity/oidc/signing-issuer.ts';
import { hostingPlatform, type HostingPlatform } from '../support/api/hosting.ts';
import { databaseIn, runOnce } from '../support/postgres/database.ts';
import { until } from '../support/until.ts';

const SANDBOXES = '/api/v1/sandboxes';
let issuer: SigningIssuer;
let platform: HostingPlatform;
const clock = virtualClock(systemClock);

beforeAll(async () => {
  issuer = await signingIssuer();
  const tokens = { url: issuer.url, tokenOf: () => issuer.token() };
  platform = await hostingPlatform({ issuer: tokens, clock });
  await letTelemetryHang();
});
afterAll(async () => {
  await platform.close();
  await issuer.close();
});

const asked = async (statement: string, values: readonly unknown[]) => {
  const client = new Client({ connectionString: platform.databaseUrl });
  await client.connect();
  try {
    return (await client.query<{ name: string }>(statement, [...values])).rows;
  } finally {
    await client.end();
  }
};

/** Makes the loading of telemetry hang in each new sandbox. */
const letTelemetryHang = async (): Promise<void> => {
  const begins = `${await platform.prefix()}_template_`;
  const template = async () => {
    const [found] = await asked(
      `select datname as name from pg_database
       where starts_with(datname, $1) and datistemplate and datname not like '%_new'`,
      [begins],
    );
    return found?.name;
  };
  await until(async () => (await template()) !== undefined, 'the template');
  const name = (await template())!;
  const { databaseUrl } = platform;
  await runOnce(databaseUrl, `alter database ${name} allow_connections true`);
  const inTemplate = (statement: string) => runOnce(databaseIn(databaseUrl, name), statement);
  await inTemplate(
    `create function hang() returns trigger language plpgsql as $$
     begin perform pg_sleep(86400); return new; end $$`,
  );
  await inTemplate(
    `create trigger hang before insert on telemetry.sealed_day
     for each statement execute function hang()`,
  );
  await runOnce(databaseUrl, `alter database ${name} allow_connections false`);
};

const dora = async () =>
  platform.with(
    await issuer.token({
      sub: 'dora',
      organization: 'acme',
      realm_access: { roles: ['developer'] },
    }),
  );

/** A sandbox whose telemetry is being loaded. */
const loading = async () => {
  const by = await dora();
  const small = { name: 'Small', storeys: 1, areaSqm: 500, seedTelemetryDays: 1, ttlDays: 1 };
  const { body, status } = await by.post(SANDBOXES, small);
  expect(status).toBe(202);
  await until(async () => (await backends(body.sandboxId)).length > 0, 'the loading');
  const path = `${SANDBOXES}/${body.sandboxId}`;
  expect((await by.get(path)).body.progress).toMatchObject({ phase: 'telemetry' });
  return { by, path, sandboxId: body.sandboxId as string };
};

const backends = (sandboxId: string) =>
  asked(
    `select datname as name from pg_stat_activity
     where datname like '%' || $1 || '%' and wait_event = 'PgSleep'`,
    [sandboxId],
  );

const nothingLeft = async (sandboxId: string) => {
  await until(async () => (await platform.databases()).length === 0, 'the drop');
  expect(await backends(sandboxId)).toEqual([]);
};

it('is no longer provisioned once it is deleted, and its database is dropped', async () => {
  const { by, path, sandboxId } = await loading();
  for (let one = 0; one < 2; one += 1) await by.post(SANDBOXES, { name: 'Queued' });
  const queued = (await by.get(SANDBOXES)).body.items;
  expect((await by.post(SANDBOXES, { name: 'Fourth' })).status).toBe(429);
  expect((await by.delete(path)).status).toBe(204);
  // The next sandbox is provisioned once the deleted one is cleared.
  const isNext = async () => {
    const { items } = (await by.get(SANDBOXES)).body;
    return items.some(
      ({ progress }: { progress: { phase: string } }) => progress.phase !== 'queued',
    );
  };
  await until(isNext, 'the next turn');
  expect((await platform.databases()).join()).not.toContain(sandboxId);
  for (const one of queued) await by.delete(`${SANDBOXES}/${one.sandboxId}`);
  await nothingLeft(sandboxId);
  await until(async () => {
    const { status, body } = await by.post(SANDBOXES, { name: 'Again' });
    if (status === 202) await by.delete(`${SANDBOXES}/${body.sandboxId}`);
    return status === 202;
  }, 'the free place');
});

it('is no longer provisioned once it has expired', async () => {
  const { by, path, sandboxId } = await loading();
  const operator = platform.with(
    await issuer.token({ sub: 'olga', realm_access: { roles: ['operator'] } }),
  );
  expect((await operator.post('/api/v1/clock', { advance: 'P2D' })).status).toBe(200);
  expect((await by.get(path)).status).toBe(404);
  await nothingLeft(sandboxId);
});
