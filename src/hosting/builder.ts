/** The work of each phase of provisioning. contract.md section 4. */
import { availableParallelism } from 'node:os';
import { v5 as uuidFrom } from 'uuid';
import type { Phase } from '../domain/sandboxes/phases.ts';
import type { SandboxView } from '../domain/sandboxes/view.ts';
import { openDatabase } from '../engine/postgres/pool.ts';
import type { Graph } from '../building/graph/graph.ts';
import { postgresGraph } from '../building/graph/postgres-graph.ts';
import type { Secrets } from '../engine/secrets/secrets.ts';
import type { Logger } from '../engine/observe/logging.ts';
import { systemClock } from '../engine/time/clock.ts';
import { LogUnavailable } from '../engine/log/event-store.ts';
import { CannotBuild } from '../processes/sandboxes/cannot-build.ts';
import type { SandboxBuilder } from '../processes/sandboxes/provisioning.ts';
import type { SnapshotBuilder } from '../processes/sandboxes/snapshots.ts';
import type { FileStores } from '../files/file-store.ts';
import type { ActiveSandboxes, Used } from './active-sandboxes.ts';
import type { Hosted } from './claims.ts';
import { withoutWebhooks } from './branch.ts';
import { actionable, NoSource, type Databases } from './databases.ts';
import type { DatabaseNames } from './names.ts';
import type { Seeding, SeedingTask } from './seeding.ts';
import { seedTickets } from './tickets.ts';
import type { Template } from './template.ts';

export interface BuilderParts {
  readonly databases: Databases;
  readonly names: () => Promise<DatabaseNames>;
  readonly template: Template;
  readonly seeding: Pick<Seeding, 'prepare' | 'seed'>;
  readonly active: Pick<ActiveSandboxes, 'use' | 'end'>;
  /** These generations have ended; another process that hosts one is notified. */
  readonly over: (generations: readonly Hosted[]) => Promise<void>;
  /** Every trace of the sandbox has been removed. */
  readonly gone: (sandboxId: string) => Promise<void>;
  /** Names of all databases, and of all file stores. */
  readonly stored: () => Promise<readonly string[]>;
  /** Removes a database and its files. Idempotent. */
  readonly removed: (name: string) => Promise<void>;
  readonly fileStores: FileStores | undefined;
  readonly snapshots: SnapshotBuilder;
  readonly secrets: Secrets;
  readonly logger: Logger;
  readonly apiUrlOf: (slug: string) => string;
}

export const sandboxBuilder = (parts: BuilderParts): SandboxBuilder => {
  const { databases, names, template, seeding, active, fileStores, logger, secrets } = parts;

  const urlOf = async ({ sandboxId, generation }: SandboxView) =>
    databases.urlOf((await names()).of(sandboxId, generation));

  const instanceOf = async (sandbox: SandboxView): Promise<Used> => {
    const used = await active.use(sandbox);
    // The process that built it earlier releases its lease, or loses it.
    if ('address' in used) throw new LogUnavailable('another process hosts the sandbox still');
    return used;
  };

  const withGraph = async <Result>(
    sandbox: SandboxView,
    work: (graph: Graph) => Promise<Result>,
  ): Promise<Result> => {
    const db = openDatabase({ url: await urlOf(sandbox), logger, connectionsMax: 1 });
    try {
      return await work(postgresGraph({ db: db.pool }));
    } finally {
      await db.close();
    }
  };

  const buildingOf = async (sandbox: SandboxView): Promise<string> => {
    const found = await withGraph(sandbox, (graph) =>
      graph.buildings(sandbox.organisation, { limit: 1, offset: 0 }),
    );
    const [building] = found.items;
    if (!building) throw new Error(`${sandbox.sandboxId} has no building`);
    return building.id;
  };

  const seedingOf = async (
    sandbox: SandboxView,
    what: SeedingTask['what'],
  ): Promise<SeedingTask> => ({
    what,
    databaseUrl: await urlOf(sandbox),
    organisation: sandbox.organisation,
    parameters: sandbox.parameters,
    at: systemClock.now(),
    commandId: uuidFrom(`${sandbox.sandboxId}/${sandbox.generation}/building`, NAMESPACE),
  });

  /** A branch has the content of its snapshot. */
  const seeded =
    (what: SeedingTask['what']) =>
    async (sandbox: SandboxView, signal: AbortSignal): Promise<void> => {
      if (sandbox.branch === null) await seeding.seed(await seedingOf(sandbox, what), signal);
    };

  return {
    atOnceMax: availableParallelism(),

    build: withReasons({
      async database({ sandboxId, generation, organisation, branch }, signal) {
        const named = await names();
        const name = named.of(sandboxId, generation);
        if (branch === null) {
          seeding.prepare();
          return databases.create(name, await template.ready(), signal);
        }
        const from = named.ofSnapshot(branch.snapshotId);
        await fileStores?.copy(from, name, organisation, signal);
        await databases.copy(from, name, false, signal).catch((error: unknown) => {
          throw error instanceof NoSource ? new CannotBuild(SNAPSHOT_GONE, error) : error;
        });
        await withoutWebhooks(databases.urlOf(name), organisation, { logger, secrets, signal });
      },

      building: seeded('building'),

      telemetry: seeded('telemetry'),

      async stack(sandbox, signal) {
        if (sandbox.branch !== null) return;
        const { instance, release } = await instanceOf(sandbox);
        try {
          signal.throwIfAborted();
          const { platform } = instance;
          const { organisation, sandboxId, generation } = sandbox;
          await seedTickets(platform, {
            organisation,
            namespace: uuidFrom(`${sandboxId}/${generation}`, NAMESPACE),
            at: instance.clock.now(),
            seed: sandbox.parameters.seed,
          });
        } finally {
          release();
        }
      },

      async health(sandbox) {
        const { instance, release } = await instanceOf(sandbox);
        try {
          const { host } = new URL(parts.apiUrlOf(sandbox.slug));
          const request = { url: '/health/ready', headers: { host } };
          const { statusCode, body } = await instance.platform.app.inject(request);
          if (statusCode !== 200) throw new Error(`it is not healthy: ${body}`);
        } finally {
          release();
        }
      },
    }),

    buildingOf: async (sandbox) => sandbox.branch?.buildingId ?? buildingOf(sandbox),

    snapshots: parts.snapshots,

    async clear(sandboxId, before) {
      await active.end(sandboxId, before);
      const { read } = await names();
      const over = (await parts.stored()).flatMap((name) => {
        const owner = read(name);
        return owner?.sandboxId === sandboxId && (before === null || owner.generation < before)
          ? [{ name, ...owner }]
          : [];
      });
      await parts.over(over);
      for (const { name } of over) await parts.removed(name);
      if (before === null) await parts.gone(sandboxId);
    },
  };
};

/** An actionable cause is reported as the reason, whichever phase it occurs in. */
const withReasons = (build: SandboxBuilder['build']): SandboxBuilder['build'] => {
  const message =
    (work: SandboxBuilder['build'][Phase]): SandboxBuilder['build'][Phase] =>
    (sandbox, signal) =>
      work(sandbox, signal).catch((error: unknown) => {
        throw actionable(error);
      });
  const { database, building, telemetry, stack, health } = build;
  return {
    database: message(database),
    building: message(building),
    telemetry: message(telemetry),
    stack: message(stack),
    health: message(health),
  };
};

const SNAPSHOT_GONE =
  'The snapshot was deleted or expired before it was copied. Delete the sandbox and ' +
  'create one from another snapshot.';

const NAMESPACE = '7d1e8a34-1f5b-4f6c-8a55-0f3c9b6d2e41';
