import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config/config.ts';
import { isSystemError } from './operator-error.ts';

/** The commit of this source, from `ATRIUM_COMMIT` or the checkout; `null`: unknown. */
export const builtFrom = ({ commit }: Pick<Config, 'commit'>): string | null =>
  commit ?? commitOf(ROOT);

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The commit checked out at `root`; `null`: not a checkout. Needs no git. */
export const commitOf = (root: string): string | null => {
  // Of a linked work tree this is a file, which names the directory.
  const link = readIn(root, '.git', 'EISDIR')?.match(/^gitdir: (.+)$/m)?.[1];
  const own = resolve(root, link ?? '.git');
  const head = readIn(own, 'HEAD')?.trim() ?? null;
  const branch = head?.match(/^ref: (.+)$/)?.[1];
  if (branch === undefined) return head;
  const shared = resolve(own, readIn(own, 'commondir')?.trim() ?? '.');
  const loose = readIn(own, branch) ?? readIn(shared, branch);
  if (loose !== null) return loose.trim();
  const packed = readIn(shared, 'packed-refs')?.split('\n') ?? [];
  return packed.find((line) => line.endsWith(` ${branch}`))?.split(' ')[0] ?? null;
};

/** `null` if the file does not exist. */
const readIn = (directory: string, name: string, ...alsoNone: readonly string[]) => {
  try {
    return readFileSync(join(directory, name), 'utf8');
  } catch (error) {
    const absent = ['ENOENT', 'ENOTDIR', ...alsoNone];
    if (isSystemError(error) && absent.includes(error.code!)) return null;
    throw error;
  }
};
