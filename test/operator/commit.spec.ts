/** The commit of a checkout, compared with git's own answer. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { commitOf } from '../../src/operator/commit.ts';
import { temporaryDirectory } from '../support/directory.ts';

let root: string;
const git = (...words: readonly string[]) =>
  execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b.test', ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
beforeEach(() => {
  root = temporaryDirectory('commit');
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'first');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('is that of the branch, as a loose or packed ref, or the detached HEAD', () => {
  const commit = git('rev-parse', 'HEAD');
  expect(commit).toMatch(/^[0-9a-f]{40}$/);
  expect(commitOf(root)).toBe(commit);
  git('pack-refs', '--all');
  expect(commitOf(root)).toBe(commit);
  git('checkout', '-q', '--detach');
  expect(commitOf(root)).toBe(commit);
});

it('is that of a linked work tree', () => {
  const linked = join(root, 'linked');
  git('worktree', 'add', '-q', '-b', 'side', linked);
  expect(commitOf(linked)).toBe(git('rev-parse', 'side'));
});

it('is unknown where there is no checkout, or no commit yet', () => {
  const none = join(root, 'none');
  mkdirSync(none);
  expect(commitOf(none)).toBeNull();
  git('checkout', '-q', '--orphan', 'new');
  expect(commitOf(root)).toBeNull();
});
