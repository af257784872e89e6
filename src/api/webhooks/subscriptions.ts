/** Webhook subscriptions. interface.md «Webhooks», contract.md section 7. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { isRefusal, refuse } from '../../engine/aggregates/decider.ts';
import { WEBHOOK_PREVIOUS_SECRETS_MAX } from '../../domain/webhooks/subscription/limits.ts';
import { eventsOf } from '../../domain/webhooks/subscription/subscription.ts';
import type { SubscriptionView } from '../../domain/webhooks/subscription/view.ts';
import type { Graph } from '../../building/graph/graph.ts';
import type { Secrets } from '../../engine/secrets/secrets.ts';
import type { UntrustedHttp } from '../../outbound/untrusted-http.ts';
import type { WebhookQueries } from '../../projections/webhooks/queries.ts';
import type { Answer } from '../../engine/aggregates/aggregate.ts';
import type { WebhookSlots } from '../../use-cases/webhooks/slots.ts';
import { organisationIn } from '../sessions/authenticate.ts';
import { commandIdOf, madeIdOf } from '../http/commands.ts';
import { etagOf } from '../http/conditional.ts';
import { refused } from '../http/problems.ts';
import { holdRead } from '../http/reads.ts';
import {
  canRead,
  canWrite,
  SHOWN_BY,
  subscriptionCommands,
  tags,
  WEBHOOK,
  WEBHOOKS,
  type SubscriptionCommandParts,
} from './commands.ts';
import {
  ChangeBody,
  RegisterBody,
  SecretBody,
  WebhookBody,
  webhookBody,
  WebhookListBody,
  WebhookParams,
  WebhooksQuery,
} from './schemas.ts';
import { newSecret, maskedSecret, type NewSecret } from './secrets.ts';

export interface SubscriptionRouteOptions extends SubscriptionCommandParts {
  readonly queries: Pick<WebhookQueries, 'list' | 'skippedEvents'>;
  readonly graph: Pick<Graph, 'building'>;
  readonly untrustedHttp: Pick<UntrustedHttp, 'refusal'>;
  readonly secrets: Secrets;
  readonly slots: WebhookSlots;
}

interface Details {
  readonly url?: string | undefined;
  readonly events?: readonly string[] | undefined;
  readonly buildingId?: string | null | undefined;
}

/** A URL with text that cannot be stored is refused as `not_a_url`. */
const canWriteUrl = { ...canWrite, refusesTextOf: ['url'] };

const REFUSALS = [
  'REFERENCE_NOT_FOUND',
  'WEBHOOK_URL_REFUSED',
  'EVENT_NOT_SUBSCRIBABLE',
  'WEBHOOK_LIMIT_REACHED',
] as const;

