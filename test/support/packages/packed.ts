/** The published packages, as `npm pack` makes them. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../directory.ts';

export interface Packed {
  /** Its path. */
  readonly tarball: string;
  /** Compressed. */
  readonly bytes: number;
  /** Paths of its files, in order. */
  readonly files: readonly string[];
}

interface Told {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/** @param name The folder in `packages`. */
export const packed = async (name: string): Promise<Packed> => {
  const directory = temporaryDirectory(`packed-${name}`);
  const words = ['pack', '--silent', '--json', '--workspace', `packages/${name}`];
  const { stdout } = await promisify(execFile)('npm', [...words, '--pack-destination', directory]);
  const [{ filename, size, files }] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as [Told];
  const paths = files.map(({ path }) => path).toSorted();
  return { tarball: join(directory, filename), bytes: size, files: paths };
};
