/**
 * Threads that generate a building and its values: a large one takes seconds of CPU time, which
 * must not block requests.
 */
import { Worker } from 'node:worker_threads';
import { SANDBOX_SEEDING_HEAP_MAX_MIB } from './limits.ts';

export interface GeneratorTask {
  /** Of the sandbox's own database. */
  readonly databaseUrl: string;
}

export type GeneratorOutcome =
  /** The result is what the script says of itself: no type passes between threads. */
  | { readonly type: 'done'; readonly result: unknown }
  | { readonly type: 'refused'; readonly reason: string }
  /** Errors lose their codes between threads. */
  | { readonly type: 'failed'; readonly message: string; readonly code: string | undefined };

/**
 * Runs a script with the task.
 *
 * @param signal Ends the thread.
 * @throws The error of a failure, with its code; whatever ends the thread before its answer.
 */
export const inThread = async (
  script: URL,
  task: GeneratorTask,
  signal: AbortSignal,
): Promise<Exclude<GeneratorOutcome, { type: 'failed' }>> => {
  signal.throwIfAborted();
  const worker = new Worker(script, {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: SANDBOX_SEEDING_HEAP_MAX_MIB },
  });
  const stop = () => void worker.terminate();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const outcome = await new Promise<GeneratorOutcome>((resolve, reject) => {
      worker.on('message', resolve);
      worker.on('error', reject);
      worker.on('exit', () => reject(new Error('the thread ended without a word')));
    });
    if (outcome.type === 'failed')
      throw Object.assign(new Error(outcome.message), { code: outcome.code });
    return outcome;
  } finally {
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
};
