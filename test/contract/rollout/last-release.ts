/** The release before this commit, by its tag, as it was: its source, and what it was run with. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { Release } from './next-release.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const LOCK = 'package-lock.json';

/** The embedded Postgres, which alone has something to be run, is not used. */
const INSTALL = ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];

const git = (...words: readonly string[]): Buffer =>
  execFileSync('git', words, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 512 * 1024 * 1024,
  });

/**
 * The last tag `vX.Y.Z` before this commit: what is tagged itself is held against the one before.
 * `null` where there is none, no history, or no git.
 */
export const lastReleaseTag = (): string | null => {
  // A copy of the source may lie within another repository.
  if (!existsSync(join(ROOT, '.git'))) return null;
  try {
    const match = ['--match', 'v[0-9]*.[0-9]*.[0-9]*', 'HEAD^'];
    return git('describe', '--tags', '--abbrev=0', ...match)
      .toString()
      .trim();
  } catch {
    return null;
  }
};

interface Locked {
  readonly version?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

/**
 * What a lock says of packages that a server loads: those that are no tools, and the development
 * issuer, which is one. By path, with the version.
 */
const serverNeeds = (lock: Buffer): Readonly<Record<string, string | undefined>> => {
  const { packages } = JSON.parse(lock.toString()) as { packages: Record<string, Locked> };
  const needed = Object.entries(packages).filter(
    ([path, { dev = false, link = false }]) =>
      path.startsWith('node_modules/') && !link && (!dev || path === ISSUER),
  );
  return Object.fromEntries(needed.map(([path, { version }]) => [path, version]));
};

const ISSUER = 'node_modules/oidc-provider';

export interface LastRelease extends Release {
  /** Removes its directory. */
  remove(): void;
}

/**
 * Puts the source of `tag` into a directory of its own. Where its server needs what this
 * commit's needs, it runs with what is installed here; else all is installed anew, which takes a
 * minute and a registry.
 *
 * @throws If the tag's `package.json` names another version: what is running could not be told.
 */
export const releaseAt = (tag: string): LastRelease => {
  // What is installed is too much for memory.
  const directory = mkdtempSync(join(tmpdir(), 'atrium-last-release-'));
  execFileSync('tar', ['-x', '-C', directory], { input: git('archive', tag) });
  const { version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
    version: string;
  };
  if (tag !== `v${version}`) throw new Error(`${tag} has version ${version} in its package.json`);
  const locks = [git('show', `${tag}:${LOCK}`), readFileSync(join(ROOT, LOCK))].map(serverNeeds);
  if (isDeepStrictEqual(locks[0], locks[1])) {
    symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  } else {
    execFileSync('npm', INSTALL, { cwd: directory, stdio: 'ignore' });
  }
  return {
    remove: () => rmSync(directory, { recursive: true, force: true }),
    server: join(directory, 'src/main.ts'),
    command: join(directory, 'packages/cli/src/atrium.ts'),
  };
};
