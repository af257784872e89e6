import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes the directory and its parents with this mode, where there are none. The recursive `mkdir`
 * of Node never returns below a parent in which nothing can be made, such as `/proc`.
 *
 * @throws The error of the operating system.
 */
export const makeDirectories = (path: string, mode?: number): void => {
  try {
    makeChild(path, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    makeDirectories(dirname(path), mode);
    makeChild(path, mode);
  }
};

/** Makes the directory in one that exists. */
const makeChild = (path: string, mode?: number): void => {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
};
