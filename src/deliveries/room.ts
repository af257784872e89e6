/** How much more may be held in memory; who comes when it is full waits in turn. */
export interface Room {
  /** Takes so much now, if there is room and nobody waits for it. */
  take(count: number): boolean;
  /** The same, after `waitMs` at most. */
  wait(count: number, waitMs: number, signal: AbortSignal): Promise<boolean>;
  give(count: number): void;
}

/** What is taken last may exceed `max`, so that nothing is too large ever to be taken. */
export const roomFor = (max: number): Room => {
  let taken = 0;
  const waiting = new Set<() => void>();

  return {
    take(count) {
      if (taken >= max || waiting.size > 0) return false;
      taken += count;
      return true;
    },

    give(count) {
      taken -= count;
      for (const go of waiting) {
        if (taken >= max) return;
        go();
      }
    },

    wait: (count, waitMs, signal) =>
      new Promise((resolve) => {
        const end = (hasRoom: boolean) => {
          clearTimeout(timer);
          signal.removeEventListener('abort', giveUp);
          waiting.delete(go);
          resolve(hasRoom);
        };
        const go = () => {
          taken += count;
          end(true);
        };
        const giveUp = () => end(false);
        const timer = setTimeout(giveUp, waitMs);
        signal.addEventListener('abort', giveUp, { once: true });
        waiting.add(go);
      }),
  };
};
