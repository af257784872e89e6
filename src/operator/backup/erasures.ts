/** The list of erasures in backups; the newest list of a place is complete. decision 0131. */
import { listEntryIn, listLine, type ListEntry } from '../../domain/erasures/list-entry.ts';
import type { ErasureList, OnUnreadable } from '../../use-cases/erasures/erasure-list.ts';
import { linesOf } from '../events/lines.ts';
import type { Manifest } from './manifest.ts';
import type { BackupPlace } from './place.ts';
import { BackupRefused } from './refused.ts';

/**
 * Stores this installation's list, merged with that of the newest backup, so that no erasure is
 * lost with a store of files. Unreadable entries are left out. Holds the list in memory.
 *
 * @returns The part; `null`: there are no erasures.
 */
export const copyErasures = async (
  place: BackupPlace,
  list: Pick<ErasureList, 'all'>,
  others: readonly Manifest[],
  onUnreadable: OnUnreadable,
): Promise<string | null> => {
  const lines = new Set<string>();
  for await (const entry of list.all(onUnreadable)) lines.add(listLine(entry));
  for await (const entry of newestErasures(place, others)) lines.add(listLine(entry));
  if (lines.size === 0) return null;
  const text = [...lines].toSorted().join('');
  const bytes = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    yield Buffer.from(text);
  };
  return place.store(bytes());
};

/** The entries of the newest list in a backup. @throws {@link BackupRefused} `DAMAGED`. */
export async function* newestErasures(
  place: Pick<BackupPlace, 'read'>,
  manifests: readonly Manifest[],
): AsyncGenerator<ListEntry, void, undefined> {
  const part = manifests.find(({ erasures }) => erasures !== null)?.erasures ?? null;
  if (part === null) return;
  const chunks = place.read(part) as AsyncIterable<Buffer>;
  for await (const { lines } of linesOf(chunks)) {
    for (const line of lines) {
      let entry: ListEntry;
      try {
        entry = listEntryIn(line.toString());
      } catch (error) {
        throw new BackupRefused('DAMAGED', 'the list of erasures cannot be read', error);
      }
      yield entry;
    }
  }
}
