/** Writers and readers as child processes, and the ids that they report. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Position } from '../../src/engine/log/event-store.ts';
import type { Said } from './log.ts';

const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url));

export interface Worker {
  /** Acknowledged or read ids so far, in order. Of a killed worker: those reported in time. */
  readonly ids: readonly string[];
  /** Lets it finish calls in progress. @throws If it has failed. */
  stop(): Promise<void>;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
}

export const startWorker = (
  role: 'write' | 'read',
  url: string,
  name: string,
  round: string,
  from: Position | null = null,
): Worker => {
  const args = [role, url, name, round, ...(from === null ? [] : [from])];
  const child: ChildProcess = fork(WORKER, args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ids: string[] = [];
  let done = false;
  child.on('message', (said: Said) => {
    if ('done' in said) done = true;
    else for (const id of said.ids) ids.push(id);
  });
  const gone = once(child, 'exit');
  return {
    ids,
    async stop() {
      if (child.connected) child.send('stop');
      await gone;
      if (!done) throw new Error(`${role} ${name} ended before it was done`);
    },
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
};
