/** A sandbox deleted or expired while it is provisioned: contract.md section 4. */
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { schemaOf } from '../../src/engine/projections/projection.ts';
import { systemClock, virtualClock } from '../../src/engine/time/clock.ts';
import { ticketList } from '../../src/projections/tickets/list.ts';
import { signingIssuer, type SigningIssuer } from '../identity/oidc/signing-issuer.ts';
import { hostingPlatform, provisioned, type HostingPlatform } from '../support/api/hosting.ts';
import { fillLog } from '../support/log/filler.ts';
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
  await changed((await template())!, async (url) => {
    await runOnce(
      url,
      `create function hang() returns trigger language plpgsql as $$
       begin perform pg_sleep(86400); return new; end $$`,
    );
    await runOnce(
      url,
      `create trigger hang before insert on telemetry.sealed_day
       for each statement execute function hang()`,
    );
  });
};

/** Changes a database that is only ever copied. */
const changed = async (name: string, change: (url: string) => Promise<void>): Promise<void> => {
  const { databaseUrl } = platform;
  await runOnce(databaseUrl, `alter database ${name} allow_connections true`);
  await change(databaseIn(databaseUrl, name));
  await runOnce(databaseUrl, `alter database ${name} allow_connections false`);
};

/** Makes a read model of each branch of the snapshot be built again and again. */
const letBranchesHang = async (snapshotId: string): Promise<void> =>
  changed(`${await platform.prefix()}_${snapshotId}`, async (url) => {
    await runOnce(url, `drop schema ${schemaOf(ticketList)} cascade`);
    await fillLog(url);
    await runOnce(
      url,
      `create function busy() returns event_trigger language plpgsql as $$
       begin perform pg_sleep(0.1); raise 'busy' using errcode = '55P03'; end $$`,
    );
    await runOnce(
      url,
      `create event trigger busy on ddl_command_start when tag in ('ALTER SCHEMA')
       execute function busy()`,
    );
  });

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

it('is no longer provisioned once it is deleted, while a branch is prepared', async () => {
  const by = await dora();
  const source = { name: 'Source', storeys: 1, areaSqm: 500, seedTelemetryDays: 0 };
  const { sandboxId: sourceId } = (await by.post(SANDBOXES, source)).body;
  expect((await provisioned(by, `${SANDBOXES}/${sourceId}`)).status).toBe('ready');
  const { body, headers } = await by.post(`${SANDBOXES}/${sourceId}/snapshots`, { name: 'One' });
  const snapshot = headers['location']!;
  await until(async () => (await by.get(snapshot)).body.status === 'ready', 'the snapshot');
  await letBranchesHang(body.snapshotId);
  await by.delete(`${SANDBOXES}/${sourceId}`);

  const branch = await by.post(SANDBOXES, { name: 'Branch', fromSnapshot: body.snapshotId });
  const { sandboxId } = branch.body;
  const path = `${SANDBOXES}/${sandboxId}`;
  await until(async () => (await backends(sandboxId)).length > 0, 'its build');
  expect((await by.get(path)).body.progress).toMatchObject({ phase: 'database' });
  expect((await by.delete(path)).status).toBe(204);
  await nothingLeft(sandboxId);
  await by.delete(snapshot);
});
