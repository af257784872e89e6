import type { Instant } from '../engine/aggregates/decider.ts';
import type { SandboxParameters } from '../domain/sandboxes/parameters.ts';
import { CannotBuild } from '../processes/sandboxes/cannot-build.ts';
import { actionable } from './databases.ts';
import { generatorThreads, type GeneratorTask } from './generator-threads.ts';

/** Seeding of a sandbox. Idempotent. */
export interface SeedingTask extends GeneratorTask {
  readonly what: 'building' | 'telemetry';
  readonly organisation: string;
  readonly parameters: SandboxParameters;
  /** The end of the telemetry. */
  readonly at: Instant;
  /** UUID of the import. */
  readonly commandId: string;
}

export interface Seeding {
  /** Called before the first task of a sandbox, so that the thread is loaded meanwhile. */
  prepare(): void;
  /**
   * Generates in its own thread.
   *
   * @throws {@link CannotBuild} if a retry would fail too; errors of the database, with codes.
   */
  seed(task: SeedingTask, signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

export const seeding = (): Seeding => {
  const threads = generatorThreads(new URL('./seeding-thread.ts', import.meta.url));
  return {
    ...threads,
    async seed(task, signal) {
      const outcome = await threads.run(task, signal).catch((error: unknown) => {
        throw actionable(error);
      });
      if (outcome.type === 'refused') throw new CannotBuild(outcome.reason);
    },
  };
};
