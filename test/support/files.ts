import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { temporaryDirectory } from './directory.ts';

/** Where the tests of one file write theirs; gone after the last of them. */
export const temporaryFiles = (): { path(name: string): string } => {
  const directory = temporaryDirectory('files');
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return { path: (name) => join(directory, name) };
};
