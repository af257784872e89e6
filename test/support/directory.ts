import { chmodSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A directory of the test's own that every user may pass through: run as root, an embedded server
 * drops to another user, who must be able to get there. In memory where there is room for it: a
 * Postgres cluster is a thousand files, and each of its databases three hundred more.
 */
export const temporaryDirectory = (name: string): string => {
  const directory = mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), `atrium-${name}-`));
  chmodSync(directory, 0o711);
  return directory;
};

const MEMORY = '/dev/shm';
const ROOM_MIN_BYTES = 4 * 1024 ** 3;

const hasRoom = (path: string): boolean => {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize >= ROOM_MIN_BYTES;
  } catch {
    return false;
  }
};
