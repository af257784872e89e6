/**
 * The erasures, stored apart from the log and the database: a restore undoes erasures in both, and
 * they are repeated from the list. It is append-only, and contains only ids and aliases of
 * organisations. contract.md section 11, decision 0124.
 */
import { createHash } from 'node:crypto';
import { listEntryIn, listLine, type ListEntry } from '../../domain/erasures/list-entry.ts';
import { FilesUnavailable, type FileStore } from '../../files/file-store.ts';
import { ERASURE_FILES } from '../../files/stores.ts';

export interface ErasureList {
  /** Durable when it resolves. Idempotent. @throws As the store of files does. */
  add(entry: ListEntry): Promise<void>;
  /** Every entry, once. @throws As the store of files does. */
  all(onUnreadable: OnUnreadable): AsyncIterable<ListEntry>;
  /** Pages of the names of its entries. @throws As the store of files does. */
  names(): AsyncIterable<readonly string[]>;
  /** The entries of these names. @throws As the store of files does. */
  read(names: readonly string[], onUnreadable: OnUnreadable): AsyncIterable<ListEntry>;
}

/** Must report that this erasure cannot be repeated; the other entries are still read. */
export type OnUnreadable = (entry: UnreadableEntry) => void;

/** A file for each entry, named by its contents. */
export const erasureListIn = (
  files: Pick<FileStore, 'receive' | 'open' | 'stored'>,
): ErasureList => {
  async function* read(names: readonly string[], onUnreadable: OnUnreadable) {
    for (const name of names) {
      const found = await entryIn(files, name);
      if (found instanceof UnreadableEntry) onUnreadable(found);
      else yield found;
    }
  }
  return {
    read,
    names: () => files.stored(),

    async add(entry) {
      const received = await files.receive(bytesOf(listLine(entry)));
      try {
        await received.keep(OWNER);
      } finally {
        await received.discard();
      }
    },

    async *all(onUnreadable) {
      for await (const names of files.stored()) yield* read(names, onUnreadable);
    },
  };
};

/** An entry that is damaged, was written by a newer release, or whose file cannot be read. */
export class UnreadableEntry extends Error {
  override readonly name = 'UnreadableEntry';
  /** Its name in the store. */
  readonly entry: string;

  constructor(entry: string, options: ErrorOptions) {
    super(`${ERASURE_FILES}/${entry} is no erasure that this release can read`, options);
    this.entry = entry;
  }
}

/** @throws {@link FilesUnavailable}: the whole store is unavailable; the entry may be readable. */
const entryIn = async (
  files: Pick<FileStore, 'open'>,
  name: string,
): Promise<ListEntry | UnreadableEntry> => {
  const sha256 = name.slice(name.lastIndexOf('/') + 1);
  try {
    const chunks = await files.open({ organisation: OWNER, sha256 });
    const bytes = Buffer.concat(await Array.fromAsync(chunks));
    if (createHash('sha256').update(bytes).digest('hex') !== sha256)
      throw new Error('its contents are not those that it is named by');
    return listEntryIn(bytes.toString());
  } catch (error) {
    if (error instanceof FilesUnavailable) throw error;
    return new UnreadableEntry(name, { cause: error });
  }
};

/** In place of an organisation, by which file stores are divided. */
const OWNER = 'erasures';

async function* bytesOf(text: string): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from(text);
}
