import { Pool, types, type ClientConfig } from 'pg';
import {
  DATABASE_CONNECT_TIMEOUT_MS,
  DATABASE_CONNECTIONS_MAX,
  DATABASE_IDLE_IN_TRANSACTION_MAX_MS,
  DATABASE_QUERY_TIMEOUT_MS,
  DATABASE_STATEMENT_TIMEOUT_MS,
} from '../limits.ts';
import type { Logger } from '../observe/logging.ts';

/** Connections to one Postgres database, for read models and everything else but the log. */
export interface Database {
  readonly pool: Pool;
  /** For callers with their own connections, possibly in another thread. */
  readonly url: string;
  /** Waits for the statements under way, then ends the connections. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly logger: Logger;
  /** Default {@link DATABASE_CONNECTIONS_MAX}. */
  readonly connectionsMax?: number;
  /** Called when data has arrived over a connection, before it is processed. */
  readonly arrived?: () => void;
}

/**
 * Opens nothing yet: the first statement connects. A Postgres that restarts fails the statements
 * under way and nothing else; the next ones connect anew.
 */
export const openDatabase = ({
  url,
  logger,
  connectionsMax = DATABASE_CONNECTIONS_MAX,
  arrived,
}: DatabaseOptions): Database => {
  const pool = new Pool({ ...clientConfig(url, 'atrium'), max: connectionsMax });
  const lost = (error: Error) => logger.warn({ err: error }, 'a database connection was lost');
  // Without a listener of its own, the end of a connection ends the process.
  pool.on('error', lost);
  pool.on('connect', (client) => {
    client.on('error', lost);
    if (arrived) client.connection.stream.prependListener('data', arrived);
  });
  let closed: Promise<void> | undefined;
  return {
    pool,
    url,
    close() {
      closed ??= pool.end();
      return closed;
    },
  };
};

/**
 * What every connection of ours has in common: a name, deadlines, and how values are read.
 * `int8` is a number and `timestamptz` an {@link Instant}, on these connections alone.
 */
export const clientConfig = (url: string, name: string): ClientConfig => ({
  connectionString: url,
  application_name: name,
  options: '-c timezone=UTC -c datestyle=ISO',
  connectionTimeoutMillis: DATABASE_CONNECT_TIMEOUT_MS,
  statement_timeout: DATABASE_STATEMENT_TIMEOUT_MS,
  query_timeout: DATABASE_QUERY_TIMEOUT_MS,
  idle_in_transaction_session_timeout: DATABASE_IDLE_IN_TRANSACTION_MAX_MS,
  keepAlive: true,
  types: {
    getTypeParser: (oid: number, format?: 'text' | 'binary') => {
      // The overloads of the original take each format on its own.
      if (format === 'binary') return types.getTypeParser(oid, format);
      if (oid === INT8) return Number;
      return oid === TIMESTAMPTZ ? instantOf : types.getTypeParser(oid);
    },
  },
});

const INT8: number = types.builtins.INT8;
const TIMESTAMPTZ: number = types.builtins.TIMESTAMPTZ;

const POSTGRES_UTC = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?\+00$/;

/** `2026-03-01 09:00:00.5+00` is `2026-03-01T09:00:00.500Z`. `infinity` stays as it is. */
const instantOf = (text: string): string => {
  const parts = POSTGRES_UTC.exec(text);
  if (parts) return `${parts[1]}T${parts[2]}.${(parts[3] ?? '').padEnd(3, '0').slice(0, 3)}Z`;
  const at = Date.parse(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
  return Number.isNaN(at) ? text : new Date(at).toISOString();
};
