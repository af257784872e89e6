/**
 * The development issuer's signing key: generated once per data directory, and readable only by its
 * owner, so that tokens and sessions of the command line survive a restart.
 */
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawnOnce, NoKeyInFile } from '../../engine/drawn-once.ts';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';

/**
 * RS256, which is fastest to verify. Its `kid` is the thumbprint: with a constant id a new key
 * would look like a bad signature to clients with the old key set, which would not reload it.
 *
 * @throws {@link NoKeyInFile}
 */
export async function developmentKey(dataDirectory: string): Promise<JWK> {
  const path = join(dataDirectory, 'development-issuer-key.json');
  const kept = read(path);
  if (kept) return kept;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  const key = { ...jwk, alg: 'RS256', use: 'sig', kid: await calculateJwkThumbprint(jwk) };
  return drawnOnce(path, JSON.stringify(key)) ? key : read(path)!;
}

function read(path: string): JWK | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  chmodSync(path, 0o600);
  const key = parsed(text);
  if (key) return key;
  throw new NoKeyInFile(`${path} holds no signing key: remove it and a new one is drawn`);
}

const parsed = (text: string): JWK | undefined => {
  try {
    const { kty, alg, kid, d, n } = JSON.parse(text) as Partial<JWK>;
    return kty === 'RSA' && alg === 'RS256' && kid && d && n
      ? (JSON.parse(text) as JWK)
      : undefined;
  } catch {
    return undefined;
  }
};
