import { createHash } from 'node:crypto';
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasEnded, processIdentity } from '../../engine/observe/process-identity.ts';
import { stop } from '../../engine/postgres/embedded/server.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { BACKUP_TEMPORARY_MAX_MS } from '../limits.ts';

/**
 * A directory for decrypted data, which the caller removes. First removes those that killed
 * processes have left, and stops a Postgres that runs in one. Those of another container, whose
 * processes are not seen here, are removed after {@link BACKUP_TEMPORARY_MAX_MS}.
 *
 * @returns Its path. Only its owner may enter it.
 */
export const temporaryDirectory = async (): Promise<string> => {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const directory = join(tmpdir(), name);
    // `null`: another command has removed it meanwhile.
    const made = await lstat(directory).catch(() => null);
    // Any user may make one of this name, also as a link, and a Postgres named in it is stopped.
    if (made?.isDirectory() !== true || made.uid !== process.getuid?.()) continue;
    if (isInUse(name, Date.parse(systemClock.now()) - made.mtimeMs)) continue;
    await removeTemporary(directory).catch((error: unknown) => {
      process.stderr.write(`${directory} cannot be removed: ${String(error)}\n`);
    });
  }
  const { pid = process.pid, startedAt = 0 } = processIdentity() ?? {};
  return mkdtemp(join(tmpdir(), `${PREFIX}${pid}-${startedAt}-${machineHash()}-`));
};

const PREFIX = 'atrium-backup-';

/** Where in a temporary directory a Postgres may run. */
export const temporaryPostgres = (directory: string): string => join(directory, 'postgres');

const removeTemporary = async (directory: string): Promise<void> => {
  await stop({ data: join(temporaryPostgres(directory), 'data') });
  await rm(directory, { recursive: true, force: true });
};

const isInUse = (name: string, ageMs: number): boolean => {
  const [, pid, startedAt, machine] = /^atrium-backup-(\d+)-(\d+)-([0-9a-f]+)-/.exec(name) ?? [];
  const own = processIdentity();
  if (own === null || machine !== machineHash()) return ageMs < BACKUP_TEMPORARY_MAX_MS;
  return !hasEnded({ machine: own.machine, pid: Number(pid), startedAt: Number(startedAt) });
};

/** Short, because the path of a socket is. */
const machineHash = (): string =>
  createHash('sha256')
    .update(processIdentity()?.machine ?? '')
    .digest('hex')
    .slice(0, 8);
