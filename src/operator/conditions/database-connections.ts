import type { Pool } from 'pg';

export interface DatabaseConnections {
  readonly used: number;
  readonly max: number;
}

/**
 * Connections under the tightest of three limits: the server's, less those reserved for superusers,
 * the database's, and the login's.
 */
export const databaseConnections = async (
  pool: Pick<Pool, 'query'>,
): Promise<DatabaseConnections> => {
  const { rows } = await pool.query<DatabaseConnections>(
    `with clients as (
       select datname, usename from pg_stat_activity
       -- The kind is hidden from logins that may not see others' work.
       where datid is not null and coalesce(backend_type, 'client backend') = 'client backend'
     ), bounds as (
       select (select count(*) from clients)::int as used,
              current_setting('max_connections')::int
                - current_setting('superuser_reserved_connections')::int
                - coalesce(current_setting('reserved_connections', true)::int, 0) as max
       union all
       select (select count(*) from clients where datname = current_database())::int, datconnlimit
       from pg_database where datname = current_database() and datconnlimit >= 0
       union all
       select (select count(*) from clients where usename = current_user)::int, rolconnlimit
       from pg_roles where rolname = current_user and rolconnlimit >= 0
     )
     select used, max from bounds order by max - used limit 1`,
  );
  return rows[0]!;
};
