/** One at a time among commands of one user on one machine. */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CommandFailed } from '../failures.ts';

/** Longer than any work that is done under it may take. */
const STALE_MS = 60_000;
const LOOK_MS = 50;

/**
 * Does `work` while no other command does work under the same `file`. A command that has died
 * leaves its file behind: whoever waits takes it away, at once where the process can be looked for,
 * else when it is old.
 */
export const underLock = async <Result>(
  file: string,
  work: () => Promise<Result>,
): Promise<Result> => {
  const mine = `${hostname()} ${process.pid} ${randomUUID()}`;
  await acquire(file, mine);
  try {
    return await work();
  } finally {
    // Somebody may have thought that this process is dead.
    if ((await contentOf(file)) === mine) await rm(file, { force: true });
  }
};

const acquire = async (file: string, mine: string): Promise<void> => {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const givenUpAt = performance.now() + 2 * STALE_MS;
  while (!(await taken(file, mine))) {
    const holder = await contentOf(file);
    if (holder !== null && (await isLeftBehind(file, holder))) await takeAway(file, holder);
    else await pause(LOOK_MS);
    if (performance.now() > givenUpAt)
      throw new CommandFailed(`another command holds ${file} and does not end; remove it`);
  }
};

const taken = async (file: string, mine: string): Promise<boolean> => {
  try {
    await writeFile(file, mine, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
};

/** `null`: nobody holds it any more. */
const contentOf = async (file: string): Promise<string | null> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });

const isLeftBehind = async (file: string, holder: string): Promise<boolean> => {
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
    // EPERM: it is there, and somebody else's.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
};

/** Only what was looked at: another may have taken it away, and a third hold the lock by now. */
const takeAway = async (file: string, holder: string): Promise<void> => {
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

/** It is held again already, and that holder has waited for nobody. */
const ignore = (error: unknown): void => {
  if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
};
