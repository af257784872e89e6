/** Answers each task with the id of its thread, at once or never. */
import { threadId } from 'node:worker_threads';
import { answerTasks } from '../../src/hosting/generator-thread.ts';

await answerTasks(async (_, { databaseUrl }) => {
  if (databaseUrl.includes('never')) await new Promise(() => {});
  if (databaseUrl.includes('exit')) process.exit(1);
  return { type: 'done', result: threadId };
});
