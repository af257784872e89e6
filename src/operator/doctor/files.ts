/** Whether attachments can be stored, read and removed. */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { Config } from '../../config/config.ts';
import { shownS3Address, type S3Address } from '../../files/place.ts';
import { openFileStores, type OpenedFileStores } from '../../files/stores.ts';
import { failed, ok, type Finding } from './check.ts';
import { diskFinding, existing, spaceAt } from './machine.ts';

/**
 * For a directory, even one to be created: whether it can be written, and its free space. In a
 * bucket a file is stored, read and removed again.
 *
 * @param closing Closes the connections, also after a timeout.
 */
export const filesFinding = async (
  { files, dataDirectory }: Pick<Config, 'files' | 'dataDirectory'>,
  closing: AsyncDisposableStack,
): Promise<Finding> => {
  if (files.kind === 'directory') return directoryFinding(files.directory);
  const stores = openFileStores(files, dataDirectory);
  closing.defer(() => stores.close());
  return bucketFinding(stores, files.address);
};

const directoryFinding = async (directory: string): Promise<Finding> => {
  const place = await existing(directory);
  try {
    await access(place, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return failed(`${place}: attachments cannot be written there`);
  }
  return diskFinding(directory, await spaceAt(place));
};

/** A name that no platform uses, so that the check changes none of its files. */
const TRIAL = 'doctor';

const bucketFinding = async (stores: OpenedFileStores, address: S3Address): Promise<Finding> => {
  const store = stores.of(TRIAL);
  const received = await store.receive(trialBytes());
  const organisation = TRIAL;
  const file = { organisation, sha256: received.sha256 };
  try {
    await received.keep(organisation);
    for await (const chunk of await store.open(file)) void chunk;
    await store.remove(file);
  } finally {
    await received.discard();
  }
  return ok(`${shownS3Address(address)}: a file was stored, read and removed`);
};

async function* trialBytes() {
  yield Buffer.from('written by atrium doctor');
}
