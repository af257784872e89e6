import type { Pool } from 'pg';

/** A pool whose statements pass through `through`, by name or text. */
export const poolThrough = (
  pool: Pool,
  through: (statement: string, send: () => Promise<unknown>) => Promise<unknown>,
): Pool =>
  new Proxy(pool, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member);
      if (typeof value !== 'function') return value;
      if (member !== 'query') return value.bind(target) as unknown;
      return (query: string | { name?: string; text: string }, ...rest: unknown[]) => {
        const statement = typeof query === 'string' ? query : (query.name ?? query.text);
        return through(statement, () => value.call(target, query, ...rest) as Promise<unknown>);
      };
    },
  });
