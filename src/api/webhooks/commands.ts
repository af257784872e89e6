/** Shared by the routes of subscriptions and of deliveries. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SubscriptionCommand } from '../../domain/webhooks/subscription/subscription.ts';
import type { SubscriptionView } from '../../domain/webhooks/subscription/view.ts';
import type { Answer } from '../../engine/aggregates/aggregate.ts';
import type { Subscriptions } from '../../use-cases/webhooks/subscriptions.ts';
import { authorityIn, organisationIn, type OccasionOf } from '../sessions/authenticate.ts';
import { answerCommand, commandIdOf, type Visibility } from '../http/commands.ts';
import { expectedRevisionsOf } from '../http/conditional.ts';
import { notFound } from '../http/problems.ts';

export interface SubscriptionCommandParts {
  readonly subscriptions: Subscriptions;
  readonly occasionOf: OccasionOf;
  readonly visibility: Visibility;
}

export const WEBHOOKS = '/api/v1/webhooks';
export const WEBHOOK = `${WEBHOOKS}/:webhookId`;
export const tags = ['webhooks'];

export const canRead = { permission: 'platform.webhooks:read' } as const;
export const canWrite = { permission: 'platform.webhooks:write' } as const;

/** The read models that show subscriptions. */
export const SHOWN_BY = ['webhook-subscriptions'];

type Unauthorised = SubscriptionCommand extends infer C
  ? C extends SubscriptionCommand
    ? Omit<C, 'authority'>
    : never
  : never;

export const subscriptionCommands = ({
  subscriptions,
  occasionOf,
  visibility,
}: SubscriptionCommandParts) => {
  type Give = (
    request: FastifyRequest,
    reply: FastifyReply,
    webhookId: string,
    command: Unauthorised | (() => Promise<Unauthorised>),
  ) => Promise<Answer<SubscriptionView>>;

  const register: Give = async (request, reply, webhookId, command) => {
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

  const give: Give = async (request, reply, webhookId, command) => {
    const existing = await subscriptions.look(webhookId);
    // Before `If-Match` is compared, which would reveal whether another organisation has it.
    if (existing?.view.organisationId !== organisationIn(request)) throw notFound('webhook');
    return register(request, reply, webhookId, command);
  };

  /** The subscription as of the log's head. @throws {@link Problem} `NOT_FOUND`. */
  const found = async (request: FastifyRequest, webhookId: string) => {
    const subscription = await subscriptions.look(webhookId);
    const isOwn = subscription?.view.organisationId === organisationIn(request);
    if (!subscription || !isOwn || subscription.view.deletedAt !== null) throw notFound('webhook');
    return subscription;
  };

  return { register, give, found };
};
