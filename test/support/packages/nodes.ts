/** The releases of Node that the published packages support, each as a program. */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The release to install per major version where the machine has none. */
const RELEASES: Readonly<Record<string, string>> = {
  20: '20.20.2',
  22: '22.23.3',
  24: '24.21.0',
};

export const MAJORS = Object.keys(RELEASES);

/**
 * The path of a Node of this major: this process's, one on the PATH, or one from the registry.
 *
 * @param directory Where it is installed if necessary.
 */
export const nodeOf = async (major: string, directory: string): Promise<string> => {
  const directories = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = [process.execPath, ...directories.map((path) => join(path, 'node'))];
  for (const candidate of new Set(candidates))
    if ((await majorOf(candidate)) === major) return candidate;
  return installed(major, directory);
};

const majorOf = async (node: string): Promise<string | null> => {
  try {
    return (await run(node, ['--print', 'process.versions.node'])).stdout.split('.')[0]!;
  } catch {
    return null;
  }
};

const installed = async (major: string, directory: string): Promise<string> => {
  const name = `node-${process.platform}-${process.arch}`;
  await npmInstall(directory, `${name}@${RELEASES[major]}`);
  return join(directory, 'node_modules', name, 'bin/node');
};

/** Creates an empty project in `directory`, and installs packages and tarballs into it. */
export const npmInstall = async (directory: string, ...packages: readonly string[]) => {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'package.json'), '{ "private": true }');
  const words = ['install', '--prefix', directory, '--prefer-offline', '--ignore-scripts'];
  await run('npm', [...words, '--no-audit', '--no-fund', ...packages], { cwd: directory });
};
