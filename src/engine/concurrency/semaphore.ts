/** A FIFO semaphore. */
export interface Semaphore {
  /**
   * Resolves with the idempotent function that releases the permit.
   *
   * @param signal Ends the wait: rejects with its reason.
   */
  acquire(signal?: AbortSignal): Promise<() => void>;
  /** Runs `task` with a permit. @param signal Of {@link acquire}. */
  run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export const semaphore = (count: number): Semaphore => {
  const waiting: (() => void)[] = [];
  let free = count;

  const release = () => {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    };
  };

  const acquire = async (signal?: AbortSignal): Promise<() => void> => {
    signal?.throwIfAborted();
    if (free > 0) {
      free -= 1;
      return release();
    }
    return new Promise((resolve, reject) => {
      const grant = () => {
        signal?.removeEventListener('abort', giveUp);
        resolve(release());
      };
      const giveUp = () => {
        waiting.splice(waiting.indexOf(grant), 1);
        reject(signal!.reason as Error);
      };
      waiting.push(grant);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  };

  return {
    acquire,

    async run(task, signal) {
      const done = await acquire(signal);
      try {
        return await task();
      } finally {
        done();
      }
    },
  };
};

/**
 * Calls `work` for each item, in order, at most `countMax` at once. Resolves when all calls have
 * ended.
 *
 * @throws What the first failed call threw; after a failure no further item is begun.
 */
export const forEachConcurrently = async <Item>(
  items: Iterable<Item>,
  countMax: number,
  work: (item: Item) => Promise<void>,
): Promise<void> => {
  const queue = Iterator.from(items);
  const failures: unknown[] = [];
  const worker = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) {
      await work(next.value).catch((error: unknown) => failures.push(error));
      if (failures.length > 0) return;
    }
  };
  await Promise.all(Array.from({ length: countMax }, worker));
  if (failures.length > 0) throw failures[0];
};
