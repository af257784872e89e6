/** The list of erasures in backups; the newest list of a place is complete. decision 0124. */
import { listEntryIn, listLine, type ListEntry } from '../../domain/erasures/list-entry.ts';
import type { ErasureList, OnUnreadable } from '../../use-cases/erasures/erasure-list.ts';
import { linesOf } from '../events/lines.ts';
import type { Manifest } from './manifest.ts';
import type { BackupPlace } from './place.ts';
import { BackupRefused, leaveOut, type OnDamaged } from './refused.ts';

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
  onDamaged: OnDamaged,
): Promise<string | null> => {
  const lines = new Set<string>();
  for await (const entry of list.all(onUnreadable)) lines.add(listLine(entry));
  for await (const entry of newestErasures(place, others, onDamaged)) lines.add(listLine(entry));
  if (lines.size === 0) return null;
  const text = [...lines].toSorted().join('');
  const bytes = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    yield Buffer.from(text);
  };
  return place.store(bytes());
};

/**
 * The entries of the newest list in a backup. Where it is damaged, also those of the one before,
 * which may lack the latest erasures.
 */
export async function* newestErasures(
  place: Pick<BackupPlace, 'read'>,
  manifests: readonly Manifest[],
  onDamaged: OnDamaged,
): AsyncGenerator<ListEntry, void, undefined> {
  const lists = new Set(manifests.flatMap(({ erasures }) => erasures ?? []));
  for (const part of lists) {
    try {
      yield* entriesIn(place, part);
      return;
    } catch (error) {
      leaveOut(error, onDamaged);
    }
  }
}

async function* entriesIn(
  place: Pick<BackupPlace, 'read'>,
  part: string,
): AsyncGenerator<ListEntry, void, undefined> {
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
