import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeDirectories } from '../make-directories.ts';

/**
 * Writes the id of this process to `path`, so that a script can end exactly this process; returns
 * its removal. A file that a killed server left behind is overwritten.
 */
export const keepPidIn = (path: string): (() => void) => {
  const pid = `${process.pid}\n`;
  makeDirectories(dirname(path));
  writeFileSync(path, pid);
  return () => {
    try {
      // With two servers on one directory, the file belongs to the later one.
      if (readFileSync(path, 'utf8') === pid) rmSync(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  };
};
