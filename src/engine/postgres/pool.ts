import {
  Pool,
  types,
  type ClientConfig,
  type PoolClient,
  type PoolConfig,
  type Submittable,
} from 'pg';
import { deadlines, type Deadlines } from '../concurrency/deadlines.ts';
import {
  DATABASE_CONNECT_TIMEOUT_MS,
  DATABASE_CONNECTIONS_MAX,
  DATABASE_IDLE_IN_TRANSACTION_MAX_MS,
  DATABASE_KEEP_ALIVE_MS,
  DATABASE_QUERY_PRECISION_MS,
  DATABASE_QUERY_TIMEOUT_MS,
  DATABASE_STATEMENT_TIMEOUT_MS,
} from '../limits.ts';
import type { Logger } from '../observe/logging.ts';

/** Connections to one Postgres database, for read models and everything else but the log. */
export interface Database {
  readonly pool: Pool;
  /** For callers with their own connections, possibly in another thread. */
  readonly url: string;
  /** Waits for the statements in flight, then ends the connections. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly logger: Logger;
  /** Default {@link DATABASE_CONNECTIONS_MAX}. */
  readonly connectionsMax?: number;
  /**
   * Of a statement, its wait for earlier ones included. Default {@link DATABASE_QUERY_TIMEOUT_MS}.
   */
  readonly queryMaxMs?: number;
  /** Called when data has arrived over a connection, before it is processed. */
  readonly arrived?: () => void;
}

/**
 * Opens nothing yet: the first statement connects. A Postgres that restarts fails only the
 * statements in flight; the next ones reconnect.
 */
export const openDatabase = ({
  url,
  logger,
  connectionsMax = DATABASE_CONNECTIONS_MAX,
  queryMaxMs = DATABASE_QUERY_TIMEOUT_MS,
  arrived,
}: DatabaseOptions): Database => {
  const pool = poolOn(url, 'atrium', { query_timeout: 0, max: connectionsMax, logger });
  const watched = deadlines(DATABASE_QUERY_PRECISION_MS);
  pool.on('connect', (client) => {
    boundStatements(client, watched, queryMaxMs);
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

export interface PoolOptions extends PoolConfig {
  /** For lost connections. Default: none, because the statement in flight reports it too. */
  readonly logger?: Logger;
}

/**
 * A pool for one task. Without listeners of its own, the end of a connection would end the process
 * or thread: those of the pool do not cover a connection in use.
 *
 * @param name Shown in `pg_stat_activity`.
 */
export const poolOn = (
  url: string,
  name: string,
  { logger, ...options }: PoolOptions = {},
): Pool => {
  const pool = new Pool({ ...clientConfig(url, name), ...options });
  const lost = (error: Error) => logger?.warn({ err: error }, 'a database connection was lost');
  pool.on('error', lost);
  pool.on('connect', (client) => client.on('error', lost));
  return pool;
};

/**
 * Ends the connection on which a statement is not answered in time. pg's `query_timeout` has a
 * timer per statement, beside which rows stay in memory until a full garbage collection:
 * docs/decisions/0135.
 */
const boundStatements = (client: PoolClient, watched: Deadlines, maxMs: number): void => {
  const send = client.query.bind(client) as (...sent: readonly unknown[]) => unknown;
  // One function for all statements: a deadline refers to none of their rows.
  const late = () => client.connection.stream.destroy(new Error('Query read timeout'));
  client.query = ((...sent: readonly unknown[]) => {
    const [statement, callback] = [sent[0], sent.at(-1)];
    if (typeof callback === 'function') {
      const callOff = watched.within(maxMs, late);
      return send(...sent.slice(0, -1), (...answer: readonly unknown[]) => {
        callOff();
        callback(...answer);
      });
    }
    // A stream of rows does not report its end.
    if (isSubmittable(statement)) return send(Object.assign(statement, { query_timeout: maxMs }));
    const answer = send(...sent) as Promise<unknown>;
    const callOff = watched.within(maxMs, late);
    answer.then(callOff, callOff);
    return answer;
  }) as typeof client.query;
};

const isSubmittable = (statement: unknown): statement is Submittable =>
  typeof statement === 'object' && statement !== null && 'submit' in statement;

/**
 * The configuration of all our connections: a name, deadlines, and how values are read. `int8` is a
 * number and `timestamptz` an {@link Instant}, on these connections alone.
 */
export const clientConfig = (url: string, name: string): ClientConfig =>
  configuredAt(url, {
    application_name: name,
    options: '-c timezone=UTC -c datestyle=ISO',
    connectionTimeoutMillis: DATABASE_CONNECT_TIMEOUT_MS,
    statement_timeout: DATABASE_STATEMENT_TIMEOUT_MS,
    query_timeout: DATABASE_QUERY_TIMEOUT_MS,
    idle_in_transaction_session_timeout: DATABASE_IDLE_IN_TRANSACTION_MAX_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: DATABASE_KEEP_ALIVE_MS,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') => {
        // The original has one overload per format.
        if (format === 'binary') return types.getTypeParser(oid, format);
        if (oid === INT8) return Number;
        return oid === TIMESTAMPTZ ? instantOf : types.getTypeParser(oid);
      },
    },
  });

/**
 * `settings` for the server at `url`. pg prefers the parameters of a connection string, so those
 * that `settings` has are removed; of `options` both apply, the ones of `settings` last.
 */
export const configuredAt = (url: string, settings: ClientConfig): ClientConfig => {
  const [address, query] = url.split(/\?(.*)/s, 2);
  const parameters = new URLSearchParams(query);
  const options = [...parameters.getAll('options'), settings.options ?? ''].join(' ').trim();
  parameters.delete('options');
  for (const name of Object.keys(settings)) parameters.delete(name);
  const connectionString = parameters.size === 0 ? address : `${address}?${parameters.toString()}`;
  return { ...settings, ...(options !== '' && { options }), connectionString };
};

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
