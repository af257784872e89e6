/** Processes that host sandboxes on one database, to be killed and observed by a test. */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import type { Occasion } from '../../src/engine/aggregates/decider.ts';
import type { SandboxView } from '../../src/domain/sandboxes/view.ts';
import { databaseNames } from '../../src/hosting/names.ts';
import { SANDBOX_PROVISIONING } from '../../src/processes/sandboxes/provisioning.ts';
import { installationId } from '../../src/engine/log/installation.ts';
import { postgresEventStore } from '../../src/engine/log/postgres/store.ts';
import { deleteSandbox, requestSandbox } from '../../src/use-cases/sandboxes/lifecycle.ts';
import { lifecycleOn, parameters } from '../support/domain/sandboxes.ts';
import { databaseIn, freshDatabase, runOnce } from '../support/postgres/database.ts';
import { programEnvironment } from '../support/servers/environment.ts';
import { until } from '../support/until.ts';
import type { StopAt } from './hosting-child.ts';

/** A killed process is replaced this soon. */
const SILENT_MAX_MS = 5_000;
const CHILD = fileURLToPath(new URL('./hosting-child.ts', import.meta.url));

export type HostingProcesses = Awaited<ReturnType<typeof hostingProcesses>>;

export const occasion = (): Occasion => ({
  at: new Date().toISOString(),
  by: { kind: 'user', id: 'dora' },
  origin: 'api',
});
export const name = () => ({ commandId: randomUUID() });

export const killed = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
};

export const hostingProcesses = async () => {
  const database = await freshDatabase();
  const log = postgresEventStore({ url: database.url });
  const parts = lifecycleOn(log);
  const { sandboxes, allowances } = parts;
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const children: ChildProcess[] = [];

  const started = (...args: readonly string[]): ChildProcess => {
    const silent = ['--silent-ms', String(SILENT_MAX_MS)];
    const child = spawn(process.execPath, [CHILD, database.url, ...silent, ...args], {
      env: { ...programEnvironment(), LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent' },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    children.push(child);
    return child;
  };

  /** Names of this installation's databases that continue with `more` after its prefix. */
  const databases = async (more: string): Promise<readonly string[]> => {
    const own = new URL(database.url).pathname.slice(1);
    const { rows } = await client.query<{ name: string }>(
      'select datname as name from pg_database where starts_with(datname, $1) order by 1',
      [`${databaseNames(own, await installationId(log)).prefix}_${more}`],
    );
    return rows.map((row) => row.name);
  };

  /** Waits for the registration, after which a process reacts to new events. */
  const registered = async () => {
    const isRegistered = async () =>
      (await log.readStream(`process-${SANDBOX_PROVISIONING}`)).length > 0;
    await until(isRegistered, 'the registration');
  };

  const viewOf = async ({ sandboxId }: SandboxView) => (await sandboxes.look(sandboxId))!.view;

  const nothingLeft = async () => {
    await until(async () => (await databases('sbx')).length === 0, 'the drop');
    const isFree = async () => (await allowances.look('dora'))!.view.slots.size === 0;
    await until(isFree, 'the release of the place');
  };

  return {
    database,
    client,
    log,
    parts,
    started,
    databases,
    viewOf,
    nothingLeft,

    registered,

    /** Starts the first process, and waits for the work that only the first one does. */
    async first(): Promise<ChildProcess> {
      const first = started();
      await registered();
      const isMade = async () => {
        const [template] = await databases('template');
        return template !== undefined && !template.endsWith('_new');
      };
      await until(isMade, 'the template');
      return first;
    },

    /** Lets the process reach this point of its work, and kills it there. */
    async killedAt(
      child: ChildProcess,
      point: StopAt,
      work: () => Promise<unknown>,
    ): Promise<void> {
      child.send(point);
      await once(child, 'message');
      const here = once(child.stdout!, 'data');
      await work();
      await here;
      await killed(child);
    },

    async requested(): Promise<SandboxView> {
      const sandboxId = `sbx_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
      const sandbox = {
        sandboxId,
        organisation: 'acme',
        developer: 'dora',
        name: 'Killed',
        slug: `killed-${sandboxId.slice(-6)}`,
        parameters: { ...parameters, storeys: 1, areaSqm: 500, seedTelemetryDays: 1 },
        ttlDays: 1,
      };
      return (await requestSandbox(parts)(sandbox, occasion(), name())).view;
    },

    /** The sandbox once its provisioning has ended. */
    async provisioned(sandbox: SandboxView): Promise<SandboxView> {
      const isOver = async () => (await viewOf(sandbox)).status !== 'provisioning';
      await until(isOver, 'the provisioning', { everyMs: 50 });
      return viewOf(sandbox);
    },

    async gone(sandbox: SandboxView): Promise<void> {
      await deleteSandbox(parts)(await viewOf(sandbox), occasion(), name());
      await nothingLeft();
    },

    /** The stored address of the process that hosts the sandbox; `null` while none does. */
    async hostOf({ sandboxId }: SandboxView): Promise<string | null> {
      const { rows } = await client.query<{ address: string | null }>(
        `select process ->> 'address' as address
         from consumers.lease join consumers.heartbeat using (holder)
         where starts_with(name, $1)`,
        [`sandbox/${sandboxId}/`],
      );
      return rows[0]?.address ?? null;
    },

    async close(): Promise<void> {
      for (const child of children.splice(0)) await killed(child);
      for (const remaining of await databases('')) {
        await runOnce(database.url, `alter database ${remaining} is_template false`);
        const drop = `drop database ${remaining} with (force)`;
        await runOnce(databaseIn(database.url, 'postgres'), drop);
      }
      await client.end();
      await log.close();
      await database.drop();
    },
  };
};

/** The status of a manager's request to this sandbox at this port; `null`: no answer in time. */
export const askedAt = (
  port: number,
  { slug }: SandboxView,
  {
    token = 'any',
    maxMs = 10_000,
  }: { readonly token?: string | null; readonly maxMs?: number } = {},
): Promise<number | null> =>
  new Promise((resolve) => {
    const request = httpRequest({
      port,
      path: '/api/v1/buildings',
      host: '127.0.0.1',
      agent: false,
      headers: {
        host: `${slug}.sandbox.test`,
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      signal: AbortSignal.timeout(maxMs),
    });
    request.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? null);
    });
    request.on('error', () => resolve(null));
    request.end();
  });
