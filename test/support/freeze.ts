import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { until } from './until.ts';

/**
 * SIGSTOP; resolves when the process is stopped. On a busy machine its threads may continue for a
 * while after the signal.
 */
export const freeze = async (child: ChildProcess | null): Promise<void> => {
  if (child?.pid === undefined || !child.kill('SIGSTOP')) return;
  const stat = `/proc/${child.pid}/stat`;
  if (!existsSync('/proc/self/stat')) return;
  const isOver = () => !existsSync(stat) || /\) [TZX] /.test(readFileSync(stat, 'utf8'));
  await until(isOver, `the process ${child.pid} stands still`);
};
