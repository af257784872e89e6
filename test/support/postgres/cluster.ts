/** One throw-away Postgres cluster for the whole test run; every file makes its own databases. */
import { rmSync } from 'node:fs';
import { Pool } from 'pg';
import type { TestProject } from 'vitest/node';
import { embeddedPostgres } from '../../../src/db/embedded/embedded.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { prepareLog } from '../../../src/store/postgres/store.ts';
import { databaseIn, runOnce } from './database.ts';
import { temporaryDirectory } from '../directory.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's connection string into the cluster of this run. */
    clusterUrl: string;
    /** A database that is migrated and has the log's tables; nobody connects to it. */
    templateDatabase: string;
  }
}

const TEMPLATE = 'atrium_template';

export default async function cluster(project: TestProject) {
  const directory = temporaryDirectory('test');
  const server = await embeddedPostgres(directory);
  await makeTemplate(server.url);
  project.provide('clusterUrl', server.url);
  project.provide('templateDatabase', TEMPLATE);
  return async () => {
    await server.release();
    rmSync(directory, { recursive: true, force: true });
  };
}

/** Copied by every test, in place of migrations run by every test. */
const makeTemplate = async (cluster: string): Promise<void> => {
  await runOnce(cluster, `create database ${TEMPLATE}`);
  const url = databaseIn(cluster, TEMPLATE);
  await prepareLog(url);
  const pool = new Pool({ connectionString: url });
  await migrate(pool);
  await pool.end();
};
