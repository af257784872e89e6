/** The work of each phase of provisioning. contract.md section 4. */
import { v5 as uuidFrom } from 'uuid';
import type { Instant } from '../domain/decider.ts';
import { isRefusal } from '../domain/decider.ts';
import { buildingDocument } from '../domain/sandbox/generator/building.ts';
import type { SandboxView } from '../domain/sandbox/view.ts';
import { openDatabase } from '../db/pool.ts';
import type { Graph } from '../graph/graph.ts';
import { postgresGraph } from '../graph/postgres-graph.ts';
import type { Logger } from '../ops/logging.ts';
import type { Clock } from '../ops/clock.ts';
import { CannotBuild, type SandboxBuilder } from '../processes/sandbox-provisioning.ts';
import type { Awake } from './awake.ts';
import type { Databases } from './databases.ts';
import type { DatabaseNames } from './names.ts';
import { seedTickets } from './tickets.ts';
import type { Template } from './template.ts';

export interface BuilderParts {
  readonly databases: Databases;
  readonly names: DatabaseNames;
  readonly template: Template;
  readonly awake: Pick<Awake, 'use' | 'end'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly apiUrlOf: (slug: string) => string;
}

export const sandboxBuilder = (parts: BuilderParts): SandboxBuilder => {
  const { databases, names, template, awake, clock, logger } = parts;

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

  return {
    build: {
      async database({ sandboxId, generation }) {
        await databases.create(names.of(sandboxId, generation), await template.ready());
      },

      async building(sandbox) {
        const outcome = await withGraph(sandbox, (graph) =>
          graph.importBuilding(
            sandbox.organisation,
            buildingDocument(sandbox.parameters),
            // Named, so that a phase which was interrupted finds what it has done.
            { ...seedingOf(sandbox, clock.now()), bodyHash: 'sandbox' },
          ),
        );
        if (isRefusal(outcome)) throw new CannotBuild(`No building: ${outcome.detail}`);
      },

      async telemetry() {},

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

const seedingOf = ({ sandboxId, generation }: SandboxView, at: Instant) => ({
  at,
  by: SEEDING,
  commandId: uuidFrom(`${sandboxId}/${generation}/building`, NAMESPACE),
});

const SEEDING = { kind: 'system', id: 'sandbox-seeding' } as const;
const NAMESPACE = '7d1e8a34-1f5b-4f6c-8a55-0f3c9b6d2e41';
