import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';

/** A new, empty database in the cluster of this run. Gone with `drop`, or with the run. */
export async function freshDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const cluster = inject('clusterUrl');
  const name = `t_${randomUUID().replaceAll('-', '')}`;
  await once(cluster, `create database ${name}`);
  const url = new URL(cluster);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => once(cluster, `drop database ${name} with (force)`) };
}

async function once(url: string, statement: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
