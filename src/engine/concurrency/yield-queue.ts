/**
 * A FIFO queue of callers that resume in separate turns of the event loop, so that their next steps
 * do not add up to one long turn. Callers whose weights sum to less than `weightMax` share a turn.
 *
 * @param weightMax Default 1.
 * @returns Waits for the caller's turn. The weight's default is `weightMax`: a turn of its own.
 */
export const yieldQueue = (weightMax = 1): ((weight?: number) => Promise<void>) => {
  const waiting: { readonly weight: number; readonly go: () => void }[] = [];
  let left = weightMax;
  let isScheduled = false;

  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(next);
  };
  const next = () => {
    isScheduled = false;
    left = weightMax;
    do {
      const first = waiting.shift();
      if (!first) return;
      left -= first.weight;
      first.go();
    } while (left > (waiting[0]?.weight ?? 0));
    schedule();
  };

  return (weight = weightMax) => {
    schedule();
    if (waiting.length === 0 && weight < left) {
      left -= weight;
      return Promise.resolve();
    }
    return new Promise((go) => waiting.push({ weight, go }));
  };
};
