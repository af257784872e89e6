import { configOf } from '../../config/config.ts';
import type { Env } from '../command-logger.ts';
import { fingerprintOf, keyFileOf, madeSigningKey, publicPem } from './signing-key.ts';

export interface AuditKeyCommand {
  /** Default: `audit.key` in the data directory. */
  readonly key?: string;
  readonly env: Env;
}

/**
 * `atrium audit key`: creates the key that signs checkpoints if there is none, and prints its
 * public half in PEM. Opens neither the log nor the database.
 *
 * @returns The exit code: 0.
 * @throws {@link OperatorError} with one line if the file cannot be created or holds another kind
 *   of key.
 */
export const auditKeyCommand = async ({ key: file, env }: AuditKeyCommand): Promise<number> => {
  const at = file ?? keyFileOf(configOf(env));
  const { key, made } = madeSigningKey(at);
  process.stderr.write(`${made ? 'made' : 'found'} ${at}, ${fingerprintOf(key)}\n`);
  process.stdout.write(publicPem(key));
  return 0;
};
