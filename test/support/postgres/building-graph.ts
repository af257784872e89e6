/** A building graph in a database of its own. */
import { Pool } from 'pg';
import type { Graph, ImportResult } from '../../../src/graph/graph.ts';
import { postgresGraph, type GraphParts } from '../../../src/graph/postgres-graph.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { isRefusal, type Refusal } from '../../../src/domain/decider.ts';
import { freshDatabase } from './database.ts';

export const noon = {
  at: '2026-03-02T12:00:00.000Z',
  by: { kind: 'user', id: 'ana' },
} as const;

/** What was imported; a refusal fails the test. */
export const imported = (outcome: ImportResult | Refusal): ImportResult => {
  if (isRefusal(outcome)) throw new Error(`${outcome.refused}: ${outcome.detail}`);
  return outcome;
};

/**
 * A pool whose connections may be ended from outside: `end` does not wait until the server has
 * let go of them, and the database is dropped at once.
 */
export const poolOf = (url: string): Pool => {
  const pool = new Pool({ connectionString: url });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
};

export interface TestGraph {
  readonly graph: Graph;
  readonly db: Pool;
  readonly url: string;
  close(): Promise<void>;
}

export const freshGraph = async (parts: Omit<GraphParts, 'db'> = {}): Promise<TestGraph> => {
  const { url, drop } = await freshDatabase();
  const db = poolOf(url);
  await migrate(db);
  return {
    graph: postgresGraph({ db, ...parts }),
    db,
    url,
    async close() {
      await db.end();
      await drop();
    },
  };
};
