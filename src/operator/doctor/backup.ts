/** Checks that there is a backup, and its age. */
import type { Config } from '../../config/config.ts';
import { newestBackupMs } from '../backup/schedule.ts';
import { nowMs } from '../conditions/clocks.ts';
import { failed, judged, none, type Finding } from './check.ts';

export const backupFinding = async (
  config: Pick<Config, 'backup' | 'dataDirectory'>,
): Promise<Finding> => {
  const { place, everyMs } = config.backup;
  if (place === null) return none('BACKUP_URL is not set');
  const damaged: string[] = [];
  const newestMs = await newestBackupMs(config, ({ message }) => damaged.push(message));
  if (newestMs === null) return failed('there is no backup yet');
  const ageMs = nowMs() - newestMs;
  const isOld = everyMs !== null && ageMs > 2 * everyMs;
  const age = `the newest backup is ${(ageMs / 3_600_000).toFixed(1)} hours old`;
  const due =
    everyMs === null ? '' : `; one is due every ${(everyMs / 3_600_000).toFixed(1)} hours`;
  return judged([...damaged, ...(isOld ? [`${age}${due}`] : [])], `${age}${due}`);
};
