/** The last release, from the history of this repository: its source and its dependencies. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { releaseFiles, type ReleaseFile } from '../../support/release-file.ts';
import type { Release } from './next-release.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const LOCK = 'package-lock.json';

/** Without scripts: only the embedded Postgres, which is not used here, has any. */
const INSTALL = ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];

const git = (...words: readonly string[]): Buffer =>
  execFileSync('git', words, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 512 * 1024 * 1024,
  });

/** The last release whose commit is named in `releases/`. */
export const lastReleaseFile = (): ReleaseFile & { readonly commit: string } => {
  const last = releaseFiles().findLast(({ commit }) => commit !== undefined);
  if (last?.commit === undefined) throw new Error('no file of releases/ names a commit');
  return { ...last, commit: last.commit };
};

/** Whether the commit is available: not in a copy without history, nor in a shallow clone. */
export const isInHistory = (commit: string): boolean => {
  // A copy of the source may be inside another repository.
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
 * The versions in a lock file of the packages that a server loads, by path: those that are not
 * development dependencies, and the development issuer, which is one.
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
 * Extracts the source of a release into a new directory. Where all dependencies of its server are
 * installed here in the same version, it runs with those; otherwise they are installed, which
 * takes a minute and a registry.
 *
 * @throws If its `package.json` names another version: the running release would be unknown.
 */
export const releaseAt = ({ version, commit }: ReleaseFile & { commit: string }): LastRelease => {
  // Not in memory: the installed packages are too large.
  const directory = mkdtempSync(join(tmpdir(), 'atrium-last-release-'));
  execFileSync('tar', ['-x', '-C', directory], { input: git('archive', commit) });
  const named = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
    version: string;
  };
  if (named.version !== version)
    throw new Error(`releases/${version}.json names a commit of version ${named.version}`);
  const needed = serverNeeds(git('show', `${commit}:${LOCK}`));
  const installed = serverNeeds(readFileSync(join(ROOT, LOCK)));
  if (Object.entries(needed).every(([path, neededVersion]) => installed[path] === neededVersion)) {
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
