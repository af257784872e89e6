import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes the directory and its parents where there are none. The recursive `mkdir` of Node never
 * returns below a parent in which nothing can be made, such as `/proc`.
 *
 * @throws The error of the operating system.
 */
export const makeDirectories = (path: string, mode?: number): void => {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || existsSync(dirname(path)))
      throw error;
    makeDirectories(dirname(path), mode);
    makeDirectories(path, mode);
  }
};
