import { spawnSync } from 'node:child_process';
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
import type { Binaries } from './binaries.ts';
import { makePrivate, type Places, type ServerUser } from './paths.ts';
import { EmbeddedUnavailable, messageOf } from './unavailable.ts';

/**
 * Makes the cluster if there is none. It is made beside its place and moved there whole, so that
 * a process killed half way leaves nothing behind that looks like a cluster, and of two that
 * start at once one finds the other's.
 *
 * @throws {@link EmbeddedUnavailable} if it cannot be made, or is of another major version.
 */
export const ensureCluster = (places: Places, binaries: Binaries, user: ServerUser): void => {
  const version = join(places.data, 'PG_VERSION');
  if (existsSync(places.data)) checkAccess(places.data);
  if (!existsSync(version)) make(places, binaries, user);
  const major = Number.parseInt(readable(version), 10);
  if (major !== binaries.major)
    throw new EmbeddedUnavailable(
      `${places.data} was made by Postgres ${major}, and this release has ${binaries.major}; ` +
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
/** What an initdb left behind that did not come to its end is cleared away after so long. */
const ABANDONED_AFTER_MS = 10 * 60_000;

const make = ({ home, data }: Places, binaries: Binaries, user: ServerUser): void => {
  for (const name of readdirSync(home).filter((name) => name.startsWith(PREFIX)))
    if (Date.now() - statSync(join(home, name)).mtimeMs > ABANDONED_AFTER_MS)
      rmSync(join(home, name), { recursive: true, force: true });

  const beside = mkdtempSync(join(home, PREFIX));
  try {
    makePrivate(beside, user);
    const made = spawnSync(
      binaries.program('initdb'),
      // Whoever can enter the socket's directory is the server's user or root; there is no other
      // way in, so there is no password to keep.
      ['-D', beside, '-U', 'atrium', '--encoding=UTF8', '--locale=C', '--auth=trust'],
      { ...user.as, cwd: '/', encoding: 'utf8' },
    );
    if (made.status !== 0) {
      const lines = (made.stderr ?? '').split('\n');
      const line = lines.find((line) => /error|fatal/i.test(line)) ?? lines[0];
      throw new EmbeddedUnavailable(`initdb failed: ${made.error?.message ?? line}`);
    }
    renameSync(beside, data);
    sync(home);
  } catch (error) {
    rmSync(beside, { recursive: true, force: true });
    if (existsSync(join(data, 'PG_VERSION'))) return;
    if (error instanceof EmbeddedUnavailable) throw error;
    throw new EmbeddedUnavailable(`${data} cannot be made: ${messageOf(error)}`, error);
  }
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
