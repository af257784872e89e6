import { randomUUID } from 'node:crypto';
import { linkSync, rmSync, writeFileSync } from 'node:fs';
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
 * Writes a key that is drawn once, into a file that only its owner can read. Atomic: readers find
 * all of it or no file, and the first of several processes wins.
 *
 * @returns Whether it was written; `false`: there is a file, which stays as it is.
 * @throws The error of the operating system.
 */
export const drawnOnce = (path: string, text: string): boolean => {
  makeDirectories(dirname(path));
  const draft = `${path}.${randomUUID()}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flush: true });
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
};
