/** Secrets of webhook subscriptions: generated, sealed and masked. contract.md section 7. */
import { randomBytes } from 'node:crypto';
import { WEBHOOK_SECRET_BYTES, WEBHOOK_SECRET_SHOWN_CHARACTERS } from './limits.ts';
import { CannotOpen, type Secrets } from '../../engine/secrets/secrets.ts';
import { SECRET_PREFIX } from '../../outbound/signatures.ts';
import { subscriptionStream } from '../../use-cases/webhooks/subscriptions.ts';

export interface NewSecret {
  readonly secret: string;
  readonly sealedSecret: string;
}

/** Sealed for this subscription's stream only. */
export const newSecret = (secrets: Secrets, webhookId: string): NewSecret => {
  const secret = SECRET_PREFIX + randomBytes(WEBHOOK_SECRET_BYTES).toString('base64');
  return { secret, sealedSecret: secrets.seal(secret, subscriptionStream(webhookId)) };
};

/** The first characters of a secret; the common prefix if its key is not configured. */
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
