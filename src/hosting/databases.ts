import { Client, DatabaseError, escapeIdentifier } from 'pg';
import { clientConfig } from '../engine/postgres/pool.ts';
import { isUniqueViolation } from '../engine/postgres/errors.ts';
import { DependencyUnavailable } from '../engine/processes/outcome.ts';
import { FILE_COPY_BYTES_MIN, SANDBOX_DATABASE_TIMEOUT_MS } from './limits.ts';
import { CannotBuild } from '../processes/sandboxes/cannot-build.ts';

/**
 * The databases of a Postgres server. Creating and dropping one cannot be part of a transaction, so
 * each is one statement on its own connection.
 */
export interface Databases {
  urlOf(name: string): string;
  /**
   * Idempotent: a database becomes visible when it is complete.
   *
   * @param signal Cancels the statement. Default: none.
   */
  create(name: string, template?: string, signal?: AbortSignal): Promise<void>;
  /**
   * Copies a database to which nothing is connected. Idempotent: the copy becomes visible when it
   * is complete.
   *
   * @param isSealed The copy is itself only ever copied, and accepts no connections.
   * @param signal Cancels the statement. Default: none.
   * @throws {@link NoSource} without the original; {@link DependencyUnavailable} while something is
   *   connected to it.
   */
  copy(from: string, to: string, isSealed: boolean, signal?: AbortSignal): Promise<void>;
  /** Its size on disk. */
  bytesOf(name: string): Promise<number>;
  /**
   * Ends its connections first. Idempotent.
   *
   * @throws {@link DependencyUnavailable} if the server refuses it, which may end.
   */
  drop(name: string): Promise<void>;
  names(): Promise<readonly string[]>;
  /** Renames it to its final name as a template that accepts no connections. */
  makeTemplate(name: string, as: string): Promise<void>;
  /** Holds the server-wide lock of this name while `work` runs. */
  alone<Result>(lock: string, work: () => Promise<Result>): Promise<Result>;
}

/** @param url Any database of the server; its login creates the others. */
export const databasesOn = (url: string): Databases => {
  const connected = async <Result>(work: (client: Client) => Promise<Result>): Promise<Result> => {
    const client = new Client({
      ...clientConfig(url, 'atrium sandboxes'),
      statement_timeout: SANDBOX_DATABASE_TIMEOUT_MS,
      query_timeout: SANDBOX_DATABASE_TIMEOUT_MS,
    });
    client.on('error', () => {});
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };

  const cancelled = async (client: Client, statement: string, signal: AbortSignal) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    signal.throwIfAborted();
    // The end of the connection would not stop a statement that creates a database. If it cannot be
    // cancelled, it runs to its end.
    const cancel = () => void run(`select pg_cancel_backend(${rows[0]!.pid})`).catch(() => {});
    signal.addEventListener('abort', cancel, { once: true });
    try {
      await client.query(statement);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };

  const execute = (statement: string, signal?: AbortSignal): Promise<void> =>
    connected(async (client) => {
      if (signal) await cancelled(client, statement, signal);
      else await client.query(statement);
    });

  const run = (statement: string, signal?: AbortSignal): Promise<void> =>
    execute(statement, signal).catch((error: unknown) => {
      throw actionable(error);
    });

  const names = () =>
    connected(async (client) => {
      const { rows } = await client.query<{ name: string }>(
        'select datname as name from pg_database order by datname',
      );
      return rows.map(({ name }) => name);
    });

  /** `null`: no such database. */
  const templateFlagOf = (name: string) =>
    connected(async (client) => {
      const { rows } = await client.query<{ isTemplate: boolean }>(
        'select datistemplate as "isTemplate" from pg_database where datname = $1',
        [name],
      );
      return rows[0]?.isTemplate ?? null;
    });

  const bytesOf = (name: string) =>
    connected(async (client) => {
      const { rows } = await client.query<{ bytes: string }>(
        'select pg_database_size(oid)::text as bytes from pg_database where datname = $1',
        [name],
      );
      if (!rows[0]) throw new NoSource(name);
      return Number(rows[0].bytes);
    });

  return {
    urlOf(name) {
      const own = new URL(url);
      own.pathname = `/${name}`;
      return own.href;
    },

    async create(name, template, signal) {
      // With the write-ahead log strategy: a schema is small, and file copy would force a
      // checkpoint.
      const from = template ? `template ${escapeIdentifier(template)} strategy wal_log` : '';
      const statement = `create database ${escapeIdentifier(name)} ${from}`;
      await run(statement, signal).catch((error: unknown) => {
        if (!isThere(error)) throw error;
      });
    },

    async copy(from, to, isSealed, signal) {
      // File copy forces checkpoints, but writes a large database once instead of twice.
      const isLarge = (await bytesOf(from)) > FILE_COPY_BYTES_MIN;
      const sealed = isSealed ? 'is_template true allow_connections false' : '';
      const statement =
        `create database ${escapeIdentifier(to)} template ${escapeIdentifier(from)} ` +
        `strategy ${isLarge ? 'file_copy' : 'wal_log'} ${sealed}`;
      await run(statement, signal).catch((error: unknown) => {
        if (isThere(error)) return;
        if (!(error instanceof DatabaseError)) throw error;
        if (error.code === ABSENT) throw new NoSource(from, { cause: error });
        if (error.code === IN_USE)
          throw new DependencyUnavailable(`${from} is in use`, { cause: error });
        throw error;
      });
    },

    bytesOf,

    async drop(name) {
      const isTemplate = await templateFlagOf(name);
      if (isTemplate === null) return;
      const dropped = async () => {
        // Postgres refuses to alter a database whose drop was interrupted.
        if (isTemplate) await execute(`alter database ${escapeIdentifier(name)} is_template false`);
        await execute(`drop database if exists ${escapeIdentifier(name)} with (force)`);
      };
      await dropped().catch((error: unknown) => {
        if (!(error instanceof DatabaseError)) throw error;
        throw new DependencyUnavailable(undropped(name), { cause: error });
      });
    },

    names,

    async makeTemplate(name, as) {
      const made = escapeIdentifier(name);
      await run(`alter database ${made} is_template true allow_connections false`);
      await run(`alter database ${made} rename to ${escapeIdentifier(as)}`);
    },

    alone: (lock, work) =>
      connected(async (client) => {
        await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [lock]);
        return work();
      }),
  };
};

const undropped = (name: string): string =>
  `The database ${name} cannot be dropped. End the sessions of other roles and the prepared ` +
  'transactions in it; the drop is repeated.';

/** The database exists, or another connection has completed it meanwhile. */
const isThere = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.code === '42P04' || isUniqueViolation(error));

const ABSENT = '3D000';
const IN_USE = '55006';

/** The database to be copied does not exist. */
export class NoSource extends Error {
  constructor(name: string, options?: ErrorOptions) {
    super(`there is no database ${name}`, options);
    this.name = 'NoSource';
  }
}

/** An actionable error is explained, even if it is the cause of another. */
export const actionable = (error: unknown): unknown => {
  if (error instanceof CannotBuild) return error;
  for (let at = error; at instanceof Error; at = at.cause) {
    const reason = reasons['code' in at ? String(at.code) : ''];
    if (reason !== undefined) return new CannotBuild(reason, error);
  }
  return error;
};

const reasons: Readonly<Record<string, string>> = {
  '42501':
    'The database login of this server may not create databases. An operator can allow it with ' +
    'ALTER ROLE … CREATEDB; reset the sandbox afterwards.',
  '53100':
    'The disk of the database server is full. Ask an operator for space, or choose a ' +
    'smaller building or fewer days of telemetry, and reset the sandbox.',
};
