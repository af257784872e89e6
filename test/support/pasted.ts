/** The shell commands of a documentation page, run as if pasted into a shell. */
import { execFile } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory } from './directory.ts';
import { programEnvironment } from './servers/environment.ts';
import { text } from './sources.ts';

interface Block {
  readonly section: string;
  readonly language: string;
  /** The file that the page calls it. */
  readonly file: string | undefined;
  readonly lines: string;
}

export const blocksOf = (page: string): readonly Block[] => {
  const blocks: Block[] = [];
  let section = '';
  for (const [, title, language, file, lines] of text(page).matchAll(
    /^## ([^\n]+)$|^```(\w+)(?: (\S+))?\n(.*?)^```$/gms,
  )) {
    if (title !== undefined) section = title;
    else blocks.push({ section, language: language!, file, lines: lines! });
  }
  return blocks;
};

/** The shell blocks of a page, or of some of its sections, one after the other. */
export const shellBlocksOf = (
  page: string,
  inSection: (section: string) => boolean = () => true,
): readonly string[] =>
  blocksOf(page)
    .filter(({ language, section }) => language === 'sh' && inSection(section))
    .map(({ lines }) => lines);

/** A separate checkout, so that `.atrium` and other files of the pages are not shared. */
export const checkout = (name: string): string => {
  const directory = temporaryDirectory(name);
  for (const part of ['package.json', 'node_modules', 'packages', 'src'])
    symlinkSync(resolve(part), join(directory, part));
  return directory;
};

/**
 * Runs a script in a new shell with `set -euo pipefail`.
 *
 * @returns Its output.
 */
export const paste = async (
  script: string,
  directory: string,
  environment: Readonly<Record<string, string>>,
): Promise<string> => {
  const env = { ...programEnvironment(), HOME: directory, ...environment };
  const words = ['--norc', '-euo', 'pipefail', '-c', script];
  const { stdout } = await promisify(execFile)('bash', words, { cwd: directory, env });
  return stdout;
};
