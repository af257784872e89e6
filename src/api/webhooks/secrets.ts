/** The secrets of webhook subscriptions: drawn, sealed, and masked. contract.md section 7. */
import { randomBytes } from 'node:crypto';
import { WEBHOOK_SECRET_BYTES, WEBHOOK_SECRET_SHOWN_CHARACTERS } from './limits.ts';
import { CannotOpen, type Secrets } from '../../engine/secrets/secrets.ts';
import { SECRET_PREFIX } from '../../outbound/signatures.ts';
import { subscriptionStream } from '../../use-cases/webhooks/subscriptions.ts';

export interface DrawnSecret {
  readonly secret: string;
  readonly sealedSecret: string;
}

/** A new secret; sealed, it fits into this subscription's stream and no other. */
export const drawSecret = (secrets: Secrets, webhookId: string): DrawnSecret => {
  const secret = SECRET_PREFIX + randomBytes(WEBHOOK_SECRET_BYTES).toString('base64');
  return { secret, sealedSecret: secrets.seal(secret, subscriptionStream(webhookId)) };
};

/** The first characters of a secret; those that all have alike, where its key is not here. */
export const maskedSecret = (
  secrets: Secrets,
  { webhookId, sealedSecret }: { readonly webhookId: string; readonly sealedSecret: string },
): string => {
  try {
    const secret = secrets.open(sealedSecret, subscriptionStream(webhookId));
    return secret.slice(0, WEBHOOK_SECRET_SHOWN_CHARACTERS);
  } catch (error) {
    if (!(error instanceof CannotOpen)) throw error;
    return SECRET_PREFIX;
  }
};
