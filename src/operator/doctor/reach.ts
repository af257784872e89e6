/** Checks whether each dependency of Atrium can be reached. */
import { createConnection } from 'node:net';
import type { Pool } from 'pg';
import type { Config } from '../../config/config.ts';
import { issuerKeys } from '../../identity/oidc/issuer-keys.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import {
  preparedLogVersion,
  logVersion,
  separationFault,
} from '../../engine/log/postgres/schema.ts';
import { failed, judged, none, ok, type Finding } from './check.ts';
import { placeOf } from './secrets.ts';

export const postgresFinding = async (pool: Pool, where: string): Promise<Finding> => {
  const began = performance.now();
  const { rows } = await pool.query<{ version: string; bytes: number }>(
    `select current_setting('server_version') as version,
            pg_database_size(current_database()) as bytes`,
  );
  const ms = Math.ceil(performance.now() - began);
  const { version, bytes } = rows[0]!;
  return ok(`${where}: PostgreSQL ${version}, ${megabytes(bytes)}, ${ms} ms`);
};

/**
 * Whether Postgres takes writes: a check of its own, so that what can be read is checked.
 *
 * @param holdsLog A log is kept there, which a start refuses to a login that could change it.
 */
export const writesFinding = async (
  pool: Pool,
  where: string,
  { holdsLog }: { readonly holdsLog: boolean },
): Promise<Finding> => {
  const { rows } = await pool.query<{ isReadOnly: boolean }>(
    `select current_setting('transaction_read_only')::boolean as "isReadOnly"`,
  );
  if (rows[0]!.isReadOnly) return failed(`${where}: it is read-only, as a standby is`);
  const fault = holdsLog ? await separationFault(pool) : null;
  return fault === null ? ok(`${where}: accepted`) : failed(`${where}: ${fault.message}`);
};

/** Whether the login may make databases for sandboxes, and the logs in them. */
export const sandboxRightsFinding = async (pool: Pool, where: string): Promise<Finding> => {
  const { rows } = await pool.query<{ login: string; creates: boolean }>(
    `select rolname as login, rolcreatedb or rolsuper as creates
     from pg_roles where rolname = current_user`,
  );
  const { login, creates } = rows[0]!;
  const fault = await separationFault(pool, null);
  const wrong = [
    ...(creates ? [] : [`${login} may not create databases: alter role ${login} createdb`]),
    ...(fault === null ? [] : [fault.message]),
  ];
  const found = judged(wrong, `${login} may create databases`);
  return { ...found, detail: `${where}: ${found.detail}` };
};

/** {@link sandboxRightsFinding} of a server of its own. */
export const sandboxDatabaseFinding = async (pool: Pool, where: string): Promise<Finding> => {
  const reached = await postgresFinding(pool, where);
  const writes = await writesFinding(pool, where, { holdsLog: false });
  const rights = await sandboxRightsFinding(pool, where);
  return [writes, rights].find(({ status }) => status !== 'ok') ?? reached;
};

/** @param pool The database that holds the log; `null`: the log is in EventStoreDB. */
export const logFinding = async (
  log: Pick<EventStore, 'head'>,
  { where, pool }: { readonly where: string; readonly pool: Pool | null },
): Promise<Finding> => {
  const prepared = pool === null ? logVersion() : await preparedLogVersion(pool);
  if (prepared === null) return none(`${where}: no log yet; the server makes it when it starts`);
  const { position, recordedAt } = await log.head();
  const end = position === null ? 'empty' : `up to ${position}, recorded ${recordedAt}`;
  const version =
    prepared === logVersion() ? '' : '; prepared by another release, which a start brings here';
  return ok(`${where}: ${end}${version}`);
};

/** Fetches the key set by way of the discovery document, as the server does. */
export const issuerFinding = async (
  issuer: string,
  { environment }: Pick<Config, 'environment'>,
  heard: (response: Response) => void,
): Promise<Finding> => {
  const listening: typeof fetch = async (...call) => {
    const response = await fetch(...call);
    heard(response);
    return response;
  };
  await issuerKeys(issuer, environment === 'development', listening).ready();
  return ok(`${issuer}: its key set is there`);
};

/** The readiness that a server at `url` reports; a stopped server is no fault. */
export const serverFinding = async (url: string, withinMs: number): Promise<Finding> => {
  try {
    const signal = AbortSignal.timeout(withinMs);
    const response = await fetch(`${url}/health/ready`, { signal });
    const { status, reasons = [] } = (await response.json()) as {
      readonly status?: string;
      readonly reasons?: readonly string[];
    };
    if (status === 'degraded') return failed(`${url}: degraded: ${reasons.join('; ')}`);
    if (response.status === 200) return ok(`${url}: ready`);
    return failed(`${url}: ${reasons.join('; ') || `answered ${response.status}`}`);
  } catch (error) {
    if (isRefused(error)) return none(`${url}: no server listens`);
    throw error;
  }
};

const isRefused = (error: unknown): boolean =>
  error instanceof Error && (/ECONNREFUSED/.test(JSON.stringify(error)) || isRefused(error.cause));

/** Every NATS server greets a client before authentication. */
export const natsFinding = async (
  servers: readonly string[],
  withinMs: number,
): Promise<Finding> => {
  const answers = await Promise.all(
    servers.map(async (url) => ({ url, ...(await introduced(url, withinMs)) })),
  );
  const wrong = answers.flatMap(({ url, error, jetstream }) => {
    if (error !== undefined) return [`${placeOf(url)}: ${error}`];
    return jetstream ? [] : [`${placeOf(url)}: JetStream is not enabled`];
  });
  const said = answers.map(({ url, version }) => `${placeOf(url)}: NATS ${version}`);
  return judged(wrong, said.join('; '));
};

interface Introduction {
  readonly version?: string;
  readonly jetstream?: boolean;
  readonly error?: string;
}

const DEFAULT_NATS_PORT = 4222;

const introduced = (url: string, withinMs: number): Promise<Introduction> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const host = hostname.replaceAll(/[[\]]/g, '');
    const socket = createConnection({ host, port: Number(port) || DEFAULT_NATS_PORT });
    let received = '';
    const end = (answer: Introduction) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(withinMs, () => end({ error: 'it says nothing' }));
    socket.on('error', (error) => end({ error: error.message || 'it cannot be reached' }));
    socket.on('end', () => end({ error: 'it hung up' }));
    socket.on('data', (bytes) => {
      received += bytes.toString();
      const line = received.indexOf('\r\n');
      if (line < 0) return;
      try {
        end(JSON.parse(received.slice('INFO '.length, line)) as Introduction);
      } catch {
        end({ error: 'that is no NATS server' });
      }
    });
  });

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1024 ** 2)} MiB`;
