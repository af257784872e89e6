import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hkdfSync,
  randomBytes,
} from 'node:crypto';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { drawnOnce, NoKeyInFile } from '../drawn-once.ts';

/**
 * Seals secrets, which must not be in the log in the clear: AES-256-GCM under the first key, with
 * the key's id beside it, bound to the stream it is written to. design.md decision 16.
 */
export interface Secrets {
  /** `v1.<key id>.<nonce>.<ciphertext and tag>`, base64url. */
  seal(plaintext: string, stream: string): string;
  /**
   * @throws {@link CannotOpen} for a key that is not configured, another stream, or a text that
   *   was tampered with.
   */
  open(sealed: string, stream: string): string;
  /**
   * Keys of 32 bytes for signatures of one purpose, in the order of the configured ones: the first
   * signs, all verify. The keys of one purpose reveal nothing of another's.
   */
  derived(purpose: string): readonly Buffer[];
}

export class CannotOpen extends Error {
  constructor(why: string) {
    super(`a sealed secret cannot be opened: ${why}`);
    this.name = 'CannotOpen';
  }
}

/** The text was sealed under a key that is not configured. */
export class KeyNotConfigured extends CannotOpen {
  readonly keyId: string;

  constructor(keyId: string) {
    super(`no key ${keyId} is configured`);
    this.keyId = keyId;
  }
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** @param keys 32 bytes each: the first seals, all open. */
export const secretsOf = (keys: readonly Buffer[]): Secrets => {
  // A cipher takes a key object in a fifth of the time that it takes bytes.
  const byId = new Map(keys.map((key) => [secretsKeyId(key), createSecretKey(key)]));
  const [first] = keys;
  if (!first || keys.some((key) => key.length !== KEY_BYTES)) {
    throw new Error('secrets need at least one key of 32 bytes');
  }
  const firstId = secretsKeyId(first);
  const sealingKey = byId.get(firstId)!;

  return {
    derived: (purpose) =>
      keys.map((key) => Buffer.from(hkdfSync('sha256', key, '', purpose, KEY_BYTES))),
    seal(plaintext, stream) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce).setAAD(Buffer.from(stream));
      const sealed = Buffer.concat([
        cipher.update(plaintext, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
      return ['v1', firstId, nonce.toString('base64url'), sealed.toString('base64url')].join('.');
    },
    open(text, stream) {
      const [version, keyId, nonce, body] = text.split('.');
      const key = byId.get(keyId ?? '');
      if (version !== 'v1' || !nonce || !body) throw new CannotOpen('not a sealed text');
      if (!key) throw new KeyNotConfigured(keyId ?? '');
      const bytes = Buffer.from(body, 'base64url');
      if (bytes.length < TAG_BYTES) throw new CannotOpen('too short');
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'))
        .setAAD(Buffer.from(stream))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const plain = decipher.update(bytes.subarray(0, -TAG_BYTES));
        return Buffer.concat([plain, decipher.final()]).toString('utf8');
      } catch {
        throw new CannotOpen('it was sealed for another stream, or altered');
      }
    },
  };
};

/** The id of a key, which reveals nothing of it. */
export const secretsKeyId = (key: Buffer): string =>
  createHash('sha256').update(key).digest('base64url').slice(0, 8);

/** The id of the key that a text was sealed under. Not secret. */
export const keyIdOf = (sealed: string): string => sealed.split('.')[1] ?? '';

/** A key of 32 bytes in base64; `null`: the text is none. */
export const secretsKeyIn = (text: string): Buffer | null =>
  /^[\w+/-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : null;

/**
 * `null`: no key was generated.
 *
 * @throws {@link NoKeyInFile}
 */
export const readKey = (file: string): Buffer | null => {
  if (!existsSync(file)) return null;
  const key = secretsKeyIn(readFileSync(file, 'utf8').trim());
  if (key !== null) return key;
  throw new NoKeyInFile(
    `${file} holds no key of 32 bytes in base64: put the key back, or remove the file if nothing ` +
      'was sealed yet, and a new one is drawn',
  );
};

/**
 * The development key: generated once, readable by its owner alone.
 *
 * @throws {@link NoKeyInFile}
 */
export const keptKey = (file: string): Buffer => {
  drawnOnce(file, randomBytes(KEY_BYTES).toString('base64'));
  chmodSync(file, 0o600);
  return readKey(file)!;
};
