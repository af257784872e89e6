/**
 * Signatures that prove the sender of a message. interface.md «Webhook delivery»: hex HMAC-SHA256
 * of the raw body, keyed by the secret as it is written. In addition Standard Webhooks 1.0.0, keyed
 * by the decoded base64 of the secret.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

export const SECRET_PREFIX = 'whsec_';

/** A secret's keys: created once, because that costs more than signing. */
export interface SigningKeys {
  /** The key from the secret's characters. */
  readonly plain: KeyObject;
  /** The key from the secret's decoded base64. */
  readonly standard: KeyObject;
}

export const signingKeys = (secret: string): SigningKeys => ({
  plain: createSecretKey(Buffer.from(secret, 'utf8')),
  standard: createSecretKey(Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')),
});

/** `X-SVC-Signature`. */
export const bodySignature = ({ plain }: SigningKeys, body: Buffer): string =>
  createHmac('sha256', plain).update(body).digest('hex');

/** One signature of `webhook-signature`. @param seconds Since 1970, in real time. */
export const standardSignature = (
  { standard }: SigningKeys,
  { id, seconds, body }: { readonly id: string; readonly seconds: number; readonly body: Buffer },
): string => {
  const hmac = createHmac('sha256', standard).update(`${id}.${seconds}.`).update(body);
  return `v1,${hmac.digest('base64')}`;
};
