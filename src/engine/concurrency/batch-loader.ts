export interface BatchLoaderOptions<Key> {
  /** Of one question; more are asked in several at once. */
  readonly keysMax: number;
  /** Keys of different names are not asked for together. */
  readonly groupOf: (key: Key) => string;
}

/**
 * One question in place of many: what is asked under one name in one turn of the event loop is
 * asked together, in the next one. So nobody is answered from before he asked, and nobody waits
 * for, or fails with, what is asked under another name.
 *
 * @param ask Answers in the order of the keys. Where it fails, all who asked together fail.
 */
export const batchLoader = <Key, Answer>(
  ask: (name: string, keys: readonly Key[]) => Promise<readonly Answer[]>,
  { keysMax, groupOf }: BatchLoaderOptions<Key>,
): ((key: Key) => Promise<Answer>) => {
  let waiting: Asked<Key, Answer>[] = [];

  const answer = async (name: string, asked: readonly Asked<Key, Answer>[]) => {
    try {
      const answers = await ask(
        name,
        asked.map(({ key }) => key),
      );
      for (const [at, { resolve }] of asked.entries()) resolve(answers[at]!);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  };
  const askAll = () => {
    const all = Map.groupBy(waiting, ({ key }) => groupOf(key));
    waiting = [];
    for (const [name, its] of all)
      for (let at = 0; at < its.length; at += keysMax)
        void answer(name, its.slice(at, at + keysMax));
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
