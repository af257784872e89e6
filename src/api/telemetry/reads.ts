import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { OBSERVATIONS_READ_DEFAULT_MS } from './limits.ts';
import { OBSERVED_AHEAD_MAX_MS } from '../../domain/telemetry/limits.ts';
import type { Telemetry } from '../../building/telemetry/telemetry.ts';
import type { FairSemaphore } from '../../engine/concurrency/fair-semaphore.ts';
import { organisationIn, type OccasionOf } from '../sessions/authenticate.ts';
import { withPermit } from '../http/permits.ts';
import { invalid, notFound } from '../http/problems.ts';
import { bucketsMs, ObservationListBody, ObservationsQuery, PointParams } from './schemas.ts';

export interface TelemetryReadOptions {
  readonly telemetry: Pick<Telemetry, 'samples' | 'buckets'>;
  /** Bounds concurrent reads. */
  readonly sampleReads: FairSemaphore;
  readonly occasionOf: OccasionOf;
}

export const telemetryReadRoutes: FastifyPluginAsyncZod<TelemetryReadOptions> = async (
  app,
  { telemetry, sampleReads, occasionOf },
) => {
  app.get(
    '/api/v1/buildings/:buildingId/points/:pointId/observations',
    {
      config: { permission: 'platform.buildings:read' },
      schema: {
        operationId: 'listObservations',
        tags: ['telemetry'],
        summary: 'Samples of a point, oldest first',
        description:
          'Samples, or with `bucket` aggregates for each time bucket with samples. A response ' +
          'has at most 10,000 rows; continue with `from` set to `nextFrom`.',
        params: PointParams,
        querystring: ObservationsQuery,
        problems: ['RATE_LIMITED'],
        response: { 200: ObservationListBody },
      },
    },
    async (request, reply) => {
      const { from, to, bucket } = request.query;
      const nowMs = Date.parse(occasionOf(request).at);
      const toMs = to === undefined ? nowMs + OBSERVED_AHEAD_MAX_MS : Date.parse(to);
      const fromMs = from === undefined ? toMs - OBSERVATIONS_READ_DEFAULT_MS : Date.parse(from);
      if (fromMs > toMs) throw invalid([{ path: 'from', message: 'must not be after to' }]);
      const pointRef = { organisation: organisationIn(request), ...request.params };
      const range = { fromMs, toMs };
      const page = await withPermit(sampleReads, request, reply, async () =>
        bucket === undefined
          ? telemetry.samples(pointRef, range)
          : telemetry.buckets(pointRef, range, bucketsMs[bucket]),
      );
      if (!page) throw notFound('point');
      return { items: [...page.items], nextFrom: page.nextFrom };
    },
  );
};
