/** The last release, from the history of this repository: its source, and what it was run with. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { releaseFiles, type ReleaseFile } from '../../support/release-file.ts';
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

/** The last release of which `releases/` names the commit. */
export const lastReleaseFile = (): ReleaseFile & { readonly commit: string } => {
  const last = releaseFiles().findLast(({ commit }) => commit !== undefined);
  if (last?.commit === undefined) throw new Error('no file of releases/ names a commit');
  return { ...last, commit: last.commit };
};

/** Whether the commit can be had: not in a copy without history, nor in a shallow clone. */
export const isInHistory = (commit: string): boolean => {
  // A copy of the source may lie within another repository.
  if (!existsSync(join(ROOT, '.git'))) return false;
  try {
    git('cat-file', '-e', `${commit}^{commit}`);
    return true;
  } catch {
    return false;
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
 * Puts the source of a release into a directory of its own. Where all that its server needs is
 * installed here in the same version, it runs with that; else all is installed anew, which takes
 * a minute and a registry.
 *
 * @throws If `package.json` names another version there: what is running could not be told.
 */
export const releaseAt = ({ version, commit }: ReleaseFile & { commit: string }): LastRelease => {
  // What is installed is too much for memory.
  const directory = mkdtempSync(join(tmpdir(), 'atrium-last-release-'));
  execFileSync('tar', ['-x', '-C', directory], { input: git('archive', commit) });
  const named = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
    version: string;
  };
  if (named.version !== version)
    throw new Error(`releases/${version}.json names a commit of version ${named.version}`);
  const needed = serverNeeds(git('show', `${commit}:${LOCK}`));
  const installed = serverNeeds(readFileSync(join(ROOT, LOCK)));
  if (Object.entries(needed).every(([path, wanted]) => installed[path] === wanted)) {
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
