/**
 * What was erased, kept apart from the log and the database: a restore brings both back as they
 * were before an erasure, and the list has it carried out again. It is only added to, and has ids
 * and aliases of organisations alone. contract.md section 11, decision 0131.
 */
import { listEntryIn, listLine, type ListEntry } from '../../domain/erasures/list-entry.ts';
import type { FileStore } from '../../files/file-store.ts';
import { ERASURE_FILES } from '../../files/stores.ts';

export interface ErasureList {
  /** Durable when it resolves. Idempotent. @throws As the store of files does. */
  add(entry: ListEntry): Promise<void>;
  /** Each once. @throws As {@link names} and {@link read} do. */
  all(): AsyncIterable<ListEntry>;
  /** Pages of the names of its entries. @throws As the store of files does. */
  names(): AsyncIterable<readonly string[]>;
  /** @throws As the store of files does, and {@link UnreadableEntry}. */
  read(name: string): Promise<ListEntry>;
}

/** A file for each entry, named by its contents. */
export const erasureListIn = (
  files: Pick<FileStore, 'receive' | 'open' | 'stored'>,
): ErasureList => {
  const read = async (name: string): Promise<ListEntry> => {
    const sha256 = name.slice(name.lastIndexOf('/') + 1);
    const chunks = await files.open({ organisation: OWNER, sha256 });
    const text = Buffer.concat(await Array.fromAsync(chunks)).toString();
    try {
      return listEntryIn(text);
    } catch (error) {
      throw new UnreadableEntry(`${ERASURE_FILES}/${name} is no erasure of this release`, {
        cause: error,
      });
    }
  };
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

    async *all() {
      for await (const names of files.stored()) for (const name of names) yield await read(name);
    },
  };
};

/** It was damaged, or written by a newer release. */
export class UnreadableEntry extends Error {
  override readonly name = 'UnreadableEntry';
}

/** Stores are divided by organisations; here there is one. */
const OWNER = 'erasures';

async function* bytesOf(text: string): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from(text);
}
