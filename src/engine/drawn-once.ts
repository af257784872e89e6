import { randomUUID } from 'node:crypto';
import { constants, copyFileSync, existsSync, linkSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeDirectories } from './make-directories.ts';

/** The file of a key holds something else, such as the beginning of one. */
export class NoKeyInFile extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NoKeyInFile';
  }
}

/**
 * Writes a key that is drawn once, into a file that only its owner can read. The first of several
 * processes wins. Atomic where the file system has hard links: readers find all of it or no file.
 *
 * @returns Whether it was written; `false`: there is a file, which stays as it is.
 * @throws The error of the operating system.
 */
export const drawnOnce = (path: string, text: string): boolean => {
  // The directory of a key that was given may be read-only.
  if (existsSync(path)) return false;
  makeDirectories(dirname(path));
  const draft = `${path}.${randomUUID()}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flush: true });
    placeAt(path, draft);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
};

/** @throws `EEXIST` if there is a file. */
const placeAt = (path: string, draft: string): void => {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!WITHOUT_LINKS.has((error as NodeJS.ErrnoException).code)) throw error;
    copyFileSync(draft, path, constants.COPYFILE_EXCL);
  }
};

/** Of a file system that has no hard links, such as FAT. */
const WITHOUT_LINKS: ReadonlySet<string | undefined> = new Set([
  'EPERM',
  'ENOSYS',
  'ENOTSUP',
  'EOPNOTSUPP',
]);
