/** Removes old backups, and parts that no backup has. */
import { forEachConcurrently } from '../../engine/concurrency/semaphore.ts';
import { BACKUP_FILES_AT_ONCE } from '../limits.ts';
import { indexedFiles } from './attachments.ts';
import type { Manifest } from './manifest.ts';
import type { BackupPlace } from './place.ts';

/**
 * Removes all but the `kept` newest of `manifests`, and then every part that none of those names:
 * what was erased from the platform is gone with the last backup that was made before. Holds the
 * names of all parts of the backups that remain. Idempotent.
 *
 * @param manifests All of the place, the newest first.
 */
export const expire = async (
  place: BackupPlace,
  manifests: readonly Manifest[],
  kept: number,
): Promise<void> => {
  const remaining = manifests.slice(0, kept);
  const named = new Set<string>();
  for (const manifest of remaining) {
    for (const part of partsOf(manifest)) named.add(part);
    for await (const { part } of indexedFiles(place, manifest)) if (part) named.add(part);
  }
  const expired = new Set(manifests.slice(kept).map(({ id }) => id));
  if (expired.size > 0) await place.forget(expired);
  for await (const parts of place.stored()) {
    const unneeded = parts.filter((part) => !named.has(part));
    await forEachConcurrently(unneeded, BACKUP_FILES_AT_ONCE, (part) => place.remove(part));
  }
};

/** All but those of attachments. */
export const partsOf = ({ tables, log, files, erasures }: Manifest): readonly string[] => [
  ...[...tables, ...log.segments].flatMap(({ parts }) => parts),
  files.index,
  ...(erasures === null ? [] : [erasures]),
];
