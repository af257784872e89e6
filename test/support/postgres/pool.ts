import { Pool, type PoolConfig } from 'pg';

/**
 * A pool whose connections may be ended from outside: `end` does not wait until the server has
 * let go of them, and the database is dropped at once. Without a listener that would be an error
 * which no test handles.
 */
export const poolOf = (url: string, options: PoolConfig = {}): Pool => {
  const pool = new Pool({ ...options, connectionString: url });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
};
