import type { Pool } from 'pg';
import { personKeysSealedIn } from '../../engine/personal/wrapping-keys.ts';
import type { Secrets } from '../../engine/secrets/secrets.ts';
import { secretKeysIn, type SecretKeys } from '../../projections/webhooks/secret-keys.ts';

/** The kinds of data sealed under keys of `ATRIUM_SECRETS_KEY`. */
export const sealedKinds = ['webhooks', 'persons'] as const;

export type SealingKeys = Readonly<Record<(typeof sealedKinds)[number], SecretKeys>>;

/**
 * The keys that open the secrets of webhooks and the keys of persons.
 *
 * @param secrets `null`: no key is configured.
 */
export const sealingKeys = async (pool: Pool, secrets: Secrets | null): Promise<SealingKeys> => ({
  webhooks: await secretKeysIn(pool, secrets),
  persons: await personKeysSealedIn(pool, secrets),
});
