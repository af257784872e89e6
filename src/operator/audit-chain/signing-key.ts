/** The Ed25519 key that signs checkpoints, in a separate file: PKCS #8 in PEM, mode 0600. */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
} from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawnOnce } from '../../engine/drawn-once.ts';
import type { Config } from '../../config/config.ts';
import { isSystemError, OperatorError } from '../operator-error.ts';

/** The key's file unless a command names another one. */
export const keyFileOf = ({ dataDirectory }: Pick<Config, 'dataDirectory'>): string =>
  join(dataDirectory, 'audit.key');

/** @throws {@link OperatorError} if the file does not exist, or holds no such key. */
export const signingKeyIn = (file: string): KeyObject => {
  const pem = read(file, `${file} is not there; make a key with: atrium audit key`);
  return ed25519(file, () => createPrivateKey(pem));
};

/** The key in `file`, created if absent. Idempotent. */
export const madeSigningKey = (
  file: string,
): { readonly key: KeyObject; readonly made: boolean } => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  let made: boolean;
  try {
    made = drawnOnce(file, pem);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new OperatorError(`${file}: ${error.message}`, error);
  }
  return { key: made ? privateKey : signingKeyIn(file), made };
};

/** @throws {@link OperatorError} if the file holds no public key of this kind. */
export const publicKeyIn = (file: string): KeyObject => {
  const pem = read(file, `${file} is not there`);
  return ed25519(file, () => createPublicKey(pem));
};

export const publicKeyOf = (key: KeyObject): KeyObject =>
  key.type === 'public' ? key : createPublicKey(key);

export const publicPem = (key: KeyObject): string =>
  publicKeyOf(key).export({ type: 'spki', format: 'pem' }) as string;

/** `SHA256:` and the digest of the public key, as `ssh-keygen -l` writes one. */
export const fingerprintOf = (key: KeyObject): string => {
  const der = publicKeyOf(key).export({ type: 'spki', format: 'der' });
  return `SHA256:${hash('sha256', der, 'base64').replace(/=+$/, '')}`;
};

const read = (file: string, missing: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const why = error.code === 'ENOENT' ? missing : `${file}: ${error.message}`;
    throw new OperatorError(why, error);
  }
};

const ed25519 = (file: string, keyOf: () => KeyObject): KeyObject => {
  let key: KeyObject;
  try {
    key = keyOf();
  } catch (error) {
    throw new OperatorError(`${file} holds no key in PEM`, error);
  }
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw new OperatorError(`${file} holds a key of another kind than Ed25519`);
};
