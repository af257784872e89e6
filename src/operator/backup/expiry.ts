/** Removes old backups, and parts that no backup refers to. */
import { forEachConcurrently } from '../../engine/concurrency/semaphore.ts';
import { BACKUP_FILES_AT_ONCE } from '../limits.ts';
import { indexedFiles } from './attachments.ts';
import type { Manifest } from './manifest.ts';
import type { BackupPlace } from './place.ts';
import { leaveOut, type OnDamaged } from './refused.ts';

/**
 * Removes all but the `kept` newest of `manifests`, and then every part that no remaining manifest
 * names: data that was erased from the platform is gone with the last backup made before. Holds the
 * names of all parts of the remaining backups in memory. Idempotent.
 *
 * @param manifests All readable manifests of the place, newest first.
 * @param isWhole Whether these are all: otherwise no part is removed, nor if an index is damaged.
 */
export const expire = async (
  place: BackupPlace,
  manifests: readonly Manifest[],
  kept: number,
  isWhole: boolean,
  onDamaged: OnDamaged,
): Promise<void> => {
  const remaining = manifests.slice(0, kept);
  const named = new Set<string>();
  let isComplete = isWhole;
  for (const manifest of remaining) {
    for (const part of partsOf(manifest)) named.add(part);
    try {
      for await (const { part } of indexedFiles(place, manifest)) if (part) named.add(part);
    } catch (error) {
      leaveOut(error, onDamaged);
      isComplete = false;
    }
  }
  const expired = new Set(manifests.slice(kept).map(({ id }) => id));
  if (expired.size > 0) await place.forget(expired);
  if (!isComplete) return;
  for await (const parts of place.stored()) {
    const unneeded = parts.filter((part) => !named.has(part));
    await forEachConcurrently(unneeded, BACKUP_FILES_AT_ONCE, (part) => place.remove(part));
  }
};

/** All parts but the attachments themselves. */
export const partsOf = ({ tables, log, files, erasures }: Manifest): readonly string[] => [
  ...[...tables, ...log.segments].flatMap(({ parts }) => parts),
  files.index,
  ...(erasures === null ? [] : [erasures]),
];
