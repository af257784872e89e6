/** The virtual clock of a development server, or of a sandbox. contract.md section 10. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { DURATION_CHARACTERS_MAX, REQUEST_ANSWER_LONG_MAX_MS } from '../../limits.ts';
import type { Clock } from '../../ops/clock.ts';
import { commandIdOf } from '../http/commands.ts';
import { exampled } from '../http/examples.ts';
import { durationMs } from '../http/duration.ts';
import { Problem } from '../http/problems.ts';
import type { TimeTravel } from '../../processes/time-travel.ts';
import { AdvanceUnfinished } from '../../processes/virtual-time.ts';

export interface ClockRouteOptions {
  readonly clock: Clock;
  /** Resolves with the time when what fell due in between has happened. */
  readonly advance: TimeTravel;
  /** Whoever may drive the sandbox may move its clock; elsewhere it is an operator's. */
  readonly isSandbox: boolean;
}

const NowBody = z.object({ now: z.iso.datetime() }).meta({ id: 'ClockTime' });

const Duration = z
  .string()
  .max(DURATION_CHARACTERS_MAX)
  .transform((text, context) => {
    const ms = durationMs(text);
    if (ms !== null && ms > 0) return ms;
    context.addIssue({
      code: 'custom',
      message: 'must be an ISO 8601 duration such as PT1H or P2D',
    });
    return z.NEVER;
  });

const AdvanceBody = z
  .strictObject({ advance: Duration })
  .meta({ id: 'ClockAdvance', ...exampled({ advance: 'PT1H' }) });

export const clockRoutes: FastifyPluginAsyncZod<ClockRouteOptions> = async (app, options) => {
  const whose = options.isSandbox ? 'platform.sandboxes' : 'platform.operations';

  app.get(
    '/api/v1/clock',
    {
      config: { permission: `${whose}:read` },
      schema: {
        operationId: 'readClock',
        tags: ['operations'],
        summary: "The platform's time",
        response: { 200: NowBody },
      },
    },
    async () => ({ now: options.clock.now() }),
  );

  app.post(
    '/api/v1/clock',
    {
      config: {
        permission: `${whose}:write`,
        answerMaxMs: REQUEST_ANSWER_LONG_MAX_MS,
      },
      schema: {
        operationId: 'advanceClock',
        tags: ['operations'],
        summary: 'Move the virtual clock forward (in development and in sandboxes)',
        description:
          'What falls due in between happens in order, each at its own time, before the answer.' +
          ' The clock never goes back, and stays moved through a restart. A 503 leaves it as far' +
          ' as it has come: under the same `Idempotency-Key` it goes on to where it was to go,' +
          ' without one ask for the rest.',
        conventions: ['idempotency-key'],
        body: AdvanceBody,
        problems: ['TIME_TRAVEL_REFUSED'],
        response: { 200: NowBody },
      },
    },
    async (request, reply) => {
      const { named: _, ...name } = commandIdOf(request);
      try {
        const { now, repeated } = await options.advance(request.body.advance, name);
        if (repeated) void reply.header('idempotent-replayed', 'true');
        return { now };
      } catch (error) {
        if (error instanceof AdvanceUnfinished) throw new Problem('UNAVAILABLE', error.message);
        throw error;
      }
    },
  );
};
