import { setTimeout as sleep } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { EMBEDDED_RETRY_MS, EMBEDDED_START_TIMEOUT_MS } from '../../limits.ts';
import { silent, type Report } from '../../observe/report.ts';
import { findBinaries, type Binaries } from './binaries.ts';
import { ensureCluster } from './cluster.ts';
import { clusterPaths, serverUser, type ClusterPaths, type ServerUser } from './paths.ts';
import { clearStaleLock, launch, postmasterOf, stop } from './server.ts';
import { EmbeddedUnavailable, messageOf } from './unavailable.ts';

export { EmbeddedUnavailable } from './unavailable.ts';

export interface EmbeddedPostgres {
  /** The URL of the database `atrium`, as its superuser, over the socket. */
  readonly url: string;
  /** Releases the server; its last user stops it. Idempotent. */
  release(): Promise<void>;
}

export interface EmbeddedOptions {
  /** Default: no log. */
  readonly logger?: Report;
  /** `shared_buffers` of a server that this starts. Default: by the machine's memory. */
  readonly buffersMiB?: number;
}

/**
 * A Postgres server with its cluster in `directory`: created if there is none, reused if one is
 * running, started otherwise. Any number of processes may use one directory; each holds a shared
 * lock in the server, and the last to release it stops the server. A killed process leaves the
 * server running for the next one. A server that dies is restarted by any process that still holds
 * it.
 *
 * Works as a user and as root (the server then runs as `postgres` or `nobody`). There is no TCP
 * port: the socket is in a directory that only the server's user and root may enter.
 *
 * @throws {@link EmbeddedUnavailable} with the reason in one line.
 */
export async function embeddedPostgres(
  directory: string,
  { logger: report = silent, buffersMiB }: EmbeddedOptions = {},
): Promise<EmbeddedPostgres> {
  const user = serverUser(directory);
  const binaries = findBinaries(user, report);
  const paths = clusterPaths(directory, user, report);
  await ensureCluster(paths, binaries, user);
  const server = { paths, binaries, user, buffersMiB };
  let released: Promise<void> | null = null;
  let lease = acquired(server);

  const watch = (client: Client): void => {
    client.once('end', () => {
      if (released) return;
      report.warn({ directory: paths.base }, 'the embedded Postgres is gone; it is started again');
      lease = reacquired();
    });
  };
  const reacquired = async (): Promise<Client> => {
    for (;;) {
      try {
        const client = await acquired(server);
        watch(client);
        return client;
      } catch (error) {
        if (released) throw error;
        report.warn({ err: error }, 'the embedded Postgres does not start');
        await sleep(EMBEDDED_RETRY_MS);
      }
    }
  };

  const first = await lease;
  await createDatabase(first);
  watch(first);
  return {
    url: urlOf(paths, 'atrium'),
    release() {
      released ??= lease.then(
        (client) => releaseLease(client, paths),
        () => {
          // The server could not be started again: there is nothing to release.
        },
      );
      return released;
    },
  };
}

interface Server {
  readonly paths: ClusterPaths;
  readonly binaries: Binaries;
  readonly user: ServerUser;
  readonly buffersMiB: number | undefined;
}

/** An advisory lock: 'atri' as a number, and which of Atrium's locks it is. */
const LEASE = '1635021417, 1';

/**
 * A session that holds the lease on the server. The server is launched only if none answers, and
 * connected to again where the launch found another one running. Without a lock file it is launched
 * in this turn of the event loop, because later turns may be long ones that load modules.
 */
const acquired = async ({ paths, binaries, user, buffersMiB }: Server): Promise<Client> => {
  const givenUpAt = performance.now() + EMBEDDED_START_TIMEOUT_MS;
  const start = () => launch(paths, binaries, user, buffersMiB);
  let launched = postmasterOf(paths.data) === null ? start() : null;
  for (;;) {
    const client = new Client({
      connectionString: urlOf(paths, 'postgres'),
      application_name: 'atrium embedded',
      connectionTimeoutMillis: EMBEDDED_START_TIMEOUT_MS,
    }).on('error', () => {});
    try {
      await client.connect();
      // The process that stops a server holds the lock exclusively until it is gone.
      const { rows } = await client.query<{ mine: boolean }>(
        `select pg_try_advisory_lock_shared(${LEASE}) as mine`,
      );
      if (rows[0]?.mine) return client;
      await client.end();
    } catch (error) {
      if (performance.now() > givenUpAt)
        throw new EmbeddedUnavailable(`no answer: ${messageOf(error)}`, error);
      if (isAbsent(error) && !launched) {
        clearStaleLock(paths);
        launched = start();
      } else if (error instanceof DatabaseError && !error.code?.startsWith('57P')) {
        throw new EmbeddedUnavailable(messageOf(error), error);
      }
    }
    const ended = await Promise.race([launched?.ended, sleep(20)]);
    if (ended) launched = null;
    if (ended) await sleep(50);
  }
};

/** No server listens at the socket. */
const isAbsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(ENOENT|ECONNREFUSED)$/.test(String(error.code));

const createDatabase = async (client: Client): Promise<void> => {
  for (;;) {
    const { rowCount } = await client.query(`select from pg_database where datname = 'atrium'`);
    if (rowCount) return;
    try {
      await client.query('create database atrium');
    } catch (error) {
      // Another process is making it: it exists, or its template is in use.
      const busy = error instanceof DatabaseError && /^(42P04|23505|55006)$/.test(error.code ?? '');
      if (!busy) throw error;
      await sleep(50);
    }
  }
};

const releaseLease = async (lease: Client, paths: ClusterPaths): Promise<void> => {
  try {
    const { rows } = await lease.query<{ last: boolean }>(
      `select pg_advisory_unlock_shared(${LEASE}), pg_try_advisory_lock(${LEASE}) as last`,
    );
    // The lock is kept until the server has stopped, so that no process begins to use it meanwhile.
    if (rows[0]?.last) await stop(paths);
    await lease.end();
  } catch (error) {
    if (error instanceof EmbeddedUnavailable) throw error;
    // The server has ended before: there is nothing to release.
  }
};

const urlOf = ({ run }: ClusterPaths, database: string): string =>
  `postgres://atrium@localhost/${database}?host=${encodeURIComponent(run)}`;
