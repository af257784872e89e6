/** So many at once; whoever comes then waits for a place, in the order of coming. */
export interface Slots {
  /** Resolves with what gives the place back; giving it back twice is giving it back once. */
  acquire(): Promise<() => void>;
}

export const slots = (count: number): Slots => {
  const waiting: (() => void)[] = [];
  let free = count;

  const release = () => {
    let held = true;
    return () => {
      if (!held) return;
      held = false;
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
