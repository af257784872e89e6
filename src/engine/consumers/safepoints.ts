/** Between two rounds of a loop, when others may work on what the loop works on. */
export interface Safepoints {
  /** From here on there will be some. */
  open(): void;
  /** Runs `work` at the next pause point; rejects if there is none any more. */
  atNext<T>(work: () => Promise<T>): Promise<T>;
  /** A pause point: runs all that waits. What it throws is for who has asked. */
  run(): Promise<void>;
  /** There will be none: all present and future callers are rejected. */
  close(): void;
}

/** @param wanted Called when a caller waits: the round may end early. */
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
      for (const one of waiting) {
        waiting.delete(one);
        await one.run();
      }
    },
    close() {
      opened = false;
      for (const one of waiting) {
        waiting.delete(one);
        one.reject();
      }
    },
  };
};

class NotRunHere extends Error {
  constructor() {
    super('it is not run here any more');
  }
}
