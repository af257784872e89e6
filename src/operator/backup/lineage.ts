/** Whether the backups of a place are of this log. */
import { currentInstallation } from '../../engine/log/installation.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import { currentTimelineId, logTimelines } from '../../engine/log/log-identity.ts';
import { importedLogs } from '../../engine/log/log-import.ts';
import type { Manifest } from './manifest.ts';
import type { BackupPlace } from './place.ts';
import { BackupRefused } from './refused.ts';

/**
 * A log continues the backups of its earlier timelines and of the logs imported into it. So does a
 * restored copy, after whose first backup the original is refused.
 *
 * @param manifests All of the place, newest first.
 * @throws {@link BackupRefused} `OTHER_INSTALLATION`.
 */
export const refuseOtherLineage = async (
  { shown }: Pick<BackupPlace, 'shown'>,
  manifests: readonly Manifest[],
  log: Pick<EventStore, 'readStream'>,
): Promise<void> => {
  const [newest] = manifests;
  if (newest === undefined) return;
  const timelines = (await logTimelines(log)).map(({ id }) => id);
  const origins = new Set([...timelines, ...(await importedLogs(log))]);
  const isOwn = ({ log: { identity } }: Manifest): boolean => origins.has(identity);
  if (isOwn(newest)) return;
  const present = await currentTimelineId(log);
  if (manifests.some(({ log: { identity } }) => identity === present))
    throw new BackupRefused(
      'OTHER_INSTALLATION',
      `a copy of this installation has made the backup ${newest.id} in ${shown}: choose another ` +
        'place for each of them',
    );
  const installation = await currentInstallation(log);
  const isSame = installation !== null && installation === newest.installation;
  // A log that was restored again from a backup before the newest one is of the same installation.
  if (isSame || manifests.some(isOwn)) return;
  throw new BackupRefused(
    'OTHER_INSTALLATION',
    `${shown} has backups of another installation: choose another place`,
  );
};
