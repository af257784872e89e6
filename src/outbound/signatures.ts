/**
 * How a receiver knows who has sent it a message. interface.md «Webhook delivery»: hex HMAC-SHA256
 * of the raw body, keyed by the secret as it is written. Standard Webhooks 1.0.0 stands beside it,
 * keyed by the bytes that the secret's base64 stands for.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

export const SECRET_PREFIX = 'whsec_';

/** A secret as it signs: made once, because making it costs more than signing does. */
export interface SigningKeys {
  /** Its bytes as they are written. */
  readonly plain: KeyObject;
  /** Those that its base64 stands for. */
  readonly standard: KeyObject;
}

export const signingKeys = (secret: string): SigningKeys => ({
  plain: createSecretKey(Buffer.from(secret, 'utf8')),
  standard: createSecretKey(Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')),
});

/** `X-SVC-Signature`. */
export const bodySignature = ({ plain }: SigningKeys, body: Buffer): string =>
  createHmac('sha256', plain).update(body).digest('hex');

/** `webhook-signature`, one of those that it lists. @param seconds Since 1970, in real time. */
export const standardSignature = (
  { standard }: SigningKeys,
  { id, seconds, body }: { readonly id: string; readonly seconds: number; readonly body: Buffer },
): string => {
  const hmac = createHmac('sha256', standard).update(`${id}.${seconds}.`).update(body);
  return `v1,${hmac.digest('base64')}`;
};
