import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { RETRY_AFTER_S } from './limits.ts';
import type { Metrics } from '../../engine/observe/metrics.ts';
import type { ReadinessSource } from '../../engine/observe/readiness-error.ts';

export interface HealthRouteOptions {
  readonly readiness: ReadinessSource;
  /** `null`: `/metrics` is served elsewhere. */
  readonly metrics: Metrics | null;
}

const AliveBody = z.object({ status: z.literal('alive') }).meta({ id: 'Alive' });
const reasons = z.array(z.string());
const ReadyBody = z
  .discriminatedUnion('status', [
    z.object({ status: z.literal('ready') }).meta({ id: 'Ready' }),
    z
      .object({
        status: z.literal('degraded'),
        reasons: reasons.describe('The optional parts that are unavailable.'),
      })
      .meta({ id: 'Degraded' }),
  ])
  .meta({ id: 'Readiness' });
const NotReadyBody = z
  .object({
    status: z.literal('not_ready'),
    reasons: reasons.describe('Why this process cannot serve requests.'),
  })
  .meta({ id: 'NotReady' });

/** Liveness has no dependencies: a process that can answer is alive. contract.md section 10. */
export const healthRoutes: FastifyPluginAsyncZod<HealthRouteOptions> = async (app, options) => {
  app.get(
    '/health/live',
    {
      config: { permission: 'public' },
      schema: {
        operationId: 'isAlive',
        tags: ['operations'],
        summary: 'Liveness of the process',
        description: 'For liveness probes. Checks no dependency.',
        response: { 200: AliveBody },
      },
    },
    async () => ({ status: 'alive' as const }),
  );

  app.get(
    '/health/ready',
    {
      config: { permission: 'public' },
      schema: {
        operationId: 'isReady',
        tags: ['operations'],
        summary: 'Readiness of the process and its unavailable parts',
        description:
          'For load balancers. 200 while the process serves requests: `ready`, or `degraded` ' +
          'while an optional part is unavailable and only requests that need it fail. 503 ' +
          'while it cannot serve.',
        response: {
          200: ReadyBody,
          503: NotReadyBody,
        },
      },
    },
    async (_request, reply) => {
      const reasons = await options.readiness.reasons();
      if (reasons.length > 0) {
        void reply.header('retry-after', String(RETRY_AFTER_S));
        return reply.code(503).send({ status: 'not_ready' as const, reasons: [...reasons] });
      }
      const degradations = await options.readiness.degradations();
      if (degradations.length === 0) return { status: 'ready' as const };
      const degraded = degradations.map(({ reason }) => reason);
      return { status: 'degraded' as const, reasons: degraded };
    },
  );

  const { metrics } = options;
  if (metrics === null) return;
  app.get(
    '/metrics',
    {
      config: { permission: 'public' },
      schema: {
        operationId: 'readMetrics',
        tags: ['operations'],
        summary: 'Metrics in the Prometheus text format',
        description: 'In production, served only on `METRICS_PORT`.',
        response: { 200: z.string() },
        produces: ['text/plain'],
      },
    },
    async (_request, reply) => reply.type(metrics.contentType).send(await metrics.print()),
  );
};
