import { readdirSync, readlinkSync } from 'node:fs';

/** The files at or below `path` that any process has open, as far as Linux shows them. */
export const openFilesAt = (path: string): readonly string[] =>
  namesIn('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => namesIn(`/proc/${pid}/fd`).map((fd) => linkAt(`/proc/${pid}/fd/${fd}`)))
    .filter((file) => file.startsWith(path));

const namesIn = (directory: string): readonly string[] => {
  try {
    return readdirSync(directory);
  } catch {
    // Not Linux, or the process has ended.
    return [];
  }
};

const linkAt = (path: string): string => {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
};
