/**
 * Lets those who wait go on one by one, each in a turn of the event loop of its own: what they do
 * next takes long together, and all of them would otherwise go on at once when the answer comes
 * that they have waited for. Several whose weights are less than `weightMax` together share a turn.
 *
 * @param weightMax Default 1.
 * @returns Resolves when it is one's turn, in the order of the calls. Weight: default `weightMax`.
 */
export const oneATurn = (weightMax = 1): ((weight?: number) => Promise<void>) => {
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
