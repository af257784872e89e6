/** The inside of a thread that generates: one answer, and a connection of its own. */
import { parentPort, workerData } from 'node:worker_threads';
import { Pool } from 'pg';
import { clientConfig } from '../engine/postgres/pool.ts';
import { SANDBOX_PROVISIONING_MAX_MS } from '../domain/sandboxes/limits.ts';
import type { GeneratorOutcome, GeneratorTask } from './generator-threads.ts';

/** Answers the task of this thread. */
export const answerTask = async (
  work: (db: Pool, task: GeneratorTask) => Promise<GeneratorOutcome>,
): Promise<void> => {
  const task = workerData as GeneratorTask;
  const db = new Pool({
    ...clientConfig(task.databaseUrl, 'atrium sandbox seeding'),
    statement_timeout: SANDBOX_PROVISIONING_MAX_MS,
    query_timeout: SANDBOX_PROVISIONING_MAX_MS,
    idle_in_transaction_session_timeout: SANDBOX_PROVISIONING_MAX_MS,
    max: 1,
  });
  // The current statement reports a lost connection; without a listener the event would end the
  // thread.
  db.on('error', () => {});
  const answer = async (): Promise<GeneratorOutcome> => {
    try {
      return await work(db, task);
    } catch (error) {
      const { message, code } = error as Error & { readonly code?: string };
      return { type: 'failed', message, code };
    } finally {
      await db.end();
    }
  };
  parentPort?.postMessage(await answer(), []);
};
