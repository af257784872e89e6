/** A FIFO semaphore. */
export interface Semaphore {
  /** Resolves with the idempotent function that releases the permit. */
  acquire(): Promise<() => void>;
  /** Runs `task` with a permit. */
  run<T>(task: () => Promise<T>): Promise<T>;
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

  const acquire = () => {
    if (free > 0) {
      free -= 1;
      return Promise.resolve(release());
    }
    return new Promise<() => void>((resolve) => waiting.push(() => resolve(release())));
  };

  return {
    acquire,

    async run(task) {
      const done = await acquire();
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
 * @throws What the first of the failed workers threw; the others finish what is left.
 */
export const forEachConcurrently = async <Item>(
  items: Iterable<Item>,
  countMax: number,
  work: (item: Item) => Promise<void>,
): Promise<void> => {
  const queue = Iterator.from(items);
  const worker = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) await work(next.value);
  };
  for (const ended of await Promise.allSettled(Array.from({ length: countMax }, worker)))
    if (ended.status === 'rejected') throw ended.reason;
};
