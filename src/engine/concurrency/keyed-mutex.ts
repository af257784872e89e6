/** Work of one key in the order of coming, work of different keys side by side. */
export interface InOrder {
  /** @param work Hears of its own failures: it must not throw. */
  run(key: string, work: () => Promise<void>): void;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

export const inOrder = (): InOrder => {
  const lasts = new Map<string, Promise<void>>();
  return {
    run(key, work) {
      const before = lasts.get(key);
      const turn = async () => {
        await before;
        await work();
        if (lasts.get(key) === own) lasts.delete(key);
      };
      const own = turn();
      lasts.set(key, own);
    },
    async idle() {
      while (lasts.size > 0) await Promise.all(lasts.values());
    },
  };
};
