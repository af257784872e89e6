/** The entry of a generator thread: one task at a time, on its own connection. */
import { on } from 'node:events';
import { parentPort } from 'node:worker_threads';
import type { Pool } from 'pg';
import { poolOn } from '../engine/postgres/pool.ts';
import {
  SANDBOX_PROVISIONING_MAX_MS,
  SANDBOX_SEEDING_IDLE_MAX_MS,
} from '../domain/sandboxes/limits.ts';
import type { GeneratorOutcome, GeneratorTask } from './generator-threads.ts';

type Work = (db: Pool, task: GeneratorTask) => Promise<GeneratorOutcome>;

/** Answers the tasks of this thread, until it is ended. */
export const answerTasks = async (work: Work): Promise<void> => {
  for await (const [task] of on(parentPort!, 'message'))
    parentPort!.postMessage(await answerTo(work, task as GeneratorTask), []);
};

const answerTo = async (work: Work, task: GeneratorTask): Promise<GeneratorOutcome> => {
  const db = poolOn(task.databaseUrl, 'atrium sandbox seeding', {
    statement_timeout: SANDBOX_PROVISIONING_MAX_MS,
    query_timeout: SANDBOX_PROVISIONING_MAX_MS,
    // The process that takes over from a hung one waits for its transaction.
    idle_in_transaction_session_timeout: SANDBOX_SEEDING_IDLE_MAX_MS,
    max: 1,
  });
  try {
    return await work(db, task);
  } catch (error) {
    const { message, code } = error as Error & { readonly code?: string };
    return { type: 'failed', message, code };
  } finally {
    await db.end();
  }
};
