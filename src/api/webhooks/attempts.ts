/** The attempts of a subscription: those of queued deliveries, and direct successes. */
import { eventIn, idempotencyKey } from '../../domain/webhooks/delivery/message.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { WEBHOOK_ATTEMPTS_SHOWN_MAX } from '../../domain/webhooks/limits.ts';
import type { AttemptRow } from '../../projections/webhooks/attempts.ts';
import type { WebhookQueries } from '../../projections/webhooks/queries.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import {
  deliveryIdOf,
  lastDelivered,
  type DeliveredPlace,
} from '../../use-cases/webhooks/delivered.ts';

export interface AttemptListParts {
  readonly log: Pick<EventStore, 'readStream'>;
  readonly queries: Pick<WebhookQueries, 'attempts' | 'queuedAt'>;
}

/** Where the log holds the body of a delivery. */
export interface SentPlace {
  readonly journal: string;
  readonly revision: number;
  /** The delivery, if the event there holds several. */
  readonly original?: string;
}

const limit = WEBHOOK_ATTEMPTS_SHOWN_MAX;

export const attemptLists = ({ log, queries }: AttemptListParts) => ({
  /** The last {@link WEBHOOK_ATTEMPTS_SHOWN_MAX}, newest first. */
  async last(webhookId: string, now: Instant): Promise<readonly AttemptRow[]> {
    const [rows, delivered] = await Promise.all([
      queries.attempts(webhookId),
      lastDelivered(log, webhookId, { now, limit }),
    ]);
    return [...rows, ...delivered.map((one) => rowOf(webhookId, one))]
      .toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : a.startedAt > b.startedAt ? -1 : 0))
      .slice(0, limit);
  },

  /** The place of a delivery among the last attempts or dead letters, if the log still has it. */
  async placeOf(webhookId: string, deliveryId: string, now: Instant): Promise<SentPlace | null> {
    const queued = await queries.queuedAt(webhookId, deliveryId);
    if (queued) {
      // The list may outlive the journal.
      const { journal, revision } = queued;
      const [stored] = await log.readStream(journal, { from: revision, limit: 1 });
      return stored?.revision === revision ? queued : null;
    }
    const delivered = await lastDelivered(log, webhookId, { now, limit });
    const one = delivered.find(
      ({ delivery }) => deliveryIdOf(webhookId, delivery.messageId) === deliveryId,
    );
    return one ? { journal: one.journal, revision: one.revision, original: deliveryId } : null;
  },
});

const rowOf = (webhookId: string, { delivery, journal, revision }: DeliveredPlace): AttemptRow => {
  const { messageId, body, httpCode, responseBody, startedAt, durationMs } = delivery;
  const { event, timestamp } = eventIn(body);
  return {
    webhookId,
    deliveryId: deliveryIdOf(webhookId, messageId),
    event,
    idempotencyKey: idempotencyKey({ messageId, event, timestamp }),
    attempt: 1,
    succeeded: true,
    httpCode,
    error: null,
    responseBody,
    durationMs,
    startedAt,
    nextAttemptAt: null,
    deadLettered: false,
    journal,
    revision,
  };
};
