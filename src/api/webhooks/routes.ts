/** Webhook subscriptions and their deliveries. interface.md «Webhooks», contract.md section 7. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { v5 as uuidFrom } from 'uuid';
import { z } from 'zod';
import { isRefusal, refuse } from '../../domain/decider.ts';
import { eventsOf, type SubscriptionCommand } from '../../domain/subscription/subscription.ts';
import type { SubscriptionView } from '../../domain/subscription/view.ts';
import type { Graph } from '../../graph/graph.ts';
import type { Secrets } from '../../ops/secrets.ts';
import type { Strangers } from '../../outbound/strangers.ts';
import type { WebhookQueries } from '../../projections/webhooks/queries.ts';
import type { Answer } from '../../store/aggregate.ts';
import type { Subscriptions } from '../../store/repositories/subscriptions.ts';
import { authorityIn, organisationIn, type OccasionOf } from '../auth/authenticate.ts';
import { answerCommand, commandIdOf, madeIdOf, type Visibility } from '../http/commands.ts';
import { etagOf, expectedRevisionsOf } from '../http/conditional.ts';
import { notFound, refused } from '../http/problems.ts';
import { holdRead } from '../http/reads.ts';
import {
  attemptBody,
  AttemptListBody,
  ChangeBody,
  DeliveriesQuery,
  DeliveryParams,
  QueuedBody,
  RecoverBody,
  RecoveryBody,
  RegisterBody,
  SecretBody,
  WebhookBody,
  webhookBody,
  WebhookListBody,
  WebhookParams,
  WebhooksQuery,
} from './schemas.ts';
import { drawSecret, maskedSecret, type DrawnSecret } from './secrets.ts';

export interface WebhookRouteOptions {
  readonly subscriptions: Subscriptions;
  readonly queries: WebhookQueries;
  readonly graph: Pick<Graph, 'building'>;
  readonly strangers: Pick<Strangers, 'refusal'>;
  readonly secrets: Secrets;
  readonly occasionOf: OccasionOf;
  readonly visibility: Visibility;
}

const WEBHOOKS = '/api/v1/webhooks';
const WEBHOOK = `${WEBHOOKS}/:webhookId`;
const DELIVERIES = `${WEBHOOK}/deliveries`;
const tags = ['webhooks'];

const canRead = { permission: 'platform.webhooks:read' } as const;
const canWrite = { permission: 'platform.webhooks:write' } as const;

/** The read models in which subscriptions and attempts show. */
const SHOWN_BY = ['webhook-subscriptions'];
const ATTEMPTS_SHOWN_BY = ['webhook-attempts', 'webhook-dead-letters', ...SHOWN_BY];

type Unauthorised = SubscriptionCommand extends infer C
  ? C extends SubscriptionCommand
    ? Omit<C, 'authority'>
    : never
  : never;

interface Wanted {
  readonly url?: string | undefined;
  readonly events?: readonly string[] | undefined;
  readonly buildingId?: string | null | undefined;
}

