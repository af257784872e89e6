import type { ClientBase, Pool } from 'pg';

/** The number of connections to the current database that wait for a lock. */
export const lockWaits = async (db: Pick<ClientBase, 'query'> | Pool): Promise<number> => {
  const { rowCount } = await db.query(
    `select from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rowCount ?? 0;
};
