import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { until } from './until.ts';

/**
 * SIGSTOP; resolves when the process stands still. On a machine at work, threads of it may go on
 * for a while after the signal was sent.
 */
export const freeze = async (child: ChildProcess | null): Promise<void> => {
  if (child?.pid === undefined || !child.kill('SIGSTOP')) return;
  const stat = `/proc/${child.pid}/stat`;
  if (!existsSync('/proc/self/stat')) return;
  const isOver = () => !existsSync(stat) || /\) [TZX] /.test(readFileSync(stat, 'utf8'));
  await until(isOver, `the process ${child.pid} stands still`);
};
