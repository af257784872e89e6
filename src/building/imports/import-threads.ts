/**
 * Threads of imports. Starting one costs 150 ms or more of CPU, so a thread that has ended a small
 * import waits for the next one for a while.
 */
import { Worker } from 'node:worker_threads';
import { IMPORT_HEAP_MAX_MIB, IMPORT_THREAD_IDLE_MAX_MS } from './limits.ts';

/** At most as many threads as there ever were imports at once. */
export interface ImportThreads {
  /** A thread that waits for a task: one that was released, or a new one. */
  acquire(): Worker;
  /** Takes back a thread that has answered its task, and ends it if no import comes soon. */
  release(thread: Worker): void;
}

export interface ImportThreadOptions {
  /** Memory that one import may use. Default {@link IMPORT_HEAP_MAX_MIB}. */
  readonly heapMaxMib?: number;
  /** How long a thread waits for its next import. Default {@link IMPORT_THREAD_IDLE_MAX_MS}. */
  readonly idleMaxMs?: number;
}

export const importThreads = ({
  heapMaxMib = IMPORT_HEAP_MAX_MIB,
  idleMaxMs = IMPORT_THREAD_IDLE_MAX_MS,
}: ImportThreadOptions = {}): ImportThreads => {
  const idle = new Map<Worker, NodeJS.Timeout>();
  return {
    acquire() {
      const last = [...idle].at(-1);
      if (!last)
        return new Worker(new URL('./thread.ts', import.meta.url), {
          resourceLimits: { maxOldGenerationSizeMb: heapMaxMib },
        });
      const [thread, timer] = last;
      idle.delete(thread);
      clearTimeout(timer);
      forget(thread);
      thread.ref();
      return thread;
    },
    release(thread) {
      forget(thread);
      // It fails no import, and is none to be used again.
      for (const event of ['error', 'exit'])
        thread.on(event, () => {
          clearTimeout(idle.get(thread));
          idle.delete(thread);
        });
      thread.unref();
      idle.set(thread, setTimeout(() => void thread.terminate(), idleMaxMs).unref());
    },
  };
};

/** Not all listeners: the thread has one of its own, without which no message arrives. */
const forget = (thread: Worker) => {
  for (const event of ['message', 'error', 'exit']) thread.removeAllListeners(event);
};
