import type { Config } from '../../config/config.ts';
import type { Manifest } from './manifest.ts';
import { BackupRefused } from './refused.ts';

/** @throws {@link BackupRefused} `OTHER_LOG` if the configured log is not of the backup's kind. */
export const refuseUnsuitable = (
  { log }: Pick<Manifest, 'log'>,
  { eventstoreUrl }: Pick<Config, 'eventstoreUrl'>,
): void => {
  if (log.isInDatabase === (eventstoreUrl === null)) return;
  throw new BackupRefused(
    'OTHER_LOG',
    log.isInDatabase
      ? 'the log of the backup is in Postgres: restore without EVENTSTORE_URL, then move the log'
      : 'the log of the backup is of EventStoreDB: set EVENTSTORE_URL',
  );
};
