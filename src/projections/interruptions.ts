/** Work that waits for a place between two rounds of something else. */
export interface Interruptions {
  /** Asks for a place, and resolves with what `work` comes to there. */
  interrupt<T>(work: () => Promise<T>): Promise<T>;
  /** A place: does all that waits. What it throws is for who has asked. */
  run(): Promise<void>;
  /** There will be no place: everybody who waits is told so. */
  refuse(): void;
}

/** @param wanted Called when somebody waits: the round may end. */
export const interruptions = (wanted: () => void): Interruptions => {
  const waiting = new Set<{ readonly run: () => Promise<void>; readonly refuse: () => void }>();
  return {
    interrupt: (work) =>
      new Promise((resolve, reject) => {
        waiting.add({
          run: () => work().then(resolve, reject),
          refuse: () => reject(new Error('it is not fed here any more')),
        });
        wanted();
      }),
    async run() {
      for (const one of waiting) {
        waiting.delete(one);
        await one.run();
      }
    },
    refuse() {
      for (const one of waiting) {
        waiting.delete(one);
        one.refuse();
      }
    },
  };
};
