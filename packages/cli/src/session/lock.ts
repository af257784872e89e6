/** A lock file between commands of one user on one machine. */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CommandFailed } from '../failures.ts';

/** Longer than any work under the lock may take. */
const STALE_MS = 60_000;
const LOOK_MS = 50;

/**
 * Runs `work` while no other command runs under the same `file`. The lock of a dead process is
 * removed by the next command that waits for it: at once if the process was on this machine, else
 * after {@link STALE_MS}.
 */
export const underLock = async <Result>(
  file: string,
  work: () => Promise<Result>,
): Promise<Result> => {
  const holder = `${hostname()} ${process.pid} ${randomUUID()}`;
  await acquire(file, holder);
  try {
    return await work();
  } finally {
    // Another command may have taken this process for dead, and hold the lock by now.
    if ((await contentOf(file)) === holder) await rm(file, { force: true });
  }
};

const acquire = async (file: string, self: string): Promise<void> => {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const givenUpAt = performance.now() + 2 * STALE_MS;
  while (!(await isAcquired(file, self))) {
    const holder = await contentOf(file);
    if (holder !== null && (await isStale(file, holder))) await removeStale(file, holder);
    else await pause(LOOK_MS);
    if (performance.now() > givenUpAt)
      throw new CommandFailed(
        `another command holds the lock ${file} and does not end; remove the file`,
      );
  }
};

const isAcquired = async (file: string, self: string): Promise<boolean> => {
  try {
    await writeFile(file, self, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
};

/** `null`: the lock is free. */
const contentOf = async (file: string): Promise<string | null> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });

const isStale = async (file: string, holder: string): Promise<boolean> => {
  const [host, pid] = holder.split(' ');
  if (host === hostname() && pid !== undefined && !isAlive(Number(pid))) return true;
  const made = await stat(file).catch(() => null);
  return made !== null && Date.now() - made.mtimeMs > STALE_MS;
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
};

/** Only the lock that was found stale: by now another command may have removed and acquired it. */
const removeStale = async (file: string, holder: string): Promise<void> => {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const moved = await contentOf(aside);
  if (moved !== null && moved !== holder)
    await writeFile(file, moved, { flag: 'wx' }).catch(ignore);
  await rm(aside, { force: true });
};

/** Another command has acquired the lock meanwhile. */
const ignore = (error: unknown): void => {
  if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
};
