import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stop } from '../../engine/postgres/embedded/server.ts';

/** Tells processes with the same id apart: in a container it is always the same. */
const STARTED_AT = Math.round(performance.timeOrigin);

/**
 * A directory for decrypted data, which the caller removes. First removes those that killed
 * processes have left, and stops a Postgres that runs in one.
 *
 * @returns Its path. Only its owner may enter it.
 */
export const temporaryDirectory = async (): Promise<string> => {
  for (const name of await readdir(tmpdir())) {
    const [, pid, startedAt] = /^atrium-backup-(\d+)-(\d+)-/.exec(name) ?? [];
    if (pid === undefined || isRunning(Number(pid), Number(startedAt))) continue;
    const directory = join(tmpdir(), name);
    // `null`: another command has removed it meanwhile.
    const made = await lstat(directory).catch(() => null);
    // Any user may make one of this name, also as a link, and a Postgres named in it is stopped.
    if (made?.isDirectory() !== true || made.uid !== process.getuid?.()) continue;
    await removeTemporary(directory).catch((error: unknown) => {
      process.stderr.write(`${directory} cannot be removed: ${String(error)}\n`);
    });
  }
  return mkdtemp(join(tmpdir(), `atrium-backup-${process.pid}-${STARTED_AT}-`));
};

/** Where in a temporary directory a Postgres may run. */
export const temporaryPostgres = (directory: string): string => join(directory, 'postgres');

const removeTemporary = async (directory: string): Promise<void> => {
  await stop({ data: join(temporaryPostgres(directory), 'data') });
  await rm(directory, { recursive: true, force: true });
};

const isRunning = (pid: number, startedAt: number): boolean => {
  if (pid === process.pid) return startedAt === STARTED_AT;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
};
