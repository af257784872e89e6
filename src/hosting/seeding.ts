import { Worker } from 'node:worker_threads';
import type { Instant } from '../engine/aggregates/decider.ts';
import type { SandboxParameters } from '../domain/sandboxes/parameters.ts';
import { SANDBOX_SEEDING_HEAP_MAX_MIB } from './limits.ts';
import { CannotBuild } from '../processes/sandboxes/cannot-build.ts';
import { actionable } from './databases.ts';

/** Seeding of a sandbox. Idempotent. */
export interface SeedingTask {
  readonly what: 'building' | 'telemetry';
  /** Of the sandbox's own database. */
  readonly databaseUrl: string;
  readonly organisation: string;
  readonly parameters: SandboxParameters;
  /** The end of the telemetry. */
  readonly at: Instant;
  /** UUID of the import. */
  readonly commandId: string;
}

export type SeedingOutcome =
  | { readonly type: 'done' }
  | { readonly type: 'refused'; readonly reason: string }
  /** Errors lose their codes between threads. */
  | { readonly type: 'failed'; readonly message: string; readonly code: string | undefined };

/**
 * Generates in its own thread: a large building takes seconds of CPU time, which must not block
 * requests.
 *
 * @throws {@link CannotBuild} if a retry would fail too; errors of the database, with their codes.
 */
export const seed = async (task: SeedingTask, signal: AbortSignal): Promise<void> => {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./seeding-thread.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: SANDBOX_SEEDING_HEAP_MAX_MIB },
  });
  const stop = () => void worker.terminate();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const outcome = await new Promise<SeedingOutcome>((resolve, reject) => {
      worker.on('message', resolve);
      worker.on('error', reject);
      worker.on('exit', () => reject(new Error('the thread ended without a word')));
    });
    if (outcome.type === 'refused') throw new CannotBuild(outcome.reason);
    if (outcome.type === 'failed')
      throw actionable(Object.assign(new Error(outcome.message), { code: outcome.code }));
  } finally {
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
};
