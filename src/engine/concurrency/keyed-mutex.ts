import { Unavailable } from './unavailable.ts';

/** One task at a time per key, in FIFO order; tasks of different keys run concurrently. */
export interface KeyedMutex {
  /** Resolves or rejects as `task` does. */
  run<T>(key: string, task: () => Promise<T>): Promise<T>;
  /** Whether a task of this key is running or queued. */
  isHeld(key: string): boolean;
  /** Resolves when no task is running or queued. */
  idle(): Promise<void>;
}

/**
 * A task that fails with {@link Unavailable} rejects all tasks queued behind it: if each waited
 * for its own deadline, the last would wait for the sum of them. Other failures are the task's own.
 */
export const keyedMutex = (): KeyedMutex => {
  const tails = new Map<string, Promise<unknown>>();

  return {
    run(key, task) {
      const before = tails.get(key);
      const result = before ? before.then(task) : task();
      const tail: Promise<unknown> = result.catch((error: unknown) => {
        if (error instanceof Unavailable) throw error;
      });
      tails.set(key, tail);
      const leave = () => {
        if (tails.get(key) === tail) tails.delete(key);
      };
      tail.then(leave, leave);
      return result;
    },

    isHeld: (key) => tails.has(key),

    async idle() {
      while (tails.size > 0) await Promise.allSettled(tails.values());
    },
  };
};
