import { createHash } from 'node:crypto';
import type { FileName } from './file-store.ts';

/**
 * Where a platform's store keeps a file: `<organisation>/<2 characters>/<sha256>`, the same in
 * every store, so that files are copied between stores unchanged.
 */
export const fileKeyOf = ({ organisation, sha256 }: FileName): string => {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error(`${sha256} is no SHA-256`);
  return `${organisationFolder(organisation)}/${sha256.slice(0, 2)}/${sha256}`;
};

/** An alias may have characters that a file system refuses, or treats as equal. */
const organisationFolder = (organisation: string): string =>
  createHash('sha256').update(organisation).digest('hex').slice(0, 32);

/** @throws For a name that would leave its store. */
export const platformFolder = (platform: string): string => {
  if (!/^[\w-]+$/.test(platform)) throw new Error(`${platform} is no name of a platform`);
  return platform;
};
