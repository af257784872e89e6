/** Screens all received files, whatever their route. */
import type { Logger } from '../engine/observe/logging.ts';
import type { FileStore, FileStores, ReceivedFile } from './file-store.ts';
import { MetadataStay } from './metadata/rewriting.ts';
import { withoutMetadata } from './metadata/without-metadata.ts';
import type { Scanner } from './scanner/scanner.ts';

export interface Screening {
  /** Pictures keep metadata of place, time and owner. Default false: it is removed. */
  readonly keepsMetadata?: boolean;
  /** Default `null`: files are not scanned. */
  readonly scanner?: Scanner | null;
  readonly logger: Logger;
}

/** A file is not accepted; nothing of it remains. */
export class FileRefused extends Error {
  override name = 'FileRefused';
  readonly reason: 'broken' | 'infected';

  constructor(reason: FileRefused['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * The stores, in which `receive` also throws {@link FileRefused} and `ScannerUnavailable`,
 * and which are not ready while the scanner is not.
 */
export const screenedStores = (stores: FileStores, screening: Screening): FileStores => ({
  ...stores,
  of: (platform) => screenedStore(stores.of(platform), screening),
});

const screenedStore = (
  files: FileStore,
  { keepsMetadata = false, scanner = null, logger }: Screening,
): FileStore => {
  const received = async (chunks: AsyncIterable<Uint8Array>): Promise<ReceivedFile> => {
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
  };

  const scanned = async (file: ReceivedFile, by: Scanner): Promise<void> => {
    const signature = await by.scan(() => file.read());
    if (signature === null) return;
    const { sha256, bytes } = file;
    logger.warn({ sha256, bytes, signature }, 'an infected file was refused');
    throw new FileRefused('infected', 'The scanner has found malware in the file.');
  };

  return {
    ...files,
    async receive(chunks) {
      const file = await received(chunks);
      if (!scanner) return file;
      try {
        await scanned(file, scanner);
        return file;
      } catch (error) {
        await file.discard();
        throw error;
      }
    },

    async ready() {
      const isReady = await files.ready();
      return isReady === true && scanner ? scanner.ready() : isReady;
    },
  };
};
