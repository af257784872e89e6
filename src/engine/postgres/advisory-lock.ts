import type { ClientBase } from 'pg';

/** Acquires the exclusive lock of this name, in all processes, until the transaction ends. */
export const lockName = async (client: Pick<ClientBase, 'query'>, name: string): Promise<void> => {
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
};
