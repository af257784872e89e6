/**
 * The development issuer's signing key: generated once per data directory, and readable only by its
 * owner, so that tokens and sessions of the command line survive a restart.
 */
import { chmodSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { makeDirectories } from '../../engine/make-directories.ts';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';

/**
 * RS256, which is fastest to verify. Its `kid` is the thumbprint: with a constant id a new key
 * would look like a bad signature to clients with the old key set, which would not reload it.
 *
 * @throws {Error} naming the file, if it holds something else.
 */
export async function developmentKey(dataDirectory: string): Promise<JWK> {
  const path = join(dataDirectory, 'development-issuer-key.json');
  const kept = read(path);
  if (kept) return kept;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  const key = { ...jwk, alg: 'RS256', use: 'sig', kid: await calculateJwkThumbprint(jwk) };
  makeDirectories(dataDirectory);
  // Atomic, and the first of two processes wins.
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, JSON.stringify(key), { mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(draft);
  }
  return read(path) ?? key;
}

function read(path: string): JWK | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  chmodSync(path, 0o600);
  const key = parsed(text);
  if (key) return key;
  throw new Error(`${path} holds no signing key: remove it and a new one is drawn`);
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

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
