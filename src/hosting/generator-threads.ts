/**
 * Threads that generate a building and its values: a large one takes seconds of CPU time, which
 * must not block requests.
 */
import { Worker } from 'node:worker_threads';
import { GENERATOR_THREAD_IDLE_MAX_MS, SANDBOX_SEEDING_HEAP_MAX_MIB } from './limits.ts';

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

type Answered = Exclude<GeneratorOutcome, { type: 'failed' }>;

/**
 * Threads of one script. To load it takes longer than most tasks, so a thread waits
 * {@link GENERATOR_THREAD_IDLE_MAX_MS} for another task.
 */
export interface GeneratorThreads {
  /** Starts a thread for a task that follows soon, unless one is idle. */
  prepare(): void;
  /**
   * Runs the script with the task.
   *
   * @param signal Ends the thread.
   * @throws The error of a failure, with its code; whatever ends the thread before its answer.
   */
  run(task: GeneratorTask, signal: AbortSignal): Promise<Answered>;
  /** Ends the idle threads, and each other one after its task. */
  stop(): Promise<void>;
}

export const generatorThreads = (script: URL): GeneratorThreads => {
  /** With the timers that end them. */
  const idle = new Map<Worker, NodeJS.Timeout>();
  let stopped = false;

  const taken = (worker: Worker): Worker => {
    clearTimeout(idle.get(worker));
    idle.delete(worker);
    worker.ref();
    return worker;
  };

  const keep = (worker: Worker): void => {
    worker.unref();
    const end = () => void taken(worker).terminate();
    idle.set(worker, setTimeout(end, GENERATOR_THREAD_IDLE_MAX_MS).unref());
  };

  const started = (): Worker => {
    const worker = new Worker(script, {
      resourceLimits: { maxOldGenerationSizeMb: SANDBOX_SEEDING_HEAP_MAX_MIB },
    });
    // The task of an idle thread that ends goes to another one, which reports the reason.
    const forget = () => void taken(worker);
    return worker.on('error', forget).on('exit', forget);
  };

  return {
    prepare() {
      if (idle.size === 0 && !stopped) keep(started());
    },

    async run(task, signal) {
      signal.throwIfAborted();
      const [first] = idle.keys();
      const worker = first ? taken(first) : started();
      const end = () => void worker.terminate();
      signal.addEventListener('abort', end, { once: true });
      let answered = false;
      try {
        const outcome = await answerOf(worker, task);
        answered = true;
        if (outcome.type === 'failed')
          throw Object.assign(new Error(outcome.message), { code: outcome.code });
        return outcome;
      } finally {
        signal.removeEventListener('abort', end);
        if (answered && !stopped && !signal.aborted) keep(worker);
        else await worker.terminate();
      }
    },

    async stop() {
      stopped = true;
      await Promise.all([...idle.keys()].map((worker) => taken(worker).terminate()));
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
