/** A delivery as it goes over the wire. interface.md «Webhook delivery». */
import { idempotencyKey } from '../../domain/webhooks/delivery/message.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { WEBHOOK_SECRETS_KEPT_MAX } from './limits.ts';
import { livePreviousSecrets } from '../../domain/webhooks/subscription/secrets.ts';
import type { SubscriptionView } from '../../domain/webhooks/subscription/view.ts';
import { lruCache } from '../../engine/concurrency/lru-cache.ts';
import type { Secrets } from '../../engine/secrets/secrets.ts';
import {
  bodySignature,
  signingKeys,
  standardSignature,
  type SigningKeys,
} from '../../outbound/signatures.ts';
import type { Message } from '../../outbound/untrusted-http.ts';
import { subscriptionStream } from '../../use-cases/webhooks/subscriptions.ts';

/** What is sent to whoever hears of an event: the same for all, but for the number. */
export interface Outgoing {
  readonly messageId: string;
  readonly idempotencyKey: string;
  readonly body: Buffer;
  /** From 1. */
  readonly attempt: number;
}

export const outgoingOf = (message: {
  readonly messageId: string;
  readonly event: string;
  readonly timestamp: Instant;
  readonly body: string;
  readonly attempt: number;
}): Outgoing => ({
  messageId: message.messageId,
  idempotencyKey: idempotencyKey(message),
  body: Buffer.from(message.body),
  attempt: message.attempt,
});

/**
 * The keys of a subscription's sealed secret; those used last are kept in memory.
 *
 * @throws `CannotOpen`.
 */
export type KeysOf = (sealed: string, webhookId: string) => SigningKeys;

export const keysOf = (secrets: Secrets): KeysOf => {
  const kept = lruCache<SigningKeys>(WEBHOOK_SECRETS_KEPT_MAX);
  return (sealed, webhookId) => {
    const known = kept.get(sealed);
    if (known) return known;
    const opened = signingKeys(secrets.open(sealed, subscriptionStream(webhookId)));
    kept.set(sealed, opened);
    return opened;
  };
};

export interface SigningParts {
  readonly keys: KeysOf;
  /** What the rules see: by it a rotated secret ends. */
  readonly now: Instant;
  /** What receivers compare with their own clocks: real time, whatever the rules see. */
  readonly realNow: Instant;
}

/** Signed when it is sent, by the newest secret and by each previous one that still signs. */
export const requestOf = (
  { messageId, idempotencyKey: key, body, attempt }: Outgoing,
  subscription: Pick<SubscriptionView, 'webhookId' | 'sealedSecret' | 'previousSecrets'>,
  { keys, now, realNow }: SigningParts,
): Message => {
  const { webhookId } = subscription;
  const newest = keys(subscription.sealedSecret, webhookId);
  const live = livePreviousSecrets(subscription, now);
  const previous = live.map(({ sealedSecret }) => keys(sealedSecret, webhookId));
  const seconds = Math.floor(Date.parse(realNow) / 1_000);
  const standard = (signing: SigningKeys) =>
    standardSignature(signing, { id: messageId, seconds, body });
  const previousSignatures = previous.map((secret) => bodySignature(secret, body)).join(', ');
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Atrium-Webhooks/1',
      'X-SVC-Signature': bodySignature(newest, body),
      ...(previous.length === 0 ? {} : { 'X-SVC-Signature-Previous': previousSignatures }),
      'X-SVC-Idempotency-Key': key,
      'X-SVC-Delivery-Attempt': String(attempt),
      'webhook-id': messageId,
      'webhook-timestamp': String(seconds),
      'webhook-signature': [newest, ...previous].map(standard).join(' '),
    },
  };
};
