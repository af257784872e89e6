/** The release before this commit, by its tag, as it was: its source, and what it was run with. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../directory.ts';
import type { Release } from './next-release.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** What decides what is installed. */
const LOCK = 'package-lock.json';

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

/**
 * Puts the source of `tag` into a directory of its own. Where it was locked as this commit is, it
 * runs with what is installed here; else it is installed anew, which takes its time and a registry.
 *
 * @throws If the tag's `package.json` names another version: what is running could not be told.
 */
export const releaseAt = (tag: string): Release & { readonly version: string } => {
  const directory = temporaryDirectory('last-release');
  execFileSync('tar', ['-x', '-C', directory], { input: git('archive', tag) });
  const { version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
    version: string;
  };
  if (tag !== `v${version}`) throw new Error(`${tag} has version ${version} in its package.json`);
  if (git('show', `${tag}:${LOCK}`).equals(readFileSync(join(ROOT, LOCK)))) {
    symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  } else {
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: directory, stdio: 'ignore' });
  }
  return {
    version,
    server: join(directory, 'src/main.ts'),
    command: join(directory, 'packages/cli/src/atrium.ts'),
  };
};
