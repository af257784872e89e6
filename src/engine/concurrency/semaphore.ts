/** A FIFO semaphore. */
export interface Semaphore {
  /** Resolves with the idempotent function that releases the permit. */
  acquire(): Promise<() => void>;
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

  return {
    acquire() {
      if (free > 0) {
        free -= 1;
        return Promise.resolve(release());
      }
      return new Promise((resolve) => waiting.push(() => resolve(release())));
    },
  };
};
