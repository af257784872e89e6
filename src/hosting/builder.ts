/** The work of each phase of provisioning. contract.md section 4. */
import { v5 as uuidFrom } from 'uuid';
import type { SandboxView } from '../domain/sandbox/view.ts';
import { openDatabase } from '../db/pool.ts';
import type { Graph } from '../graph/graph.ts';
import { postgresGraph } from '../graph/postgres-graph.ts';
import type { Logger } from '../ops/logging.ts';
import { systemClock } from '../ops/clock.ts';
import type { SandboxBuilder } from '../processes/sandbox-provisioning.ts';
import type { Awake } from './awake.ts';
import type { Databases } from './databases.ts';
import type { DatabaseNames } from './names.ts';
import { seed, type SeedingTask } from './seeding.ts';
import { seedTickets } from './tickets.ts';
import type { Template } from './template.ts';

export interface BuilderParts {
  readonly databases: Databases;
  readonly names: DatabaseNames;
  readonly template: Template;
  readonly awake: Pick<Awake, 'use' | 'end'>;
  readonly logger: Logger;
  readonly apiUrlOf: (slug: string) => string;
}

export const sandboxBuilder = (parts: BuilderParts): SandboxBuilder => {
  const { databases, names, template, awake, logger } = parts;

  const urlOf = ({ sandboxId, generation }: SandboxView) =>
    databases.urlOf(names.of(sandboxId, generation));

  const withGraph = async <Result>(
    sandbox: SandboxView,
    work: (graph: Graph) => Promise<Result>,
  ): Promise<Result> => {
    const db = openDatabase({ url: urlOf(sandbox), logger, connectionsMax: 1 });
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

  const seedingOf = (sandbox: SandboxView, what: SeedingTask['what']): SeedingTask => ({
    what,
    databaseUrl: urlOf(sandbox),
    organisation: sandbox.organisation,
    parameters: sandbox.parameters,
    at: systemClock.now(),
    commandId: uuidFrom(`${sandbox.sandboxId}/${sandbox.generation}/building`, NAMESPACE),
  });

  return {
    build: {
      async database({ sandboxId, generation }) {
        await databases.create(names.of(sandboxId, generation), await template.ready());
      },

      building: (sandbox, signal) => seed(seedingOf(sandbox, 'building'), signal),

      telemetry: (sandbox, signal) => seed(seedingOf(sandbox, 'telemetry'), signal),

      async stack(sandbox) {
        const { stack, release } = await awake.use(sandbox);
        try {
          const { platform } = stack;
          const { organisation, sandboxId, generation } = sandbox;
          await seedTickets(platform, {
            organisation,
            namespace: uuidFrom(`${sandboxId}/${generation}`, NAMESPACE),
            at: stack.clock.now(),
            seed: sandbox.parameters.seed,
          });
        } finally {
          release();
        }
      },

      async health(sandbox) {
        const { stack, release } = await awake.use(sandbox);
        try {
          const { host } = new URL(parts.apiUrlOf(sandbox.slug));
          const asked = { url: '/health/ready', headers: { host } };
          const { statusCode, body } = await stack.platform.app.inject(asked);
          if (statusCode !== 200) throw new Error(`it is not healthy: ${body}`);
        } finally {
          release();
        }
      },
    },

    buildingOf,

    async clear(sandboxId, kept) {
      await awake.end(sandboxId, kept);
      for (const name of await databases.names()) {
        const owner = names.read(name);
        if (owner?.sandboxId === sandboxId && owner.generation !== kept) await databases.drop(name);
      }
    },
  };
};

const NAMESPACE = '7d1e8a34-1f5b-4f6c-8a55-0f3c9b6d2e41';
