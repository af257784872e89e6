import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
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

/** A copy of a database without connections. */
export const copyOfDatabase = (url: string): Promise<TestDatabase> =>
  createDatabase(inject('clusterUrl'), new URL(url).pathname.slice(1));

const createDatabase = async (cluster: string, template?: string): Promise<TestDatabase> => {
  const name = `t_${randomUUID().replaceAll('-', '')}`;
  // By file copy, because a copy through the write-ahead log writes 8 MB of log per database.
  const from = template === undefined ? '' : `template ${template} `;
  await runOnce(cluster, `create database ${name} ${from}strategy file_copy`);
  const url = databaseIn(cluster, name);
  return { url, drop: () => runOnce(cluster, `drop database ${name} with (force)`) };
};

export const databaseIn = (cluster: string, name: string): string => {
  const url = new URL(cluster);
  url.pathname = `/${name}`;
  return url.href;
};

export const runOnce = async (url: string, statement: string): Promise<void> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
};