export const subscriptionRoutes: FastifyPluginAsyncZod<SubscriptionRouteOptions> = async (
  app,
  options,
) => {
  const { queries, graph, untrustedHttp, secrets, slots, occasionOf, visibility } = options;
  const { register, give, found } = subscriptionCommands(options);

  /** @throws {@link Problem} for an unknown event or building, or a refused URL. */
  const validate = async (request: FastifyRequest, { url, events = [], buildingId }: Details) => {
    const named = eventsOf(events);
    if (isRefusal(named)) throw refused(named);
    if (buildingId && !(await graph.building(organisationIn(request), buildingId))) {
      const errors = [{ path: 'buildingId', message: 'is not a building of the organisation' }];
      throw refused(refuse('REFERENCE_NOT_FOUND', 'No building has this id.', { errors }));
    }
    const reason = url === undefined ? null : await untrustedHttp.refusal(url);
    if (reason !== null) {
      const detail = `Webhooks are not sent to this URL: ${reason}.`;
      throw refused(refuse('WEBHOOK_URL_REFUSED', detail, { reason }));
    }
  };

  /** Only the request whose secret was recorded returns it. */
  const withSecret = async (
    reply: FastifyReply,
    { view, recorded }: Answer<SubscriptionView>,
    created: NewSecret | null,
  ) => {
    void reply.header('cache-control', 'no-store');
    const isRecorded = created !== null && recorded.length > 0;
    const body = webhookBody(view, await skippedOf(view));
    return { ...body, ...(isRecorded ? { secret: created.secret } : {}) };
  };

  const skippedOf = async ({ webhookId }: SubscriptionView): Promise<number> => {
    return (await queries.skippedEvents([webhookId])).get(webhookId) ?? 0;
  };

  const masked = (view: SubscriptionView, skippedEvents: number) => ({
    ...webhookBody(view, skippedEvents),
    secret: maskedSecret(secrets, view),
  });

  const bodyOf = async (view: SubscriptionView) => masked(view, await skippedOf(view));

  app.post(
    WEBHOOKS,
    {
      config: { ...canWriteUrl, answersSecret: true },
      schema: {
        operationId: 'registerWebhook',
        tags,
        summary: 'Subscribe a URL to events',
        description:
          'The full secret is returned only in this response. The URL must be a public https ' +
          'URL; it is checked again before each delivery.',
        body: RegisterBody,
        conventions: ['idempotency-key', 'command', 'location', 'if-match'],
        problems: [...REFUSALS],
        response: { 201: SecretBody },
      },
    },
    async (request, reply) => {
      const { url, events, buildingId = null, description = null } = request.body;
      const webhookId = madeIdOf(commandIdOf(request));
      const organisation = organisationIn(request);
      let created: NewSecret | null = null;
      const answer = await register(request, reply, webhookId, async () => {
        await validate(request, { url, events, buildingId });
        await slots.take(organisation, { webhookId, url }, occasionOf(request));
        created = newSecret(secrets, webhookId);
        const { sealedSecret } = created;
        const requested = { webhookId, organisation, url, events, buildingId, description };
        return { type: 'RegisterSubscription', ...requested, sealedSecret };
      });
      return reply
        .code(201)
        .header('location', `${WEBHOOKS}/${webhookId}`)
        .send(await withSecret(reply, answer, created));
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
      const skipped = await queries.skippedEvents(items.map(({ webhookId }) => webhookId));
      return {
        items: items.map((view) => masked(view, skipped.get(view.webhookId) ?? 0)),
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
      const body = await bodyOf(view);
      // Events are skipped without a new revision.
      void reply.header('etag', etagOf(revision, body.skippedEvents === 0 ? null : body));
      return body;
    },
  );

  app.patch(
    WEBHOOK,
    {
      config: canWriteUrl,
      schema: {
        operationId: 'changeWebhook',
        tags,
        summary: 'Change URL, events, building or description',
        description: 'Absent members stay. Pending deliveries are sent to the new URL.',
        params: WebhookParams,
        body: ChangeBody,
        conventions: ['idempotency-key', 'command', 'if-match'],
        problems: [...REFUSALS],
        response: { 200: WebhookBody },
      },
    },
    async (request, reply) => {
      const { webhookId } = request.params;
      const answer = await give(request, reply, webhookId, async () => {
        await found(request, webhookId);
        await validate(request, request.body);
        const { url } = request.body;
        if (url !== undefined)
          await slots.take(organisationIn(request), { webhookId, url }, occasionOf(request));
        return { type: 'ChangeSubscription', ...request.body };
      });
      return bodyOf(answer.view);
    },
  );

  app.delete(
    WEBHOOK,
    {
      config: canWrite,
      schema: {
        operationId: 'deleteWebhook',
        tags,
        summary: 'Delete a webhook',
        description: 'A delivery attempt in progress is finished; no further one is sent.',
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
        summary: 'Rotate the secret of a webhook',
        description:
          'Generates a new secret; the response contains it in full. The replaced secret signs ' +
          'for another 24 hours: `X-SVC-Signature-Previous` lists the signatures of all ' +
          'replaced secrets that still sign, newest first, and `webhook-signature` lists the ' +
          `signatures of all secrets. While ${WEBHOOK_PREVIOUS_SECRETS_MAX} replaced secrets ` +
          'still sign, another rotation is refused with `CONFLICT`.',
        params: WebhookParams,
        conventions: ['idempotency-key', 'command', 'if-match'],
        problems: ['CONFLICT'],
        response: { 200: SecretBody },
      },
    },
    async (request, reply) => {
      const { webhookId } = request.params;
      let created: NewSecret | null = null;
      const answer = await give(request, reply, webhookId, async () => {
        created = newSecret(secrets, webhookId);
        return { type: 'RotateSecret', sealedSecret: created.sealedSecret };
      });
      return withSecret(reply, answer, created);
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
        description: 'Changes nothing if the webhook is active and has no failures.',
        params: WebhookParams,
        conventions: ['idempotency-key', 'command', 'if-match'],
        response: { 200: WebhookBody },
      },
    },
    async (request, reply) => {
      const command = { type: 'ResetFailures' } as const;
      const answer = await give(request, reply, request.params.webhookId, command);
      return bodyOf(answer.view);
    },
  );
};
