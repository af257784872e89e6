import type { Pool } from 'pg';
import { secretsKeyFile, type Config } from '../config/config.ts';
import type { EventStore } from '../engine/log/event-store.ts';
import { hasSealedSecrets } from '../engine/log/sealed-secrets.ts';
import { personKeysSealedIn } from '../engine/personal/wrapping-keys.ts';
import {
  CannotOpen,
  keptKey,
  readKey,
  secretsOf,
  type Secrets,
} from '../engine/secrets/secrets.ts';
import { OperatorError } from './operator-error.ts';

/**
 * The configured secrets, or those under the development key. A server generates that key if there
 * is none yet; a command continues without it, and fails when it needs one.
 *
 * @throws {@link OperatorError} if a server's database holds data sealed under a lost key.
 */
export const secretsFor = async (
  config: Config,
  log: EventStore,
  db: Pool,
  isServer: boolean,
): Promise<Secrets> => {
  if (config.secretsKeys !== null) {
    const secrets = secretsOf(config.secretsKeys);
    if (isServer) await mustOpenPersonKeys(db, secrets);
    return secrets;
  }
  const file = secretsKeyFile(config);
  const key = readKey(file);
  if (!isServer) return key === null ? lostSecrets : secretsOf([key]);
  if (key === null) await mustHaveSealedNothing(file, log, db);
  const secrets = secretsOf([keptKey(file)]);
  await mustOpenPersonKeys(db, secrets);
  return secrets;
};

const mustHaveSealedNothing = async (file: string, log: EventStore, db: Pool): Promise<void> => {
  const { closed } = await personKeysSealedIn(db, null);
  if (closed.length === 0 && !(await hasSealedSecrets(log))) return;
  throw new OperatorError(
    `${file}: is missing, and webhook secrets or the keys of persons were sealed under it. ` +
      'Put the file back, or name its key in ATRIUM_SECRETS_KEY.',
  );
};

/** Fails early: without these keys no ticket can be read, and the start would wait silently. */
const mustOpenPersonKeys = async (db: Pool, secrets: Secrets): Promise<void> => {
  const { closed } = await personKeysSealedIn(db, secrets);
  if (closed.length === 0) return;
  throw new OperatorError(
    `no configured key opens the keys of persons that were sealed with key ${closed.join(', ')}. ` +
      'Add it to ATRIUM_SECRETS_KEY, after the key that is to seal.',
  );
};

const isLost = (): never => {
  throw new CannotOpen('there is no secrets key');
};

const lostSecrets: Secrets = { seal: isLost, open: isLost, derived: isLost };
