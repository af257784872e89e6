/**
 * Threads that generate a building and its values: a large one takes seconds of CPU time, which
 * must not block requests.
 */
import type { Worker } from 'node:worker_threads';
import { reusableThreads, type ReusableThreads } from '../engine/concurrency/reusable-threads.ts';
import { SANDBOX_SEEDING_HEAP_MAX_MIB } from './limits.ts';

export interface GeneratorTask {
  /** The sandbox's own database. */
  readonly databaseUrl: string;
}

export type GeneratorOutcome =
  /** The result is unchecked: no type passes between threads. */
  | { readonly type: 'done'; readonly result: unknown }
  | { readonly type: 'refused'; readonly reason: string }
  /** Errors lose their codes between threads. */
  | { readonly type: 'failed'; readonly message: string; readonly code: string | undefined };

type Answered = Exclude<GeneratorOutcome, { type: 'failed' }>;

export interface GeneratorThreads extends Pick<ReusableThreads, 'prepare' | 'stop'> {
  /**
   * Runs the script with the task.
   *
   * @param signal Ends the thread.
   * @throws The error of a failure, with its code; the error that ends the thread early.
   */
  run(task: GeneratorTask, signal: AbortSignal): Promise<Answered>;
}

export const generatorThreads = (script: URL): GeneratorThreads => {
  const threads = reusableThreads({ script, heapMaxMib: SANDBOX_SEEDING_HEAP_MAX_MIB });
  return {
    ...threads,
    async run(task, signal) {
      signal.throwIfAborted();
      const thread = threads.acquire();
      const end = () => void thread.terminate();
      signal.addEventListener('abort', end, { once: true });
      let answered = false;
      try {
        const outcome = await answerOf(thread, task);
        answered = true;
        if (outcome.type === 'failed')
          throw Object.assign(new Error(outcome.message), { code: outcome.code });
        return outcome;
      } finally {
        signal.removeEventListener('abort', end);
        if (answered && !signal.aborted) await threads.release(thread);
        else await thread.terminate();
      }
    },
  };
};

const answerOf = async (worker: Worker, task: GeneratorTask): Promise<GeneratorOutcome> => {
  const { promise, resolve, reject } = Promise.withResolvers<GeneratorOutcome>();
  const ended = () => reject(new Error('the thread ended without a word'));
  worker.on('message', resolve).on('error', reject).on('exit', ended);
  try {
    worker.postMessage(task, []);
    return await promise;
  } finally {
    worker.off('message', resolve).off('error', reject).off('exit', ended);
  }
};
