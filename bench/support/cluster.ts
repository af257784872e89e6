import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { embeddedPostgres } from '../../src/engine/postgres/embedded/embedded.ts';

export interface BenchCluster {
  /** Process id of the server. */
  readonly postmaster: number;
  /** The server's log file. */
  readonly log: string;
  /** Creates an empty database. @returns Its connection string. */
  database(name: string): Promise<string>;
  stop(): Promise<void>;
}

/** A temporary cluster with the platform's settings, fsync included. */
export const benchCluster = async (): Promise<BenchCluster> => {
  const directory = mkdtempSync(join(tmpdir(), 'atrium-bench-'));
  chmodSync(directory, 0o711);
  const server = await embeddedPostgres(directory);
  return {
    postmaster: Number.parseInt(
      readFileSync(join(directory, 'data', 'postmaster.pid'), 'utf8'),
      10,
    ),
    log: join(directory, 'postgres.log'),
    async database(name) {
      const client = new Client({ connectionString: server.url });
      await client.connect();
      await client.query(`create database ${name}`);
      await client.end();
      const url = new URL(server.url);
      url.pathname = `/${name}`;
      return url.href;
    },
    async stop() {
      await server.release();
      rmSync(directory, { recursive: true, force: true });
    },
  };
};
