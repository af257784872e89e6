/** The list of erasures, and its files in a directory. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ListEntry } from '../../src/domain/erasures/list-entry.ts';
import type { FileStore } from '../../src/files/file-store.ts';
import { erasureListIn } from '../../src/use-cases/erasures/erasure-list.ts';

/** Where everything can be read. */
export const unexpected = (error: Error): never => {
  throw error;
};

export const listedIn = (files: FileStore): Promise<readonly ListEntry[]> =>
  Array.fromAsync(erasureListIn(files).all(unexpected));

/** @param root Of the stores of files. */
export const listedFiles = (root: string): readonly string[] =>
  readdirSync(join(root, 'erasures'), { recursive: true, withFileTypes: true })
    .filter((found) => found.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

/** Under the same name. */
export const changeEntry = (path: string, text: string, by: string): void => {
  const before = readFileSync(path, 'utf8');
  if (!before.includes(text)) throw new Error(`${path} has no ${text}`);
  writeFileSync(path, before.replace(text, by));
};

/** Of a format to come. @returns Its path. */
export const newerEntry = (path: string): string => {
  changeEntry(path, '"atriumErasure":1', '"atriumErasure":2');
  const digest = createHash('sha256').update(readFileSync(path)).digest('hex');
  const renamed = join(path, '..', digest);
  renameSync(path, renamed);
  return renamed;
};
