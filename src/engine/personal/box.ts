import { createCipheriv, createDecipheriv, randomFillSync, type KeyObject } from 'node:crypto';

/**
 * Seals under AES-256-GCM, bound to a context that opening has to name again: the nonce, the
 * ciphertext and the tag, in base64.
 */
export type SealBox = (text: string, key: KeyObject, context: Buffer) => string;

/** Draws the nonces of many boxes at once, which costs a tenth of drawing each. */
export const boxSealer = (): SealBox => {
  const nonces = Buffer.alloc(NONCE_BYTES * NONCES_DRAWN);
  let at = nonces.length;
  return (text, key, context) => {
    if (at === nonces.length) {
      randomFillSync(nonces);
      at = 0;
    }
    const nonce = nonces.subarray(at, (at += NONCE_BYTES));
    const cipher = createCipheriv(CIPHER, key, nonce).setAAD(context);
    const sealed = cipher.update(text, 'utf8');
    cipher.final();
    return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64');
  };
};

/** @throws If it was sealed under another key or for another context, or altered. */
export const openBox = (box: string, key: KeyObject, context: Buffer): string => {
  const bytes = Buffer.from(box, 'base64');
  const tagAt = bytes.length - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES))
    .setAAD(context)
    .setAuthTag(bytes.subarray(tagAt));
  const text = decipher.update(bytes.subarray(NONCE_BYTES, tagAt));
  decipher.final();
  return text.toString('utf8');
};

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const NONCES_DRAWN = 1_000;