export const webhookRoutes: FastifyPluginAsyncZod<WebhookRouteOptions> = async (app, options) => {
  const { subscriptions, queries, graph, strangers, secrets, occasionOf, visibility } = options;

  /** @throws {@link Problem} for a building that is not theirs, or a URL that is not called. */
  const mustFit = async (request: FastifyRequest, { url, events = [], buildingId }: Wanted) => {
    // What is wrong by itself is said before anybody is asked about it.
    const named = eventsOf(events);
    if (isRefusal(named)) throw refused(named);
    if (buildingId && !(await graph.building(organisationIn(request), buildingId))) {
      const errors = [{ path: 'buildingId', message: 'is no building of the organisation' }];
      throw refused(refuse('REFERENCE_NOT_FOUND', 'No building has this id.', { errors }));
    }
    const reason = url === undefined ? null : await strangers.refusal(url);
    if (reason !== null) {
      const detail = `Webhooks are not sent to this URL: ${reason}.`;
      throw refused(refuse('WEBHOOK_URL_REFUSED', detail, { reason }));
    }
  };

  const give = async (
    request: FastifyRequest,
    reply: FastifyReply,
    webhookId: string,
    command: Unauthorised | (() => Promise<Unauthorised>),
  ): Promise<Answer<SubscriptionView>> => {
    const { commandId, bodyHash } = commandIdOf(request);
    const authority = authorityIn(request);
    const expectedRevisions = expectedRevisionsOf(request);
    const answer = await subscriptions.give(
      webhookId,
      {
        commandId,
        organisation: organisationIn(request),
        command: async () => ({
          ...(typeof command === 'function' ? await command() : command),
          authority,
        }),
        ...(bodyHash === undefined ? {} : { bodyHash }),
        ...(expectedRevisions === undefined ? {} : { expectedRevisions }),
      },
      occasionOf(request),
    );
    await answerCommand(reply, answer, SHOWN_BY, visibility);
    return answer;
  };

  /** Only who has drawn the secret that was recorded is told it. */
  const withSecret = (
    reply: FastifyReply,
    { view, recorded }: Answer<SubscriptionView>,
    drawn: DrawnSecret | null,
  ) => {
    void reply.header('cache-control', 'no-store');
    const isOurs = drawn !== null && recorded.length > 0;
    return { ...webhookBody(view), ...(isOurs ? { secret: drawn.secret } : {}) };
  };

  /** The subscription, as the log has it now. @throws {@link Problem} `NOT_FOUND`. */
  const found = async (request: FastifyRequest, webhookId: string) => {
    const known = await subscriptions.look(webhookId);
    const isTheirs = known?.view.organisationId === organisationIn(request);
    if (!known || !isTheirs || known.view.deletedAt !== null) throw notFound('webhook');
    return known;
  };

  const shown = (view: SubscriptionView) => ({
    ...webhookBody(view),
    secret: maskedSecret(secrets, view),
  });

  app.post(
    WEBHOOKS,
    {
      config: { ...canWrite, answersSecret: true },
      schema: {
        operationId: 'registerWebhook',
        tags,
        summary: 'Subscribe a URL to events',
        description:
          'The answer holds the secret in full, and nothing else ever does. The URL must be a ' +
          'public https one; it is looked at again before each delivery.',
        body: RegisterBody,
        conventions: ['idempotency-key', 'command', 'location'],
        problems: ['REFERENCE_NOT_FOUND', 'WEBHOOK_URL_REFUSED', 'EVENT_NOT_SUBSCRIBABLE'],
        response: { 201: SecretBody },
      },
    },
    async (request, reply) => {
      const { url, events, buildingId = null, description = null } = request.body;
      const webhookId = madeIdOf(commandIdOf(request));
      const organisation = organisationIn(request);
      let drawn: DrawnSecret | null = null;
      const answer = await give(request, reply, webhookId, async () => {
        await mustFit(request, { url, events, buildingId });
        drawn = drawSecret(secrets, webhookId);
        const { sealedSecret } = drawn;
        const wanted = { webhookId, organisation, url, events, buildingId, description };
        return { type: 'RegisterSubscription', ...wanted, sealedSecret };
      });
      return reply
        .code(201)
        .header('location', `${WEBHOOKS}/${webhookId}`)
        .send(withSecret(reply, answer, drawn));
    },
  );

  app.get(
    WEBHOOKS,
    {
      config: canRead,
      schema: {
        operationId: 'listWebhooks',
        tags,
        summary: "The organisation's webhooks, oldest first",
        querystring: WebhooksQuery,
        conventions: ['read-your-writes'],
        response: { 200: WebhookListBody },
      },
    },
    async (request, reply) => {
      await holdRead(request, reply, SHOWN_BY, visibility);
      const { items, total } = await queries.list(organisationIn(request), request.query);
      return {
        items: items.map(shown),
        ...request.query,
        total,
      };
    },
  );

  app.get(
    WEBHOOK,
    {
      config: canRead,
      schema: {
        operationId: 'readWebhook',
        tags,
        summary: 'One webhook',
        params: WebhookParams,
        conventions: ['etag'],
        response: { 200: WebhookBody },
      },
    },
    async (request, reply) => {
      const { view, revision } = await found(request, request.params.webhookId);
      void reply.header('etag', etagOf(revision));
      return shown(view);
    },
  );

  app.patch(
    WEBHOOK,
    {
      config: canWrite,
      schema: {
        operationId: 'changeWebhook',
        tags,
        summary: 'Change URL, events, building or description',
        description:
          'What is absent stays. Deliveries that are under way go on to the URL of the day.',
        params: WebhookParams,
        body: ChangeBody,
        conventions: ['idempotency-key', 'command', 'if-match'],
        problems: ['REFERENCE_NOT_FOUND', 'WEBHOOK_URL_REFUSED', 'EVENT_NOT_SUBSCRIBABLE'],
        response: { 200: WebhookBody },
      },
    },
    async (request, reply) => {
      const { webhookId } = request.params;
      await found(request, webhookId);
      const answer = await give(request, reply, webhookId, async () => {
        await mustFit(request, request.body);
        return { type: 'ChangeSubscription', ...request.body };
      });
      return shown(answer.view);
    },
  );

  app.delete(
    WEBHOOK,
    {
      config: canWrite,
      schema: {
        operationId: 'deleteWebhook',
        tags,
        summary: 'End a subscription',
        description: 'A delivery under way is finished; nothing is sent after it.',
        params: WebhookParams,
        conventions: ['idempotency-key', 'command', 'if-match'],
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await give(request, reply, request.params.webhookId, { type: 'DeleteSubscription' });
      return reply.code(204).send(null);
    },
  );

  app.post(
    `${WEBHOOK}/rotate-secret`,
    {
      config: { ...canWrite, answersSecret: true },
      schema: {
        operationId: 'rotateWebhookSecret',
        tags,
        summary: 'Draw a new secret',
        description:
          'The answer holds it in full. For 24 hours the old one signs beside it: ' +
          '`X-SVC-Signature-Previous`, and a second signature of Standard Webhooks.',
        params: WebhookParams,
        conventions: ['idempotency-key', 'command', 'if-match'],
        response: { 200: SecretBody },
      },
    },
    async (request, reply) => {
      const { webhookId } = request.params;
      let drawn: DrawnSecret | null = null;
      const answer = await give(request, reply, webhookId, async () => {
        drawn = drawSecret(secrets, webhookId);
        return { type: 'RotateSecret', sealedSecret: drawn.sealedSecret };
      });
      return withSecret(reply, answer, drawn);
    },
  );

  app.post(
    `${WEBHOOK}/reset-failures`,
    {
      config: canWrite,
      schema: {
        operationId: 'resetWebhookFailures',
        tags,
        summary: 'Clear the failure counter and resume delivery',
        description: 'Of one that is active and has no failures: nothing changes.',
        params: WebhookParams,
        conventions: ['idempotency-key', 'command', 'if-match'],
        response: { 200: WebhookBody },
      },
    },
    async (request, reply) => {
      const command = { type: 'ResetFailures' } as const;
      const answer = await give(request, reply, request.params.webhookId, command);
      return shown(answer.view);
    },
  );

  app.post(
    `${WEBHOOK}/test`,
    {
      config: canWrite,
      schema: {
        operationId: 'testWebhook',
        tags,
        summary: 'Send `webhook.test`',
        description:
          'One attempt, whether or not the subscription is paused. Its failure does not count; ' +
          'its success resumes what was paused.',
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
        summary: 'Deliver what a pause has left out',
        description:
          'Events that were not queued because the subscription was paused, by when that was, as ' +
          'long as the log keeps them (7 days). Their idempotency keys are those they would have ' +
          'had, so that asking twice does no harm.',
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
      await give(request, reply, webhookId, command);
      const { at } = occasionOf(request);
      return reply.code(202).send({ since, until: until !== undefined && until < at ? until : at });
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
      const [row] = await queries.byId([webhookId]);
      const rows = request.query.deadLettered
        ? await queries.deadLetters(webhookId)
        : await queries.attempts(webhookId);
      return { items: rows.map(attemptBody), skippedEvents: row?.skippedEvents ?? 0 };
    },
  );

  app.post(
    `${DELIVERIES}/:deliveryId/redeliver`,
    {
      config: canWrite,
      schema: {
        operationId: 'redeliverWebhook',
        tags,
        summary: 'Deliver once more',
        description:
          'A new delivery that begins with attempt 1, of one that was attempted lately or was ' +
          'given up. The same idempotency key: the event is the same.',
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
        const queued = await queries.queuedAt(webhookId, original);
        if (!queued) throw notFound('delivery');
        return { type: 'RequestRedelivery', deliveryId, ...queued };
      });
      return reply.code(202).send({ deliveryId });
    },
  );
};
