/** Schemas of the webhook routes. interface.md «Webhooks», contract.md section 7. */
import { z } from 'zod';
import { webhookEventTypes } from '../../domain/webhooks/subscription/events.ts';
import type { SubscriptionView } from '../../domain/webhooks/subscription/view.ts';
import {
  WEBHOOK_DESCRIPTION_CHARACTERS_MAX,
  WEBHOOK_EVENT_CHARACTERS_MAX,
  WEBHOOK_EVENTS_NAMED_MAX,
  WEBHOOK_PAGE_DEFAULT,
  WEBHOOK_PAGE_MAX,
} from './limits.ts';
import { ANNOUNCEMENT_RETENTION_DAYS, BODY_BYTES_MAX } from '../../limits.ts';
import type { AttemptRow } from '../../projections/webhooks/attempts.ts';
import { exampled } from '../http/examples.ts';
import { OFFSET_MAX } from '../http/limits.ts';
import { comparableInstant, id, queryFlag, queryNumber, spokenText } from '../http/text.ts';
import { ActorBody } from '../http/actor.ts';

export const WebhookParams = z.object({ webhookId: id });
export const DeliveryParams = z.object({ webhookId: id, deliveryId: id });

export const WebhooksQuery = z.strictObject({
  limit: queryNumber(1, WEBHOOK_PAGE_MAX, WEBHOOK_PAGE_DEFAULT).describe(
    `Number of items in the page, 1 to ${WEBHOOK_PAGE_MAX}. Default ${WEBHOOK_PAGE_DEFAULT}.`,
  ),
  offset: queryNumber(0, OFFSET_MAX, 0).describe('Number of items before the page. Default 0.'),
});

export const DeliveriesQuery = z.strictObject({
  deadLettered: queryFlag(false).describe(
    'true: the last 50 dead letters (deliveries that were given up), each with its last ' +
      'attempt.',
  ),
});

// A malformed URL has a specific error, so only the size of the body bounds it here.
const url = z
  .string()
  .max(BODY_BYTES_MAX)
  .describe('A public https URL of at most 2,048 characters.');
const events = z
  .array(z.string().max(WEBHOOK_EVENT_CHARACTERS_MAX))
  .min(1)
  .max(WEBHOOK_EVENTS_NAMED_MAX)
  .describe(`Of ${webhookEventTypes.map((name) => `\`${name}\``).join(', ')}.`);
const buildingId = id
  .nullish()
  .describe('Only events of this building. Default: events of all buildings.');
const description = spokenText(WEBHOOK_DESCRIPTION_CHARACTERS_MAX).nullish();

export const RegisterBody = z.strictObject({ url, events, buildingId, description }).meta({
  id: 'NewWebhook',
  ...exampled({ url: 'https://example.com/hook', events: ['building.point.updated'] }),
});

export const ChangeBody = z
  .strictObject({
    url: url.optional(),
    events: events.optional(),
    buildingId,
    description,
  })
  .meta({ id: 'WebhookChange', ...exampled({ description: 'Our receiver' }) });

export const RecoverBody = z
  .strictObject({
    since: comparableInstant.describe(
      'Recover events that were left out from this time on, of the last ' +
        `${ANNOUNCEMENT_RETENTION_DAYS} days.`,
    ),
    until: comparableInstant.optional().describe('Recover events up to this time. Default: now.'),
  })
  .meta({ id: 'WebhookRecovery', ...exampled({ since: '2026-03-02T12:00:00Z' }) });

const instant = z.iso.datetime();

const skippedEvents = () =>
  z
    .int()
    .describe(
      'Number of events that were not queued since the latest pause; reset to 0 at each ' +
        'new pause. See `recover`.',
    );

const webhook = {
  webhookId: z.uuid(),
  url: z.string(),
  events: z.array(z.enum(webhookEventTypes)),
  buildingId: z.uuid().nullable(),
  description: z.string().nullable(),
  status: z.enum(['active', 'paused']),
  consecutiveFailures: z.int(),
  pausedAt: instant.nullable(),
  skippedEvents: skippedEvents(),
  createdAt: instant,
  createdBy: ActorBody,
};

export const WebhookBody = z
  .object({
    ...webhook,
    secret: z.string().describe('The first 8 characters of the secret.'),
  })
  .meta({ id: 'Webhook' });

export const SecretBody = z
  .object({
    ...webhook,
    secret: z
      .string()
      .optional()
      .describe(
        'The full secret, returned only once. Absent if the request is repeated with the ' +
          'same Idempotency-Key.',
      ),
  })
  .meta({ id: 'WebhookWithSecret' });

export const WebhookListBody = z
  .object({
    items: z.array(WebhookBody),
    limit: z.int(),
    offset: z.int(),
    total: z.int().describe('The exact number of matches.'),
  })
  .meta({ id: 'WebhookPage' });

export const QueuedBody = z.object({ deliveryId: z.uuid() }).meta({ id: 'QueuedDelivery' });

export const RecoveryBody = z
  .object({
    since: instant.describe('Later than the one that was sent if that is not covered any more.'),
    until: instant,
  })
  .meta({ id: 'RecoveredSpan' });

export const AttemptBody = z
  .object({
    deliveryId: z.uuid(),
    event: z.string(),
    idempotencyKey: z.string(),
    attempt: z.int().describe('Number of the attempt, from 1 to 6.'),
    status: z.enum(['succeeded', 'failed']),
    httpCode: z.int().nullable(),
    error: z
      .string()
      .nullable()
      .describe('Why the attempt failed: `status`, `redirect`, `timeout`, `dns_error`, …'),
    responseBody: z.string().nullable().describe('The first 1,024 bytes of the response body.'),
    durationMs: z.int(),
    attemptedAt: instant,
    nextAttemptAt: instant.nullable(),
    deadLettered: z.boolean(),
  })
  .meta({ id: 'WebhookDeliveryAttempt' });

export const AttemptListBody = z
  .object({
    items: z.array(AttemptBody),
    skippedEvents: skippedEvents(),
  })
  .meta({ id: 'WebhookDeliveryAttemptList' });

/** @param skipped From the read model: the subscription's stream does not count them. */
export const webhookBody = (view: SubscriptionView, skipped: number) => ({
  webhookId: view.webhookId,
  url: view.url,
  events: [...view.events],
  buildingId: view.buildingId,
  description: view.description,
  status: view.pausedAt === null ? ('active' as const) : ('paused' as const),
  consecutiveFailures: view.consecutiveFailures,
  pausedAt: view.pausedAt,
  skippedEvents: skipped,
  createdAt: view.createdAt,
  createdBy: view.createdBy,
});

export const attemptBody = (row: AttemptRow): z.infer<typeof AttemptBody> => ({
  deliveryId: row.deliveryId,
  event: row.event,
  idempotencyKey: row.idempotencyKey,
  attempt: row.attempt,
  status: row.succeeded ? 'succeeded' : 'failed',
  httpCode: row.httpCode,
  error: row.error,
  responseBody: row.responseBody,
  durationMs: row.durationMs,
  attemptedAt: row.startedAt,
  nextAttemptAt: row.nextAttemptAt,
  deadLettered: row.deadLettered,
});
