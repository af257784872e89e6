import type { FastifySchemaCompiler } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { isRefusal } from '../../engine/aggregates/decider.ts';
import type { Telemetry } from '../../building/telemetry/telemetry.ts';
import { organisationIn, type OccasionOf } from '../sessions/authenticate.ts';
import { OBSERVATIONS_BODY_VALUES_MAX } from './limits.ts';
import { INGEST_LARGE_OBSERVATIONS } from '../../domain/telemetry/limits.ts';
import type { FairSemaphore } from '../../engine/concurrency/fair-semaphore.ts';
import { withPermit } from '../http/permits.ts';
import { invalid, refused } from '../http/problems.ts';
import { validatorCompiler } from '../http/validation.ts';
import { checkObservations, observationsOf } from './observations-body.ts';
import { AcceptedBody, BuildingParams, ObservationsBody } from './schemas.ts';

export interface IngestRouteOptions {
  readonly telemetry: Telemetry;
  /** For requests with more than {@link INGEST_LARGE_OBSERVATIONS}. */
  readonly largeIngests: FairSemaphore;
  readonly occasionOf: OccasionOf;
}

const BUILDING = '/api/v1/buildings/:buildingId';
const tags = ['telemetry'];

export const ingestRoutes: FastifyPluginAsyncZod<IngestRouteOptions> = async (app, options) => {
  const { telemetry, largeIngests, occasionOf } = options;
  app.setValidatorCompiler(bodyByHand);

  app.post(
    `${BUILDING}/observations`,
    {
      config: {
        permission: 'platform.telemetry:write',
        bodyValuesMax: OBSERVATIONS_BODY_VALUES_MAX,
      },
      schema: {
        operationId: 'ingestObservations',
        tags,
        summary: 'Ingest observations of points',
        description:
          'Atomic, and durable before the response. An observation with the same point and ' +
          'time replaces the value, so a request without a response can safely be retried. A ' +
          'batch spans at most 40 different days (UTC). Errors give the path, such as ' +
          '`observations[1].pointId`. Each point of the batch is published once, with its ' +
          'latest value. Observations that are older than the retention period are accepted, but ' +
          'not returned by any read. For each organisation, batches of more than ' +
          `${INGEST_LARGE_OBSERVATIONS} observations are processed one at a time; others wait.`,
        params: BuildingParams,
        body: ObservationsBody,
        problems: ['REFERENCE_NOT_FOUND', 'RATE_LIMITED'],
        response: { 200: AcceptedBody },
      },
    },
    async (request, reply) => {
      const { buildingId } = request.params;
      const organisation = organisationIn(request);
      const observe = () => {
        const occasion = occasionOf(request);
        const observations = observationsOf(request.body, Date.parse(occasion.at));
        return telemetry.observe(organisation, buildingId, observations, occasion);
      };
      const isLarge = request.body.observations.length > INGEST_LARGE_OBSERVATIONS;
      const outcome = await (isLarge
        ? withPermit(largeIngests, request, reply, observe)
        : observe());
      if (isRefusal(outcome)) throw refused(outcome);
      return outcome;
    },
  );
};

/** For this plugin's routes only: the one with a body is the ingest. */
const bodyByHand: FastifySchemaCompiler<z.ZodType> = (route) => {
  if (route.httpPart !== 'body') return validatorCompiler(route);
  return (body: unknown) => {
    const checked = checkObservations(body);
    return 'observations' in checked ? { value: checked } : { error: invalid(checked) };
  };
};
