/**
 * How a receiver knows who has sent it a message. interface.md «Webhook delivery»: hex HMAC-SHA256
 * of the raw body, keyed by the secret as it is written. Standard Webhooks 1.0.0 stands beside it,
 * keyed by the bytes that the secret's base64 stands for.
 */
import { createHmac } from 'node:crypto';

export const SECRET_PREFIX = 'whsec_';

/** `X-SVC-Signature`. */
export const bodySignature = (secret: string, body: Buffer): string =>
  createHmac('sha256', secret).update(body).digest('hex');

/** `webhook-signature`, one of those that it lists. @param seconds Since 1970, in real time. */
export const standardSignature = (
  secret: string,
  { id, seconds, body }: { readonly id: string; readonly seconds: number; readonly body: Buffer },
): string => {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const hmac = createHmac('sha256', key).update(`${id}.${seconds}.`).update(body);
  return `v1,${hmac.digest('base64')}`;
};
