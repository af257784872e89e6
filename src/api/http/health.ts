import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { RETRY_AFTER_S } from '../../limits.ts';
import type { Metrics } from '../../ops/metrics.ts';

export interface HealthRouteOptions {
  /** Why this process should get no traffic; empty when it should. */
  readonly reasons: () => Promise<readonly string[]>;
  /** What an operator should look at though it should get traffic. Never rejects. */
  readonly notes: () => Promise<readonly string[]>;
  /** `null`: `/metrics` is served elsewhere. */
  readonly metrics: Metrics | null;
}

const AliveBody = z.object({ status: z.literal('alive') }).meta({ id: 'Alive' });
const ReadyBody = z
  .object({
    status: z.literal('ready'),
    reasons: z
      .array(z.string())
      .exactOptional()
      .describe('What an operator should look at; it is no reason to send it no traffic.'),
  })
  .meta({ id: 'Ready' });
const NotReadyBody = z
  .object({ status: z.literal('not_ready'), reasons: z.array(z.string()) })
  .meta({ id: 'NotReady' });

/** Liveness asks nothing of anybody: a process that can answer is alive. contract.md section 10. */
export const healthRoutes: FastifyPluginAsyncZod<HealthRouteOptions> = async (app, options) => {
  app.get(
    '/health/live',
    {
      config: { permission: 'public' },
      schema: {
        operationId: 'isAlive',
        tags: ['operations'],
        summary: 'Whether the process answers at all',
        description: 'Asks nobody: for whoever restarts what hangs.',
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
        summary: 'Whether the process should get traffic, and why not',
        description: 'For load balancers: not ready while a part is missing or the server stops.',
        response: {
          200: ReadyBody,
          503: NotReadyBody,
        },
      },
    },
    async (_request, reply) => {
      const noted = options.notes();
      const reasons = await options.reasons();
      if (reasons.length === 0) {
        const notes = await noted;
        return { status: 'ready' as const, ...(notes.length > 0 && { reasons: [...notes] }) };
      }
      void reply.header('retry-after', String(RETRY_AFTER_S));
      return reply.code(503).send({ status: 'not_ready' as const, reasons: [...reasons] });
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
        summary: 'Measurements in the text format of Prometheus',
        description: 'In production it is served on `METRICS_PORT` alone.',
        response: { 200: z.string() },
        produces: ['text/plain'],
      },
    },
    async (_request, reply) => reply.type(metrics.contentType).send(await metrics.print()),
  );
};
