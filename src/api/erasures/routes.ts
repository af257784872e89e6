/** Erasures of persons. contract.md section 11. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { textChoices } from '../../domain/erasures/events.ts';
import { ERASURE_REASON_CHARACTERS_MAX } from '../../domain/erasures/limits.ts';
import { addressText, word } from '../../domain/tickets/words.ts';
import { erasureList, type ErasureListRow } from '../../projections/erasures/list.ts';
import type { ErasureQueries } from '../../projections/erasures/queries.ts';
import type { Erasures, requestErasure } from '../../use-cases/erasures/erasures.ts';
import { answerCommand, commandIdOf, type Visibility } from '../http/commands.ts';
import { cursorFor, cursorOf } from '../http/cursors.ts';
import { exampled } from '../http/examples.ts';
import { etagOf } from '../http/conditional.ts';
import { notFound } from '../http/problems.ts';
import { holdRead } from '../http/reads.ts';
import { id, queryNumber, spokenText, text } from '../http/text.ts';
import { organisationIn, type OccasionOf } from '../sessions/authenticate.ts';
import { ActorBody } from '../http/actor.ts';
import { erasureStatuses, statusOf } from './erasure-status.ts';
import {
  EMAIL_CHARACTERS_MAX,
  ERASURES_PAGE_DEFAULT,
  ERASURES_PAGE_MAX,
  USER_ID_CHARACTERS_MAX,
} from './limits.ts';

export interface ErasureRouteOptions {
  readonly erasures: Pick<Erasures, 'look'>;
  readonly queries: ErasureQueries;
  readonly request: ReturnType<typeof requestErasure>;
  readonly occasionOf: OccasionOf;
  readonly visibility: Visibility;
}

const ERASURES = '/api/v1/erasures';
const tags = ['erasures'];
const config = { permission: 'platform.erasure:write' } as const;

const ErasureParams = z.object({ erasureId: id });

const NewErasureBody = z
  .strictObject({
    subject: z
      .union(
        [
          z.strictObject({ userId: word(USER_ID_CHARACTERS_MAX) }),
          z.strictObject({
            email: text(EMAIL_CHARACTERS_MAX).pipe(addressText(EMAIL_CHARACTERS_MAX)),
          }),
        ],
        { error: 'must have either a userId or the email of a person' },
      )
      .describe(
        'The account or the e-mail address of the person. The directory links accounts to ' +
          'addresses.',
      ),
    texts: z
      .enum(textChoices)
      .describe(
        "Whether texts and files by the person are erased, or kept without the person's name.",
      ),
    reason: spokenText(ERASURE_REASON_CHARACTERS_MAX).describe(
      'Stored with the erasure: it must not name the person.',
    ),
  })
  .meta({
    id: 'NewErasure',
    ...exampled({
      subject: { email: 'former.tenant@example.com' },
      texts: 'keep',
      reason: 'Asked for in a letter of 1 May.',
    }),
  });

const ErasureBody = z
  .object({
    erasureId: z.uuid(),
    status: z.enum(erasureStatuses),
    texts: z.enum(textChoices),
    reason: z.string(),
    requestedAt: z.iso.datetime().describe('The time of the first request for this erasure.'),
    requestedBy: ActorBody.describe('Who made the first request for this erasure.'),
    found: z
      .object({ tickets: z.int(), notes: z.int(), attachments: z.int(), sessions: z.int() })
      .nullable()
      .describe('Totals over all requests for this erasure. `null` until the erasure is finished.'),
    finishedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Erasure' });

const ErasuresQuery = z.strictObject({
  limit: queryNumber(1, ERASURES_PAGE_MAX, ERASURES_PAGE_DEFAULT),
  cursor: cursorOf(
    z.strictObject({ requestedAt: z.iso.datetime({ precision: 3 }), erasureId: z.uuid() }),
  ).optional(),
});

const ErasurePageBody = z
  .object({
    items: z.array(ErasureBody),
    nextCursor: z.string().nullable().describe('`null` on the last page.'),
  })
  .meta({ id: 'ErasurePage' });

const SHOWN_BY = [erasureList.name];

export const erasureRoutes: FastifyPluginAsyncZod<ErasureRouteOptions> = async (app, options) => {
  const { erasures, queries, request: requested, occasionOf, visibility } = options;

  app.post(
    ERASURES,
    {
      config,
      schema: {
        operationId: 'requestErasure',
        tags,
        summary: 'Erase a person',
        description:
          'Destroys the keys that encrypt the personal data of the person; every response then ' +
          'has `erased: true` in place of the person. A repeated request for the same person ' +
          'returns the same erasure.',
        body: NewErasureBody,
        conventions: ['idempotency-key', 'command', 'location'],
        problems: ['PERSONAL_DATA_NOT_SEALED'],
        response: { 202: ErasureBody },
      },
    },
    async (request, reply) => {
      const { commandId, bodyHash } = commandIdOf(request);
      const organisation = organisationIn(request);
      const name = { commandId, ...(bodyHash === undefined ? {} : { bodyHash }) };
      const answer = await requested({ ...request.body, organisation }, occasionOf(request), name);
      await answerCommand(reply, answer, SHOWN_BY, visibility);
      void reply.code(202).header('location', `${ERASURES}/${answer.view.erasureId}`);
      return bodyOf(answer.view);
    },
  );

  app.get(
    ERASURES,
    {
      config,
      schema: {
        operationId: 'listErasures',
        tags,
        summary: "The organisation's erasures, newest first",
        description: 'The list identifies no person: it contains no name, address or account id.',
        querystring: ErasuresQuery,
        conventions: ['read-your-writes'],
        response: { 200: ErasurePageBody },
      },
    },
    async (request, reply) => {
      const { limit, cursor: after = null } = request.query;
      await holdRead(request, reply, SHOWN_BY, visibility);
      const organisation = organisationIn(request);
      const { items, last } = await queries.page({ organisation, after, limit });
      return { items: items.map(bodyOf), nextCursor: last && cursorFor(last) };
    },
  );

  app.get(
    `${ERASURES}/:erasureId`,
    {
      config,
      schema: {
        operationId: 'getErasure',
        tags,
        summary: 'The state and the findings of an erasure',
        params: ErasureParams,
        conventions: ['etag'],
        response: { 200: ErasureBody },
      },
    },
    async (request, reply) => {
      const found = await erasures.look(request.params.erasureId);
      if (found?.view.organisation !== organisationIn(request)) throw notFound('erasure');
      void reply.header('etag', etagOf(found.revision));
      return bodyOf(found.view);
    },
  );
};

const bodyOf = (erasure: ErasureListRow): z.input<typeof ErasureBody> => {
  const { erasureId, texts, reason, requestedAt, requestedBy, finishedAt, found } = erasure;
  const status = statusOf(erasure);
  return { erasureId, status, texts, reason, requestedAt, requestedBy, found, finishedAt };
};
