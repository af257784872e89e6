/** Stage 3 of a webhook delivery: one signed POST. interface.md «Webhook delivery». */
import { cloudEventHeaders, type CloudEvent } from '../../domain/cloud-events.ts';
import { buildingIn, idempotencyKey } from '../../domain/webhooks/delivery/message.ts';
import { outcomeOf, type Outcome } from '../../domain/webhooks/delivery/outcome.ts';
import { livePreviousSecrets } from '../../domain/webhooks/subscription/secrets.ts';
import type { SubscriptionView } from '../../domain/webhooks/subscription/view.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { lruCache } from '../../engine/concurrency/lru-cache.ts';
import type { NewSpan, Span, Traceparent, Tracing } from '../../engine/observe/tracing.ts';
import { CannotOpen, type Secrets } from '../../engine/secrets/secrets.ts';
import { systemClock, type Clock } from '../../engine/time/clock.ts';
import {
  bodySignature,
  signingKeys,
  standardSignature,
  type SigningKeys,
} from '../../outbound/signatures.ts';
import type { Message, UntrustedHttp } from '../../outbound/untrusted-http.ts';
import { subscriptionStream } from '../../use-cases/webhooks/subscriptions.ts';
import { WEBHOOK_SECRETS_KEPT_MAX } from './limits.ts';
import type { WebhookMessage } from './message.ts';

/** One attempt to be made. */
export interface PendingAttempt {
  readonly request: DeliveryRequest;
  /** Interrupts the attempt, which then has to be repeated. */
  readonly signal: AbortSignal;
  /** Held in memory only: the backlog has no row for it. */
  readonly isDirect: boolean;
  /** The span that caused the delivery. Called only if requests are traced. */
  cause(): Promise<Traceparent | undefined> | Traceparent | undefined;
  /**
   * @param clears The result may change the subscription's health.
   * @returns Resolves when the result is durable; `null` if it will be recorded in a batch.
   */
  record(result: AttemptResult, clears: boolean): Promise<void> | null;
  /** Interrupted, or its subscription is gone. */
  dropped(): void;
  /** The attempt could not be made, or its result could not be recorded. */
  failed(error: unknown): void;
}

/** The part of a request that does not depend on the subscription. */
export interface DeliveryRequest {
  readonly messageId: string;
  readonly idempotencyKey: string;
  readonly event: Omit<CloudEvent, 'source'>;
  readonly body: Buffer;
  /** From 1. */
  readonly attempt: number;
}

export const deliveryRequest = (message: WebhookMessage, attempt: number): DeliveryRequest => ({
  messageId: message.messageId,
  idempotencyKey: idempotencyKey(message),
  event: {
    id: message.messageId,
    type: message.event,
    time: message.timestamp,
    subject: buildingIn(message.body),
  },
  body: Buffer.from(message.body),
  attempt,
});

export interface AttemptResult extends Outcome {
  readonly startedAt: Instant;
  readonly finishedAt: Instant;
  readonly durationMs: number;
}

/**
 * The keys of a subscription's sealed secret, cached by last use.
 *
 * @throws `CannotOpen`.
 */
export type KeysOf = (sealed: string, webhookId: string) => SigningKeys;

export const keysOf = (secrets: Secrets): KeysOf => {
  const kept = lruCache<SigningKeys>(WEBHOOK_SECRETS_KEPT_MAX);
  return (sealed, webhookId) => {
    const secret = kept.get(sealed);
    if (secret) return secret;
    const opened = signingKeys(secrets.open(sealed, subscriptionStream(webhookId)));
    kept.set(sealed, opened);
    return opened;
  };
};

export interface AttemptParts {
  readonly untrustedHttp: Pick<UntrustedHttp, 'post'>;
  readonly keys: KeysOf;
  /** The URI of this platform, as the source of its events. */
  readonly source: string;
  readonly clock: Clock;
  /** Receivers compare it with their own clock. Default: the system's. */
  readonly real?: Clock | undefined;
}

/** Makes the attempt; `null` if it was interrupted and has to be repeated. */
export const attempt = async (
  { request, signal }: Pick<PendingAttempt, 'request' | 'signal'>,
  subscription: SubscriptionView,
  { untrustedHttp, keys, source, clock, real = systemClock }: AttemptParts,
): Promise<AttemptResult | null> => {
  const startedAt = clock.now();
  const startedMs = performance.now();
  const signing = { keys, source, now: startedAt, realNow: real.now() };
  const message = signedRequest(request, subscription, signing);
  const reply = await untrustedHttp.post(subscription.url, message, signal);
  if ('failure' in reply && reply.failure === 'interrupted') return null;
  const durationMs = Math.round(performance.now() - startedMs);
  return { ...outcomeOf(reply), startedAt, finishedAt: clock.now(), durationMs };
};

interface Signing extends Pick<AttemptParts, 'keys' | 'source'> {
  /** The platform's time, which may be virtual: it ends a rotated secret. */
  readonly now: Instant;
  readonly realNow: Instant;
}

/**
 * Signed by the newest secret and by each previous one that is still valid.
 *
 * @throws {@link CannotOpen} for the newest secret.
 */
const signedRequest = (
  { messageId, idempotencyKey: key, event, body, attempt: number }: DeliveryRequest,
  subscription: Pick<SubscriptionView, 'webhookId' | 'sealedSecret' | 'previousSecrets'>,
  { keys, source, now, realNow }: Signing,
): Message => {
  const { webhookId } = subscription;
  const newest = keys(subscription.sealedSecret, webhookId);
  const previous = livePreviousSecrets(subscription, now).flatMap(({ sealedSecret }) =>
    previousKeys(() => keys(sealedSecret, webhookId)),
  );
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
      'X-SVC-Delivery-Attempt': String(number),
      ...cloudEventHeaders({ ...event, source }),
      'webhook-id': messageId,
      'webhook-timestamp': String(seconds),
      'webhook-signature': [newest, ...previous].map(standard).join(' '),
    },
  };
};

/** Empty if its key is lost, so that deliveries go on once the secret has been rotated. */
const previousKeys = (open: () => SigningKeys): readonly SigningKeys[] => {
  try {
    return [open()];
  } catch (error) {
    if (error instanceof CannotOpen) return [];
    throw error;
  }
};

/**
 * The span of an attempt, by OpenTelemetry's conventions for HTTP clients; `null` if the event was
 * not traced. It leaves out path and query, which may be a secret. docs/decisions/0049.
 */
export const attemptSpan = async (
  pending: PendingAttempt,
  subscription: SubscriptionView,
  tracing: Tracing,
): Promise<Span | null> => {
  try {
    const cause = await pending.cause();
    return tracing.follow(() => spanOf(pending.request, subscription), cause);
  } catch {
    // An attempt goes on without its span.
    return null;
  }
};

export const endAttemptSpan = (span: Span, { succeeded, error, httpCode }: AttemptResult): void => {
  span.set({ 'http.response.status_code': httpCode ?? undefined });
  span.end(succeeded ? undefined : (error ?? 'failed'));
};

const spanOf = (
  { messageId, attempt: number }: DeliveryRequest,
  { webhookId, url }: SubscriptionView,
): NewSpan => {
  const { protocol, hostname, port } = new URL(url);
  return {
    name: 'POST',
    kind: 'client',
    attributes: {
      'http.request.method': 'POST',
      'http.request.resend_count': number > 1 ? number - 1 : undefined,
      'server.address': hostname,
      'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
      'url.scheme': protocol.slice(0, -1),
      'messaging.message.id': messageId,
      'atrium.webhook.id': webhookId,
    },
  };
};
