import { Worker } from 'node:worker_threads';
import { THREAD_IDLE_MAX_MS } from '../limits.ts';

/**
 * A thread pool for one script. Loading the script takes longer than many tasks, so an idle thread
 * waits a while for the next task.
 */
export interface ReusableThreads {
  /** Starts a thread for a task that follows soon, unless one is idle. */
  prepare(): void;
  /** An idle thread, or a new one. The caller owns it until it is released or terminated. */
  acquire(): Worker;
  /** Releases a thread that has completed its task; the caller has removed its listeners. */
  release(thread: Worker): Promise<void>;
  /** Ends the idle threads, and each other one when it is released. */
  stop(): Promise<void>;
}

export interface ReusableThreadOptions {
  /** Receives tasks as messages. */
  readonly script: URL;
  readonly heapMaxMib: number;
  /** How long a thread waits for another task. Default {@link THREAD_IDLE_MAX_MS}. */
  readonly idleMaxMs?: number;
}

export const reusableThreads = ({
  script,
  heapMaxMib,
  idleMaxMs = THREAD_IDLE_MAX_MS,
}: ReusableThreadOptions): ReusableThreads => {
  /** Idle threads, with the timers that end them. */
  const idle = new Map<Worker, NodeJS.Timeout>();
  let stopped = false;

  const takeIdle = (thread: Worker): Worker => {
    clearTimeout(idle.get(thread));
    idle.delete(thread);
    thread.ref();
    return thread;
  };

  const release = async (thread: Worker): Promise<void> => {
    if (stopped) return void (await thread.terminate());
    thread.unref();
    const end = () => void takeIdle(thread).terminate();
    idle.set(thread, setTimeout(end, idleMaxMs).unref());
  };

  const started = (): Worker => {
    const thread = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: heapMaxMib } });
    // The task of an idle thread that ends goes to another one, which reports the reason.
    const forget = () => void takeIdle(thread);
    return thread.on('error', forget).on('exit', forget);
  };

  return {
    release,
    prepare() {
      if (idle.size === 0 && !stopped) void release(started());
    },
    acquire() {
      const [first] = idle.keys();
      return first ? takeIdle(first) : started();
    },
    async stop() {
      stopped = true;
      await Promise.all([...idle.keys()].map((thread) => takeIdle(thread).terminate()));
    },
  };
};
