import type { Pool, PoolClient, QueryResult } from 'pg';

/** A pool that passes each of its statements to `watch`, which runs it, or fails instead. */
export const watchedPool = (
  pool: Pool,
  watch: (
    text: string,
    values: readonly unknown[],
    run: () => Promise<QueryResult>,
  ) => Promise<QueryResult>,
): Pool => {
  const watched = <Source extends Pool | PoolClient>(source: Source): Source =>
    new Proxy(source, {
      get(target, name) {
        if (name === 'connect') return async () => watched(await (target as Pool).connect());
        if (name === 'query')
          return (text: string, values: unknown[] = []) =>
            watch(text, values, () => (target as Pool).query(text, values));
        const member = Reflect.get(target, name, target) as unknown;
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
  return watched(pool);
};
