/** Shared by the commands on backups: configuration with their options, and opened parts. */
import { configOf, secretsKeyFile, type Config } from '../../config/config.ts';
import { readKey, secretsKeyId } from '../../engine/secrets/secrets.ts';
import type { Env } from '../command-logger.ts';
import { openBackupPlace, type BackupPlace } from './place.ts';

/** Options that override variables of the environment. */
export interface PlaceOptions {
  /** For `BACKUP_URL`. */
  readonly to?: string;
  readonly from?: string;
  /** For `BACKUP_RECIPIENT`. */
  readonly recipient?: string;
  /** For `BACKUP_KEEP`. */
  readonly keep?: string;
  readonly env: Env;
}

/** @throws `BadConfiguration`, which names the variable. */
export const backupConfig = ({ to, from, recipient, keep, env }: PlaceOptions): Config => {
  const place = to ?? from;
  return configOf({
    ...env,
    ...(place === undefined ? {} : { BACKUP_URL: place }),
    ...(recipient === undefined ? {} : { BACKUP_RECIPIENT: recipient }),
    ...(keep === undefined ? {} : { BACKUP_KEEP: keep }),
  });
};

/** Opens the place in `options`, and runs `work`. @throws As {@link openBackupPlace}. */
export const onBackupPlace = async <T>(
  options: PlaceOptions,
  { writes }: { readonly writes: boolean },
  work: (place: BackupPlace, config: Config) => Promise<T>,
): Promise<T> => {
  const config = backupConfig(options);
  const place = await openBackupPlace(config, { writes });
  try {
    return await work(place, config);
  } finally {
    await place.close();
  }
};

/** Ids of the keys that seal and open. Generates none. */
export const secretsKeyIds = (config: Config): readonly string[] => {
  const kept = config.secretsKeys === null ? readKey(secretsKeyFile(config)) : null;
  return (config.secretsKeys ?? (kept === null ? [] : [kept])).map(secretsKeyId);
};
