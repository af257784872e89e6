/** Checks that there is a backup, and its age. */
import type { Config } from '../../config/config.ts';
import { isAhead, newestBackupMs } from '../backup/schedule.ts';
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
  const hours = (ms: number): string => (ms / 3_600_000).toFixed(1);
  const due = everyMs === null ? '' : `; one is due every ${hours(everyMs)} hours`;
  const age = `the newest backup is ${hours(ageMs)} hours old${due}`;
  const ahead =
    `the newest backup is dated ${hours(-ageMs)} hours ahead: correct the clock, and give the ` +
    'command: atrium backup create';
  const isOld = everyMs !== null && ageMs > 2 * everyMs;
  const wrong = isAhead(ageMs) ? [ahead] : isOld ? [age] : [];
  return judged([...damaged, ...wrong], age);
};
