/** A building graph in a database of its own. */
import type { Pool } from 'pg';
import type { Graph, ImportResult } from '../../../src/building/graph/graph.ts';
import { postgresGraph, type GraphParts } from '../../../src/building/graph/postgres-graph.ts';
import { migrate } from '../../../src/engine/postgres/migrate.ts';
import { migrations } from '../../../src/migrations/migrations.ts';
import { isRefusal, type Refusal } from '../../../src/engine/aggregates/decider.ts';
import { freshDatabase } from './database.ts';
import { poolOf } from './pool.ts';

export const noon = {
  at: '2026-03-02T12:00:00.000Z',
  by: { kind: 'user', id: 'ana' },
} as const;

/** The result of an import; a refusal fails the test. */
export const imported = (outcome: ImportResult | Refusal): ImportResult => {
  if (isRefusal(outcome)) throw new Error(`${outcome.refused}: ${outcome.detail}`);
  return outcome;
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
  await migrate(db, migrations);
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
