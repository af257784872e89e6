/** What happens to all files that are received, whatever route they come by. */
import type { FileStore, FileStores } from './file-store.ts';
import { MetadataStay } from './metadata/heif.ts';
import { withoutMetadata } from './metadata/without-metadata.ts';

export interface Screening {
  /** Pictures keep what they say of place, time and owner. Default false: it is removed. */
  readonly keepsMetadata?: boolean;
}

/** A file is not accepted; nothing of it remains. */
export class FileRefused extends Error {
  override name = 'FileRefused';
  readonly reason: 'broken';

  constructor(reason: FileRefused['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The stores, in which `receive` also throws {@link FileRefused}. */
export const screenedStores = (stores: FileStores, screening: Screening): FileStores => ({
  ...stores,
  of: (platform) => screenedStore(stores.of(platform), screening),
});

export const screenedStore = (
  files: FileStore,
  { keepsMetadata = false }: Screening,
): FileStore => ({
  ...files,
  async receive(chunks) {
    if (keepsMetadata) return files.receive(chunks);
    try {
      return await files.receive(withoutMetadata(chunks));
    } catch (error) {
      if (!(error instanceof MetadataStay)) throw error;
      throw new FileRefused(
        'broken',
        `The picture's metadata cannot be removed: ${error.message}.`,
      );
    }
  },
});
