/** One throw-away Postgres cluster for the whole test run; every file makes its own database. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { embeddedPostgres } from '../../src/db/embedded.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's connection string into the cluster of this run. */
    clusterUrl: string;
  }
}

export default async function cluster(project: TestProject) {
  const directory = mkdtempSync(join(tmpdir(), 'atrium-test-'));
  // Run as root, the server drops to another user, who must be able to get there.
  chmodSync(directory, 0o711);
  const server = await embeddedPostgres(directory);
  project.provide('clusterUrl', server.url);
  return async () => {
    await server.release();
    rmSync(directory, { recursive: true, force: true });
  };
}
