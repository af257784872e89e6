/** The release after this one: a copy of the source with the given changes. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../../support/directory.ts';

/** Where the programs of a release are. */
export interface Release {
  readonly server: string;
  readonly command: string;
}

/** A text of a file and its replacement. */
export interface Change {
  readonly path: string;
  readonly from: string;
  readonly to: string;
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** @throws If the text of a change is not found exactly once: the source has changed. */
export const nextRelease = (changes: readonly Change[]): Release => {
  const directory = temporaryDirectory('next-release');
  const own = ['src', 'packages', 'package.json', 'releases'];
  for (const entry of readdirSync(ROOT))
    if (!own.includes(entry)) symlinkSync(join(ROOT, entry), join(directory, entry));
  cpSync(join(ROOT, 'src'), join(directory, 'src'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(directory, 'package.json'));
  cpSync(join(ROOT, 'releases'), join(directory, 'releases'), { recursive: true });
  mkdirSync(join(directory, 'packages'));
  for (const entry of readdirSync(join(ROOT, 'packages')))
    if (entry !== 'cli')
      symlinkSync(join(ROOT, 'packages', entry), join(directory, 'packages', entry));
  cpSync(join(ROOT, 'packages/cli'), join(directory, 'packages/cli'), {
    recursive: true,
    filter: (path) => !path.endsWith('node_modules'),
  });
  for (const { path, from, to } of changes) {
    const file = join(directory, path);
    const parts = readFileSync(file, 'utf8').split(from);
    if (parts.length !== 2) throw new Error(`${path} has ${parts.length - 1} times: ${from}`);
    writeFileSync(file, parts.join(to));
  }
  describeRelease(directory);
  return {
    server: join(directory, 'src/main.ts'),
    command: join(directory, 'packages/cli/src/atrium.ts'),
  };
};

/** Its release file describes the rollback as this release's file does. */
const describeRelease = (directory: string): void => {
  const versionIn = (root: string) =>
    (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;
  const fileOf = (version: string) => join(directory, 'releases', `${version}.json`);
  const file = fileOf(versionIn(directory));
  if (!existsSync(file)) cpSync(fileOf(versionIn(ROOT)), file);
};
