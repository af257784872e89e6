/** Routes of deliveries: list, test, redeliver, recover. contract.md section 7. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { v5 as uuidFrom } from 'uuid';
import type { WebhookQueries } from '../../projections/webhooks/queries.ts';
import { subscriptionCodec } from '../../domain/webhooks/codecs.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import { ANNOUNCEMENT_RETENTION_DAYS } from '../../limits.ts';
import { subscriptionStream } from '../../use-cases/webhooks/subscriptions.ts';
import { commandIdOf, madeIdOf } from '../http/commands.ts';
import { notFound } from '../http/problems.ts';
import { holdRead } from '../http/reads.ts';
import { attemptLists } from './attempts.ts';
import {
  canRead,
  canWrite,
  SHOWN_BY,
  subscriptionCommands,
  tags,
  WEBHOOK,
  type SubscriptionCommandParts,
} from './commands.ts';
import {
  attemptBody,
  AttemptListBody,
  DeliveriesQuery,
  DeliveryParams,
  QueuedBody,
  RecoverBody,
  RecoveryBody,
  WebhookParams,
} from './schemas.ts';

export interface DeliveryRouteOptions extends SubscriptionCommandParts {
  readonly log: Pick<EventStore, 'readStream'>;
  readonly queries: Pick<WebhookQueries, 'attempts' | 'deadLetters' | 'queuedAt' | 'skippedEvents'>;
}

const DELIVERIES = `${WEBHOOK}/deliveries`;

/** The read models that show attempts. */
const ATTEMPTS_SHOWN_BY = ['webhook-attempts', 'webhook-dead-letters', ...SHOWN_BY];

export const deliveryRoutes: FastifyPluginAsyncZod<DeliveryRouteOptions> = async (app, options) => {
  const { log, queries, occasionOf, visibility } = options;
  const { give, found } = subscriptionCommands(options);
  const { last, placeOf } = attemptLists(options);

  /** The recorded period, so that a client can continue from its end without a gap. */
  const recovered = async (webhookId: string, revision: number) => {
    const stream = subscriptionStream(webhookId);
    const [stored] = await log.readStream(stream, { from: revision, limit: 1 });
    const { event } = subscriptionCodec.decode(stored!);
    if (event.type !== 'RecoveryRequested') throw new Error(`${stream}: no recovery`);
    return { since: event.since, until: event.until };
  };

  app.post(
    `${WEBHOOK}/test`,
    {
      config: canWrite,
      schema: {
        operationId: 'testWebhook',
        tags,
        summary: 'Send `webhook.test`',
        description:
          'Makes one attempt, even if the webhook is paused. A failure is not counted; a ' +
          'success resumes a paused webhook.',
        params: WebhookParams,
        conventions: ['idempotency-key', 'command', 'if-match'],
        response: { 202: QueuedBody },
      },
    },
    async (request, reply) => {
      const { webhookId } = request.params;
      const deliveryId = madeIdOf(commandIdOf(request));
      await give(request, reply, webhookId, { type: 'RequestTest', deliveryId });
      return reply.code(202).send({ deliveryId });
    },
  );

  app.post(
    `${WEBHOOK}/recover`,
    {
      config: canWrite,
      schema: {
        operationId: 'recoverWebhookEvents',
        tags,
        summary: 'Deliver the events that were left out during a pause',
        description:
          'Queues the events that were left out between `since` and `until` because the webhook ' +
          `was paused, of the last ${ANNOUNCEMENT_RETENTION_DAYS} days: the answer is the period ` +
          'that is covered. Their idempotency keys are the original ones, so repeating the ' +
          'request is safe.',
        params: WebhookParams,
        body: RecoverBody,
        conventions: ['idempotency-key', 'command', 'if-match'],
        response: { 202: RecoveryBody },
      },
    },
    async (request, reply) => {
      const { since, until } = request.body;
      const { webhookId } = request.params;
      const command = { type: 'RequestRecovery', since, until } as const;
      const { revision } = await give(request, reply, webhookId, command);
      return reply.code(202).send(await recovered(webhookId, revision));
    },
  );

  app.get(
    DELIVERIES,
    {
      config: canRead,
      schema: {
        operationId: 'listWebhookDeliveries',
        tags,
        summary: 'The last 50 delivery attempts, newest first',
        params: WebhookParams,
        querystring: DeliveriesQuery,
        conventions: ['read-your-writes'],
        response: { 200: AttemptListBody },
      },
    },
    async (request, reply) => {
      const { webhookId } = request.params;
      await found(request, webhookId);
      await holdRead(request, reply, ATTEMPTS_SHOWN_BY, visibility);
      const skipped = await queries.skippedEvents([webhookId]);
      const rows = request.query.deadLettered
        ? await queries.deadLetters(webhookId)
        : await last(webhookId, occasionOf(request).at);
      return { items: rows.map(attemptBody), skippedEvents: skipped.get(webhookId) ?? 0 };
    },
  );

  app.post(
    `${DELIVERIES}/:deliveryId/redeliver`,
    {
      config: canWrite,
      schema: {
        operationId: 'redeliverWebhook',
        tags,
        summary: 'Redeliver',
        description:
          'Starts a new delivery, from attempt 1, of a recently attempted delivery or a dead ' +
          'letter. The idempotency key stays the same, because the event is the same.',
        params: DeliveryParams,
        conventions: ['idempotency-key', 'command', 'if-match', 'read-your-writes'],
        response: { 202: QueuedBody },
      },
    },
    async (request, reply) => {
      const { webhookId, deliveryId: original } = request.params;
      await found(request, webhookId);
      await holdRead(request, reply, ATTEMPTS_SHOWN_BY, visibility);
      const id = commandIdOf(request);
      const deliveryId = id.named ? uuidFrom(original, id.commandId) : madeIdOf(id);
      await give(request, reply, webhookId, async () => {
        const { at } = occasionOf(request);
        const queued = await placeOf(webhookId, original, at);
        if (!queued) throw notFound('delivery');
        return { type: 'RequestRedelivery', deliveryId, ...queued };
      });
      return reply.code(202).send({ deliveryId });
    },
  );
};
