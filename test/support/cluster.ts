/** One throw-away Postgres cluster for the whole test run; every file makes its own database. */
import { rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { embeddedPostgres } from '../../src/db/embedded/embedded.ts';
import { temporaryDirectory } from './directory.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's connection string into the cluster of this run. */
    clusterUrl: string;
  }
}

export default async function cluster(project: TestProject) {
  const directory = temporaryDirectory('test');
  const server = await embeddedPostgres(directory);
  project.provide('clusterUrl', server.url);
  return async () => {
    await server.release();
    rmSync(directory, { recursive: true, force: true });
  };
}
