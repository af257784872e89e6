import type { Pool } from 'pg';
import { secretsKeyFile, type Config } from '../config/config.ts';
import type { EventStore } from '../engine/log/event-store.ts';
import { hasSealedSecrets } from '../engine/log/sealed-secrets.ts';
import {
  CannotOpen,
  keptKey,
  readKey,
  secretsOf,
  type Secrets,
} from '../engine/secrets/secrets.ts';
import { OperatorError } from './operator-error.ts';

/**
 * The configured secrets, or those under the development key. A server draws that key where there
 * is none yet; a command goes on without, and fails at what needs it.
 *
 * @throws {@link OperatorError} where a server has secrets that were sealed under a lost key.
 */
export const secretsFor = async (
  config: Config,
  log: EventStore,
  db: Pool,
  isServer: boolean,
): Promise<Secrets> => {
  if (config.secretsKeys !== null) return secretsOf(config.secretsKeys);
  const file = secretsKeyFile(config);
  const key = readKey(file);
  if (!isServer) return key === null ? lostSecrets : secretsOf([key]);
  if (key === null && ((await hasPersonKeys(db)) || (await hasSealedSecrets(log)))) {
    throw new OperatorError(
      `${file}: is missing, and webhook secrets or the keys of persons were sealed under it. ` +
        'Put the file back, or name its key in ATRIUM_SECRETS_KEY.',
    );
  }
  return secretsOf([keptKey(file)]);
};

const hasPersonKeys = async (db: Pool): Promise<boolean> => {
  const { rows } = await db.query<{ found: boolean }>(
    'select exists (select from personal.keys) as found',
  );
  return rows[0]!.found;
};

const isLost = (): never => {
  throw new CannotOpen('there is no secrets key');
};

const lostSecrets: Secrets = { seal: isLost, open: isLost, derived: isLost };
