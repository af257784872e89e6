/** Postgres: versions, sizes and slow tables, with no data but the names of tables. */
import type { Pool } from 'pg';
import { appliedMigrations } from '../../engine/postgres/migrate.ts';
import { databaseConnections } from '../conditions/database-connections.ts';
import { SUPPORT_ROWS_MAX } from '../limits.ts';

const SETTINGS = ['max_connections', 'shared_buffers', 'work_mem', 'fsync', 'synchronous_commit'];

export const databaseSection = async (pool: Pool): Promise<object> => {
  const rowsOf = async (statement: string, values: readonly unknown[]) =>
    (await pool.query<Record<string, unknown>>(statement, [...values])).rows;
  return {
    version: (await rowsOf(`select current_setting('server_version') as version`, []))[0]?.[
      'version'
    ],
    bytes: (await rowsOf('select pg_database_size(current_database()) as bytes', []))[0]?.['bytes'],
    settings: await rowsOf(
      'select name, setting, unit from pg_settings where name = any($1) order by name',
      [SETTINGS],
    ),
    connections: await databaseConnections(pool),
    migrations: await appliedMigrations(pool),
    tables: await rowsOf(
      `select schemaname as schema, relname as name, pg_total_relation_size(relid) as bytes,
              n_live_tup as rows, n_dead_tup as dead, seq_scan as scans, seq_tup_read as scanned
       from pg_stat_user_tables order by 3 desc limit $1`,
      [SUPPORT_ROWS_MAX],
    ),
    // Without the text of statements, which may quote values.
    transactions: await rowsOf(
      `select application_name as name, state, wait_event_type as waits, xact_start as since
       from pg_stat_activity
       where datname = current_database() and xact_start is not null
         and pid <> pg_backend_pid()
       order by xact_start limit $1`,
      [SUPPORT_ROWS_MAX],
    ),
  };
};

/** The parked streams, without the reason, which may quote an event. */
export const parkedSection = async (pool: Pool): Promise<readonly object[]> => {
  const { rows } = await pool.query<{ consumer: string; stream: string }>(
    `select consumer, stream, event_id as "eventId", revision, position,
            parked_at as "parkedAt", skipped
     from consumers.parked order by consumer, stream limit $1`,
    [SUPPORT_ROWS_MAX],
  );
  return rows;
};
