/**
 * A process that hosts is killed in the middle of each phase of the work; another one is started.
 * A sandbox ends in ready, or is gone, no database is left over and no place is lost.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { phases, type Phase } from '../../src/domain/sandbox/phases.ts';
import type { Occasion } from '../../src/domain/decider.ts';
import type { SandboxView } from '../../src/domain/sandbox/view.ts';
import { SANDBOX_PROVISIONING } from '../../src/processes/sandbox-provisioning.ts';
import type { EventStore } from '../../src/store/event-store.ts';
import { postgresEventStore } from '../../src/store/postgres/store.ts';
import {
  allowanceRepository,
  sandboxRepository,
  type Allowances,
  type Sandboxes,
} from '../../src/store/repositories/sandboxes.ts';
import { placesOf } from '../../src/use-cases/places.ts';
import {
  deleteSandbox,
  requestSandbox,
  resetSandbox,
  type SandboxLifecycleParts,
} from '../../src/use-cases/sandbox-lifecycle.ts';
import { parameters } from '../support/domain/sandboxes.ts';
import {
  databaseIn,
  freshDatabase,
  runOnce,
  type TestDatabase,
} from '../support/postgres/database.ts';
import { programEnvironment } from '../support/servers/environment.ts';
import { until } from '../support/until.ts';

const CHILD = fileURLToPath(new URL('./hosting-child.ts', import.meta.url));

let database: TestDatabase;
let log: EventStore;
let sandboxes: Sandboxes;
let allowances: Allowances;
let parts: SandboxLifecycleParts;
let client: Client;
const children: ChildProcess[] = [];

beforeAll(async () => {
  database = await freshDatabase();
  log = postgresEventStore({ url: database.url });
  sandboxes = sandboxRepository(log);
  allowances = allowanceRepository(log);
  parts = { sandboxes, places: placesOf({ allowances, sandboxes }) };
  client = new Client({ connectionString: database.url });
  await client.connect();
  // A process reacts to what is recorded once it has been there.
  const first = hosting();
  const isRegistered = async () =>
    (await log.readStream(`process-${SANDBOX_PROVISIONING}`)).length > 0;
  await until(isRegistered, 'the registration');
  await until(async () => (await databases('template')).length > 0, 'the template');
  await killed(first);
});
afterEach(async () => {
  for (const child of children.splice(0)) await killed(child);
});
afterAll(async () => {
  for (const name of await databases('')) {
    await runOnce(database.url, `alter database ${name} is_template false`);
    await runOnce(databaseIn(database.url, 'postgres'), `drop database ${name} with (force)`);
  }
  await client.end();
  await log.close();
  await database.drop();
});

const occasion = (): Occasion => ({
  at: new Date().toISOString(),
  by: { kind: 'user', id: 'dora' },
  origin: 'api',
});
const name = () => ({ commandId: randomUUID() });

/** Of this installation, whose names go on like this. */
const databases = async (more: string): Promise<readonly string[]> => {
  const own = new URL(database.url).pathname.slice(1);
  const { rows } = await client.query<{ name: string }>(
    'select datname as name from pg_database where starts_with(datname, $1) order by 1',
    [`${own}_${more}`],
  );
  return rows.map((row) => row.name);
};

const killed = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
};

const hosting = (...at: readonly string[]): ChildProcess => {
  const child = spawn(process.execPath, [CHILD, database.url, ...at], {
    env: { ...programEnvironment(), LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
};

/** Started, waited for until it is there, killed. */
const killedAt = async (where: Phase | 'clear', when: 'before' | 'after'): Promise<void> => {
  const child = hosting(where, when);
  await once(child.stdout!, 'data');
  await killed(child);
};

const requested = async (): Promise<SandboxView> => {
  const sandboxId = `sbx_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
  const wanted = {
    sandboxId,
    organisation: 'acme',
    developer: 'dora',
    name: 'Killed',
    slug: `killed-${sandboxId.slice(-6)}`,
    parameters: { ...parameters, storeys: 1, areaSqm: 500, seedTelemetryDays: 1 },
    ttlDays: 1,
  };
  return (await requestSandbox(parts)(wanted, occasion(), name())).view;
};
const viewOf = async ({ sandboxId }: SandboxView) => (await sandboxes.look(sandboxId))!.view;
const ready = async (sandbox: SandboxView) => {
  const isReady = async () => (await viewOf(sandbox)).status !== 'provisioning';
  await until(isReady, 'the provisioning', { everyMs: 50 });
  return viewOf(sandbox);
};
const gone = async (sandbox: SandboxView) => {
  await deleteSandbox(parts)(await viewOf(sandbox), occasion(), name());
  await nothingLeft();
};
const nothingLeft = async () => {
  await until(async () => (await databases('sbx')).length === 0, 'the drop');
  const isFree = async () => (await allowances.look('dora'))!.view.places.size === 0;
  await until(isFree, 'the release of the place');
};

describe('a process killed while it builds a sandbox', () => {
  it.each([[phases[0], 'before'], ...phases.map((phase) => [phase, 'after'] as const)] as const)(
    'in phase %s, %s its work: another one ends in ready',
    async (phase, when) => {
      const sandbox = await requested();
      await killedAt(phase, when);
      hosting();
      expect(await ready(sandbox)).toMatchObject({ status: 'ready', generation: 1 });
      expect(await databases('sbx')).toHaveLength(1);
      await gone(sandbox);
    },
  );
});

describe('a process killed while it resets a sandbox', () => {
  it.each(['database', 'telemetry', 'health'] as const)(
    'in phase %s: another one ends in ready, with one database',
    async (phase) => {
      const sandbox = await requested();
      const first = hosting();
      await ready(sandbox);
      await killed(first);
      await resetSandbox(parts)(await viewOf(sandbox), occasion(), name());
      await killedAt(phase, 'after');
      hosting();
      expect(await ready(sandbox)).toMatchObject({ status: 'ready', generation: 2 });
      await until(async () => (await databases('sbx')).length === 1, 'the drop of the old one');
      expect(await databases('sbx')).toEqual([expect.stringMatching(/_g2$/)]);
      await gone(sandbox);
    },
  );
});

describe('a process killed while it deletes a sandbox', () => {
  it.each(['before', 'after'] as const)('%s the drop: another one drops it', async (when) => {
    const sandbox = await requested();
    const first = hosting();
    await ready(sandbox);
    await killed(first);
    await deleteSandbox(parts)(await viewOf(sandbox), occasion(), name());
    await killedAt('clear', when);
    hosting();
    await nothingLeft();
  });
});
