import type { Instant } from '../engine/aggregates/decider.ts';
import type { SandboxParameters } from '../domain/sandboxes/parameters.ts';
import { CannotBuild } from '../processes/sandboxes/cannot-build.ts';
import { actionable } from './databases.ts';
import { inThread, type GeneratorTask } from './generator-threads.ts';

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

/**
 * Generates in its own thread.
 *
 * @throws {@link CannotBuild} if a retry would fail too; errors of the database, with their codes.
 */
export const seed = async (task: SeedingTask, signal: AbortSignal): Promise<void> => {
  const script = new URL('./seeding-thread.ts', import.meta.url);
  const outcome = await inThread(script, task, signal).catch((error: unknown) => {
    throw actionable(error);
  });
  if (outcome.type === 'refused') throw new CannotBuild(outcome.reason);
};
