import type { Pool } from 'pg';
import { secretsKeyFile, type Config } from '../../config/config.ts';
import { readKey, secretsOf } from '../../engine/secrets/secrets.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import { hasSealedSecrets } from '../../engine/log/sealed-secrets.ts';
import { sealingKeys } from '../conditions/secret-keys.ts';
import { failed, judged, none, type Finding } from './check.ts';

/**
 * Whether the configured keys open the secrets of webhooks and the keys of persons, by key id.
 * Generates no key.
 */
export const secretsFinding = async (
  config: Pick<Config, 'secretsKeys' | 'dataDirectory'>,
  pool: Pool,
  log: EventStore,
): Promise<Finding> => {
  const file = secretsKeyFile(config);
  const kept = config.secretsKeys === null ? readKey(file) : null;
  const keys = config.secretsKeys ?? (kept === null ? [] : [kept]);
  if (keys.length === 0) {
    const { persons } = await sealingKeys(pool, null);
    return persons.closed.length > 0 || (await hasSealedSecrets(log))
      ? failed(`${file} is missing, and webhook secrets or keys of persons were sealed under it`)
      : none(`${file}: not drawn yet; the server draws it when it starts`);
  }
  const secrets = secretsOf(keys);
  const found = Object.values(await sealingKeys(pool, secrets));
  const closed = [...new Set(found.flatMap((one) => one.closed))];
  const open = [...new Set(found.flatMap((one) => one.open))];
  return judged(
    closed.map((keyId) => `no configured key opens secrets sealed with key ${keyId}`),
    open.length === 0 ? 'no data is sealed yet' : `opened secrets sealed with ${open.join(', ')}`,
  );
};
