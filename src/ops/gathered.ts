/**
 * One question in place of many: what is asked in one turn of the event loop is asked together, in
 * the next one. So nobody is answered from before he asked.
 *
 * @param ask Answers in the order of the keys. Where it fails, all who asked together fail.
 * @param keysMax Of one question; more are asked in several at once.
 */
export const gathered = <Key, Answer>(
  ask: (keys: readonly Key[]) => Promise<readonly Answer[]>,
  keysMax: number,
): ((key: Key) => Promise<Answer>) => {
  let waiting: Asked<Key, Answer>[] = [];

  const answer = async (asked: readonly Asked<Key, Answer>[]) => {
    try {
      const answers = await ask(asked.map(({ key }) => key));
      for (const [at, { resolve }] of asked.entries()) resolve(answers[at]!);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  };
  const askAll = () => {
    const all = waiting;
    waiting = [];
    for (let at = 0; at < all.length; at += keysMax) void answer(all.slice(at, at + keysMax));
  };

  return (key) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ key, resolve, reject }) === 1) setImmediate(askAll);
    });
};

interface Asked<Key, Answer> {
  readonly key: Key;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}
