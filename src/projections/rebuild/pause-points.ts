/** Work that waits for a place between two rounds of something else. */
export interface Interruptions {
  /** From here on there will be places. */
  open(): void;
  /** Asks for a place, and resolves with what `work` comes to there; rejects if there is none. */
  interrupt<T>(work: () => Promise<T>): Promise<T>;
  /** A place: does all that waits. What it throws is for who has asked. */
  run(): Promise<void>;
  /** There will be no place: everybody who waits or comes is told so. */
  refuse(): void;
}

/** @param wanted Called when somebody waits: the round may end. */
export const interruptions = (wanted: () => void): Interruptions => {
  const waiting = new Set<{ readonly run: () => Promise<void>; readonly refuse: () => void }>();
  let opened = false;
  return {
    open() {
      opened = true;
    },
    interrupt: (work) =>
      new Promise((resolve, reject) => {
        if (!opened) throw new NoPlace();
        waiting.add({
          run: () => work().then(resolve, reject),
          refuse: () => reject(new NoPlace()),
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
      opened = false;
      for (const one of waiting) {
        waiting.delete(one);
        one.refuse();
      }
    },
  };
};

class NoPlace extends Error {
  constructor() {
    super('it is not fed here any more');
  }
}
