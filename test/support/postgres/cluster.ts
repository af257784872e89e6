/** A temporary Postgres cluster for the test run; every file creates its own databases. */
import { rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { embeddedPostgres } from '../../../src/engine/postgres/embedded/embedded.ts';
import { migrate } from '../../../src/engine/postgres/migrate.ts';
import { migrations } from '../../../src/migrations/migrations.ts';
import { prepareLog } from '../../../src/engine/log/postgres/store.ts';
import { databaseIn, runOnce } from './database.ts';
import { temporaryDirectory } from '../directory.ts';
import { sharedInRun } from '../shared-in-run.ts';
import { poolOf } from './pool.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's connection string into the cluster of this run. */
    clusterUrl: string;
    /** The template database: migrated, with the log's tables, and without connections. */
    templateDatabase: string;
    /** A directory of this run, which is removed at its end. */
    runDirectory: string;
  }
}

const TEMPLATE = 'atrium_template';
/** Small, because creating, truncating or dropping a table scans all buffers. */
const BUFFERS_MIB = 128;

interface Cluster {
  readonly url: string;
  readonly directory: string;
  remove(): Promise<void>;
}

export default async function cluster(project: TestProject) {
  const { made, release } = await sharedInRun('cluster', make, ({ remove }) => remove());
  project.provide('clusterUrl', made.url);
  project.provide('templateDatabase', TEMPLATE);
  project.provide('runDirectory', made.directory);
  return release;
}

const make = async (): Promise<Cluster> => {
  const directory = temporaryDirectory('test');
  const server = await embeddedPostgres(directory, { buffersMiB: BUFFERS_MIB });
  await forgoDurability(server.url);
  await makeTemplate(server.url);
  return {
    url: server.url,
    directory,
    async remove() {
      await server.release();
      rmSync(directory, { recursive: true, force: true });
    },
  };
};

/** Durability is not needed in tests: commits, checkpoints and drops wait for no disk. */
const forgoDurability = async (cluster: string): Promise<void> => {
  await runOnce(cluster, 'alter system set fsync = off');
  await runOnce(cluster, 'alter system set full_page_writes = off');
  await runOnce(cluster, 'select pg_reload_conf()');
};

/** Copied by every test, in place of migrations run by every test. */
const makeTemplate = async (cluster: string): Promise<void> => {
  await runOnce(cluster, `create database ${TEMPLATE}`);
  const url = databaseIn(cluster, TEMPLATE);
  await prepareLog(url);
  const pool = poolOf(url);
  await migrate(pool, migrations);
  await pool.end();
};
