import { spawn } from 'node:child_process';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Binaries } from './binaries.ts';
import { makePrivate, type ClusterPaths, type ServerUser } from './paths.ts';
import { EmbeddedUnavailable, messageOf } from './unavailable.ts';

/**
 * Makes the cluster if there is none. It is made under another name and renamed when it is
 * complete: a process that is killed half way leaves nothing that looks like a cluster, and of two
 * that start at once one finds the other's.
 *
 * @throws {@link EmbeddedUnavailable} if it cannot be made, or is of another major version.
 */
export const ensureCluster = async (
  paths: ClusterPaths,
  binaries: Binaries,
  user: ServerUser,
): Promise<void> => {
  const version = join(paths.data, 'PG_VERSION');
  if (existsSync(paths.data)) checkAccess(paths.data);
  if (!existsSync(version)) await make(paths, binaries, user);
  const major = Number.parseInt(readable(version), 10);
  if (major !== binaries.major)
    throw new EmbeddedUnavailable(
      `${paths.data} was made by Postgres ${major}, and this release has ${binaries.major}; ` +
        `start the older release, or export its log and import it`,
    );
};

const checkAccess = (data: string): void => {
  try {
    accessSync(data, constants.R_OK | constants.X_OK);
  } catch (error) {
    throw new EmbeddedUnavailable(`${data} belongs to another user`, error);
  }
};

const PREFIX = 'new-cluster-';
/** The directory of an initdb that was interrupted is removed when it is so old. */
const ABANDONED_AFTER_MS = 10 * 60_000;

const make = async (
  { home, data }: ClusterPaths,
  binaries: Binaries,
  user: ServerUser,
): Promise<void> => {
  for (const name of readdirSync(home).filter((name) => name.startsWith(PREFIX)))
    if (Date.now() - statSync(join(home, name)).mtimeMs > ABANDONED_AFTER_MS)
      rmSync(join(home, name), { recursive: true, force: true });

  const temporary = mkdtempSync(join(home, PREFIX));
  try {
    makePrivate(temporary, user);
    // Only the server's user and root can enter the socket's directory, and there is no other way
    // in: a password would protect nothing.
    const options = ['-U', 'atrium', '--encoding=UTF8', '--locale=C', '--auth=trust'];
    await initdb(binaries.program('initdb'), ['-D', temporary, ...options], user);
    renameSync(temporary, data);
    sync(home);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    if (existsSync(join(data, 'PG_VERSION'))) return;
    if (error instanceof EmbeddedUnavailable) throw error;
    throw new EmbeddedUnavailable(`${data} cannot be made: ${messageOf(error)}`, error);
  }
};

const initdb = async (
  program: string,
  args: readonly string[],
  user: ServerUser,
): Promise<void> => {
  const made = spawn(program, args, { ...user.as, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
  const failed = (why: string) => new EmbeddedUnavailable(`initdb failed: ${why}`);
  const output = text(made.stderr);
  const code = await new Promise<number | null>((resolve, reject) => {
    made.once('error', (error) => reject(failed(error.message)));
    made.once('close', resolve);
  });
  if (code === 0) return;
  const lines = (await output).split('\n');
  throw failed(lines.find((line) => /error|fatal/i.test(line)) ?? lines[0]!);
};

const readable = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new EmbeddedUnavailable(`${path} cannot be read: ${messageOf(error)}`, error);
  }
};

/** A rename is durable once its directory is. */
const sync = (directory: string): void => {
  const handle = openSync(directory, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};
