/** Points between two rounds of a loop at which other work may use the loop's resources. */
export interface Safepoints {
  /** The loop has begun: safepoints will follow. */
  open(): void;
  /** Runs `work` at the next safepoint; rejects if there are no more. */
  atNext<T>(work: () => Promise<T>): Promise<T>;
  /** A safepoint: runs all waiting work, whose errors reject the callers of `atNext`. */
  run(): Promise<void>;
  /** The loop has ended: all present and future callers are rejected. */
  close(): void;
}

/** @param onRequest Called when a caller waits: the round may end early. */
export const safepoints = (onRequest: () => void): Safepoints => {
  const waiting = new Set<{ readonly run: () => Promise<void>; readonly reject: () => void }>();
  let opened = false;
  return {
    open() {
      opened = true;
    },
    atNext: (work) =>
      new Promise((resolve, reject) => {
        if (!opened) throw new NotRunHere();
        waiting.add({
          run: () => work().then(resolve, reject),
          reject: () => reject(new NotRunHere()),
        });
        onRequest();
      }),
    async run() {
      for (const waiter of waiting) {
        waiting.delete(waiter);
        await waiter.run();
      }
    },
    close() {
      opened = false;
      for (const waiter of waiting) {
        waiting.delete(waiter);
        waiter.reject();
      }
    },
  };
};

class NotRunHere extends Error {
  constructor() {
    super('it is not run here any more');
  }
}
