import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { makeDirectories } from '../../make-directories.ts';
import type { Report } from '../../observe/report.ts';
import { EmbeddedUnavailable, messageOf } from './unavailable.ts';

/** The user that the server runs as. Postgres refuses to run as root, so root picks another one. */
export interface ServerUser {
  /** Spread into the options of `spawn`. Empty: as this process. */
  readonly as: { readonly uid?: number; readonly gid?: number };
}

/** The directories and files of one cluster. */
export interface ClusterPaths {
  /** The requested directory; contains the server's log. */
  readonly base: string;
  /** Contains `data` and its files: `base`, unless the server's user has no access to it. */
  readonly home: string;
  readonly data: string;
  /** Holds the socket; only the server's user, and root, may enter. */
  readonly run: string;
  readonly log: string;
}

/**
 * As root: the owner of the cluster if there is one, else `postgres`, else `nobody`. Both have an
 * entry in the list of users, which initdb insists on.
 */
export const serverUser = (directory: string): ServerUser => {
  if (process.getuid?.() !== 0) return { as: {} };
  const data = join(clusterHome(resolve(directory)), 'data');
  if (existsSync(data)) {
    const { uid, gid } = statSync(data);
    if (uid !== 0) return { as: { uid, gid } };
  }
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => {
      const id = spawnSync('id', [flag, name], { encoding: 'utf8' });
      return id.status === 0 ? Number(id.stdout) : Number.NaN;
    });
    if (Number.isInteger(uid) && Number.isInteger(gid)) return { as: { uid: uid!, gid: gid! } };
  }
  throw new EmbeddedUnavailable('it does not run as root, and there is no user postgres or nobody');
};

/**
 * Makes the directories. Where the server's user may not enter (a checkout below /root), the
 * cluster goes to {@link cacheDirectory}, and `base` has a file with its path.
 *
 * An existing cluster is never abandoned for a new one.
 *
 * @throws {@link EmbeddedUnavailable} if `directory` cannot be written, or holds a cluster that the
 *   server's user may not enter.
 */
export const clusterPaths = (directory: string, user: ServerUser, report: Report): ClusterPaths => {
  const base = resolve(directory);
  try {
    makeDirectories(base);
    // Other users may pass through the directory, which is Atrium's own, and not list it.
    if (user.as.uid !== undefined) chmodSync(base, statSync(base).mode | 0o011);
    const home = reachableHome(base, user, report);
    const data = join(home, 'data');
    const run = runDirectory(home, user);
    return { base, home, data, run, log: join(base, 'postgres.log') };
  } catch (error) {
    if (error instanceof EmbeddedUnavailable) throw error;
    // Without its cause: that of the file system would be taken for a lost connection, and retried.
    throw new EmbeddedUnavailable(`${base} cannot be used: ${messageOf(error)}`);
  }
};

/** For root: a directory that the server's user can reach. Otherwise: the user's own cache. */
export const cacheDirectory = ({ as }: ServerUser): string =>
  as.uid === undefined ? join(homedir(), '.cache', 'atrium') : '/var/lib/atrium';

/** Makes `path` private to the server's user. */
export const makePrivate = (path: string, { as }: ServerUser): void => {
  makeDirectories(path, 0o700);
  if (as.uid !== undefined && as.gid !== undefined) chownSync(path, as.uid, as.gid);
};

const POINTER = 'cluster-is-in';

/** The directory of the cluster of `base`, which may be elsewhere. */
export const clusterHome = (base: string): string => {
  const pointer = join(base, POINTER);
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : base;
};

const reachableHome = (base: string, user: ServerUser, report: Report): string => {
  const home = clusterHome(base);
  if (home === base && mayEnter(base, user)) return base;
  // Another directory would begin with an empty cluster although this one holds data.
  if (home === base && existsSync(join(base, 'data')))
    throw new EmbeddedUnavailable(`its user may not enter ${base}, where its cluster is`);
  if (home === base) {
    const temporary = join(base, `${POINTER}.${process.pid}`);
    const chosen = join(cacheDirectory(user), `cluster-${randomUUID()}`);
    // Made first: a pointer to no directory means a lost cluster, never an interrupted start.
    makeDirectories(chosen, 0o711);
    writeFileSync(temporary, `${chosen}\n`);
    try {
      // Fails where another process was first: its choice is used.
      linkSync(temporary, join(base, POINTER));
    } catch (error) {
      rmdirSync(chosen);
      if (!existsSync(join(base, POINTER))) throw error;
    } finally {
      rmSync(temporary, { force: true });
    }
  }
  const elsewhere = clusterHome(base);
  if (!existsSync(elsewhere))
    throw new EmbeddedUnavailable(
      `its cluster ${elsewhere} is gone: restore that directory, or remove ` +
        `${join(base, POINTER)} to begin with an empty one`,
    );
  if (!mayEnter(elsewhere, user))
    throw new EmbeddedUnavailable(`its user may enter neither ${base} nor ${elsewhere}`);
  report.info(
    { directory: base, cluster: elsewhere },
    'the cluster is kept elsewhere: the user it runs as may not enter its directory',
  );
  return elsewhere;
};

/** @throws {@link EmbeddedUnavailable} if that is unknown, which is not the same as no. */
const mayEnter = (path: string, { as }: ServerUser): boolean => {
  if (as.uid === undefined) return true;
  const tried = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', path], { ...as, cwd: '/' });
  if (tried.status !== null) return tried.status === 0;
  const why = tried.error?.message ?? `sh was ended by ${tried.signal}`;
  throw new EmbeddedUnavailable(`whether its user may enter ${path} cannot be found out: ${why}`);
};

/** The length of a socket's path: 108 on Linux, 104 on macOS, the zero byte included. */
const SOCKET_PATH_BYTES_MAX = 100;

const runDirectory = (home: string, user: ServerUser): string => {
  const near = join(home, 'run');
  if (Buffer.byteLength(join(near, '.s.PGSQL.5432.lock')) <= SOCKET_PATH_BYTES_MAX) {
    makePrivate(near, user);
    return near;
  }
  const digest = createHash('sha256').update(realpathSync(home)).digest('hex').slice(0, 20);
  // TMPDIR may differ between processes, and all of them need the same directory.
  const far = join('/tmp', `atrium-${digest}`);
  makePrivate(far, user);
  const { uid, mode } = lstatSync(far);
  const ownUid = user.as.uid ?? process.getuid?.();
  if (uid !== ownUid || (mode & 0o777) !== 0o700)
    throw new EmbeddedUnavailable(`its socket directory ${far} belongs to another user`);
  return far;
};
