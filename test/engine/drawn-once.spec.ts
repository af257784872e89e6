import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { drawnOnce } from '../../src/engine/drawn-once.ts';
import { temporaryDirectory } from '../support/directory.ts';

it('leaves a file that is there, and writes nothing beside it', () => {
  const root = temporaryDirectory('drawn');
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const directory = join(root, 'deep');
  const path = join(directory, 'a.key');
  expect(drawnOnce(path, 'first')).toBe(true);
  const changedAt = () => statSync(directory, { bigint: true }).mtimeNs;
  const before = changedAt();
  expect(drawnOnce(path, 'second')).toBe(false);
  expect(changedAt()).toBe(before);
  expect(readFileSync(path, 'utf8')).toBe('first');
});
