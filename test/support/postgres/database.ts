import { randomUUID } from 'node:crypto';
import { Client, type DatabaseError } from 'pg';
import { inject } from 'vitest';

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/**
 * A new platform database: migrated, and with the log's tables. A copy of the template database
 * of this run. Removed by `drop`, or with the run.
 */
export const freshDatabase = (): Promise<TestDatabase> =>
  createDatabase(inject('clusterUrl'), inject('templateDatabase'));

/** A new, empty database. */
export const emptyDatabase = (): Promise<TestDatabase> => createDatabase(inject('clusterUrl'));

/**
 * A copy of this run's template `name`, which the first caller makes: `fill` is given a platform
 * database, and has no connection to it afterwards.
 */
export const filledDatabase = async (
  name: string,
  fill: (url: string) => Promise<void>,
): Promise<TestDatabase> => {
  const cluster = inject('clusterUrl');
  const copyIfMade = () =>
    createDatabase(cluster, name).catch((error: DatabaseError) => {
      if (error.code === UNDEFINED_DATABASE) return null;
      throw error;
    });
  const copy = await copyIfMade();
  if (copy) return copy;
  await using maker = await lockHolder(cluster, name);
  // Another worker may have made it meanwhile.
  const late = await copyIfMade();
  if (late) return late;
  const { url } = await freshDatabase();
  await fill(url);
  await maker.query(`alter database ${nameOf(url)} rename to ${name}`);
  return createDatabase(cluster, name);
};

const UNDEFINED_DATABASE = '3D000';

/** A connection that holds the lock `name` until it is disposed of. */
const lockHolder = async (cluster: string, name: string) => {
  const client = await connected(cluster);
  await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]);
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
};

/** A copy of a database without connections. */
export const copyOfDatabase = (url: string): Promise<TestDatabase> =>
  createDatabase(inject('clusterUrl'), nameOf(url));

const nameOf = (url: string): string => new URL(url).pathname.slice(1);

const createDatabase = async (cluster: string, template?: string): Promise<TestDatabase> => {
  const name = `t_${randomUUID().replaceAll('-', '')}`;
  // By file copy, because a copy through the write-ahead log writes 8 MB of log per database.
  const from = template === undefined ? '' : `template ${template} `;
  await onCluster(cluster, `create database ${name} ${from}strategy file_copy`);
  const url = databaseIn(cluster, name);
  return { url, drop: () => onCluster(cluster, `drop database ${name} with (force)`) };
};

/** Of this worker: a connection costs more than the statements that create and drop databases. */
let administration: Promise<Client> | undefined;

const onCluster = async (cluster: string, statement: string): Promise<void> => {
  administration ??= connected(cluster);
  await (await administration).query(statement);
};

const connected = async (url: string): Promise<Client> => {
  const client = new Client({ connectionString: url });
  // The cluster stops before the workers do; a lost connection fails the next statement.
  client.on('error', () => {});
  await client.connect();
  return client;
};

export const databaseIn = (cluster: string, name: string): string => {
  const url = new URL(cluster);
  url.pathname = `/${name}`;
  return url.href;
};

export const runOnce = async (url: string, statement: string): Promise<void> => {
  const client = await connected(url);
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
};
