/**
 * Lets those who wait go on one by one, each in a turn of the event loop of its own: what they do
 * next takes long together, and all of them would otherwise go on at once when the answer comes
 * that they have waited for.
 *
 * @returns Resolves when it is one's turn, in the order of the calls.
 */
export const oneATurn = (): (() => Promise<void>) => {
  const waiting: (() => void)[] = [];
  const next = () => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(next);
  };
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(next);
    });
};
