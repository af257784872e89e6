/**
 * Reports without sign-in, if the organisation accepts them. Credentials are ignored. All refusals
 * of access are the same 404, which does not reveal whether the organisation, building or ticket
 * exists. contract.md section 5, docs/decisions/0106.
 */
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { LabelPlaces } from '../../building/graph/label-places.ts';
import type { FairSemaphore } from '../../engine/concurrency/fair-semaphore.ts';
import type { Proofs } from '../../use-cases/public-reports/proofs.ts';
import { answerCommand, type Visibility } from '../http/commands.ts';
import { notThere } from '../http/problems.ts';
import { NoQuery } from '../http/text.ts';
import { SHOWN_BY } from '../tickets/work-in-order.ts';
import { sourceOf, type Attempts } from './attempts.ts';
import { labelledPlace } from './labelled-place.ts';
import { REPORT_BODY_BYTES_MAX } from './limits.ts';
import type { PublicReportMetrics } from './metrics.ts';
import { reporting, type ReportingParts } from './reporting.ts';
import {
  ChallengeBody,
  PlaceBody,
  PlaceQuery,
  ReportAnswerBody,
  ReportBody,
  StatusBody,
} from './schemas.ts';
import { statusShown, type StatusParts } from './status.ts';

export interface PublicReportRouteOptions extends ReportingParts, Omit<StatusParts, 'tickets'> {
  readonly places: LabelPlaces;
  readonly proofs: Proofs;
  readonly attempts: Attempts;
  readonly metrics: PublicReportMetrics;
  /** Bounds concurrent reports and look-ups. */
  readonly permits: FairSemaphore;
  readonly visibility: Visibility;
}

const REPORT = '/api/service-desk/report';

const tags = ['public-reports'];
const config = { permission: 'public' } as const;
/** Codes of every route here. */
const problems = ['VALIDATION_FAILED', 'RATE_LIMITED', 'UNAVAILABLE', 'INTERNAL'] as const;

export const publicReportRoutes: FastifyPluginAsyncZod<PublicReportRouteOptions> = async (
  app,
  options,
) => {
  const { proofs, attempts, metrics, permits, visibility } = options;
  const report = reporting(options);
  const placeOf = labelledPlace(options);
  const statusOf = statusShown(options);

  app.addHook('onRequest', async (request) => {
    try {
      attempts.take(sourceOf(request));
    } catch (error) {
      metrics.count('too_many_requests');
      throw error;
    }
  });
  app.addHook('onSend', async (_request, reply) => void reply.header('cache-control', 'no-store'));

  /** Runs work for a source, within its bound of concurrent requests. */
  const permitted = async <T>(
    request: FastifyRequest,
    organisation: string | null,
    work: () => Promise<T>,
  ): Promise<T> => {
    const release = await permits.acquire({ caller: sourceOf(request), organisation });
    try {
      return await work();
    } finally {
      release();
    }
  };

  app.post(
    REPORT,
    {
      config,
      bodyLimit: REPORT_BODY_BYTES_MAX,
      schema: {
        operationId: 'reportWithoutSignIn',
        tags,
        summary: 'Report a problem without signing in',
        description:
          'Requires `requesterAccess: "anyone"` in the configuration of the organisation. ' +
          'Raises a ticket of type `general`; if that type has `requester: false`, no report ' +
          'is accepted. Limits: 5 reports per hour from an address and 20 for a room; after 30 ' +
          'reports without `X-Atrium-Proof` in an organisation within an hour, further ones ' +
          'need a proof. All callers without a credential share one space of idempotency keys: ' +
          'generate a random `Idempotency-Key`, and retry the report with the same key until ' +
          'there is a response. Retries do not count towards the limits.',
        body: ReportBody,
        querystring: NoQuery,
        conventions: ['idempotency-key', 'proof', 'command'],
        problems: [...problems, 'NOT_FOUND', 'REFERENCE_NOT_FOUND', 'LOCATION_CONTRADICTION'],
        response: { 201: ReportAnswerBody },
      },
    },
    async (request, reply) => {
      const { organisation } = request.body;
      const answer = await permitted(request, organisation, () => report(request, request.body));
      const { number, statusUrl, raised } = answer;
      await answerCommand(reply, raised, SHOWN_BY, visibility);
      return reply.code(201).send({ number, statusUrl });
    },
  );

  app.get(
    `${REPORT}/challenge`,
    {
      config,
      schema: {
        operationId: 'readReportChallenge',
        tags,
        summary: 'A challenge for a proof of work',
        description:
          'Solving it takes about half a second in a browser. A solution is valid for one ' +
          'report within ten minutes. The server does not store the challenge.',
        querystring: NoQuery,
        problems,
        response: { 200: ChallengeBody },
      },
    },
    async () => proofs.challenge(),
  );

  app.get(
    `${REPORT}/place`,
    {
      config,
      schema: {
        operationId: 'readReportPlace',
        tags,
        summary: 'The names of the place on a label',
        description:
          'Returns only names, and only for organisations that accept reports without sign-in.',
        querystring: PlaceQuery,
        problems: [...problems, 'NOT_FOUND'],
        response: { 200: PlaceBody },
      },
    },
    async (request) => permitted(request, null, () => placeOf(request.query)),
  );

  app.get(
    `${REPORT}/status`,
    {
      config,
      schema: {
        operationId: 'readReportStatus',
        tags,
        summary: 'Get the status of a report',
        description:
          'The token of a `statusUrl` is sent in a header, so that no address, log or ' +
          '`Referer` contains it. It expires 90 days after the report or 14 days after the ' +
          'ticket was closed. It does not work after the service desk has revoked it, nor ' +
          'while the organisation accepts no reports without sign-in.',
        querystring: NoQuery,
        conventions: ['status-token'],
        problems: [...problems, 'NOT_FOUND'],
        response: { 200: StatusBody },
      },
    },
    async (request) => {
      const token = request.headers['x-atrium-status-token'];
      if (typeof token !== 'string') throw notThere();
      return permitted(request, null, () => statusOf(token));
    },
  );
};
