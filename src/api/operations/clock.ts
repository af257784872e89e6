/** The virtual clock of a development server, or of a sandbox. contract.md section 10. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { DURATION_CHARACTERS_MAX } from './limits.ts';
import { REQUEST_ANSWER_LONG_MAX_MS } from '../../limits.ts';
import { commandIdOf } from '../http/commands.ts';
import { exampled } from '../http/examples.ts';
import { durationMs } from '../../engine/time/duration.ts';
import { Problem } from '../http/problems.ts';
import type { TimeTravel } from '../../engine/control/time-travel.ts';
import { AdvanceUnfinished } from '../../engine/control/virtual-time.ts';

export interface ClockRouteOptions {
  readonly travel: TimeTravel;
  /** The owner of a sandbox advances its clock; elsewhere only an operator does. */
  readonly isSandbox: boolean;
}

const NowBody = z.object({ now: z.iso.datetime() }).meta({ id: 'ClockNow' });

const AdvancingBody = z
  .object({ now: z.iso.datetime(), target: z.iso.datetime() })
  .meta({ id: 'ClockAdvancing' });

const TimeBody = z
  .object({
    now: z.iso.datetime(),
    target: z.iso
      .datetime()
      .exactOptional()
      .describe('The target of the latest advance, until the clock has reached it.'),
    state: z
      .enum(['advancing', 'stopped'])
      .exactOptional()
      .describe(
        'Present together with `target`. Repeat the request of a stopped advance to continue ' +
          'it.',
      ),
  })
  .meta({ id: 'ClockTime' });

const Duration = z
  .string()
  .max(DURATION_CHARACTERS_MAX)
  .transform((text, context) => {
    const ms = durationMs(text);
    if (ms !== null && ms > 0) return ms;
    const message =
      ms === 0
        ? 'must be longer than zero'
        : 'must be an ISO 8601 duration in weeks, days, hours, minutes and seconds, such as PT1H';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

const AdvanceBody = z
  .strictObject({ advance: Duration })
  .meta({ id: 'ClockAdvance', ...exampled({ advance: 'PT1H' }) });

export const clockRoutes: FastifyPluginAsyncZod<ClockRouteOptions> = async (app, options) => {
  const { travel, isSandbox } = options;
  const whose = isSandbox ? 'platform.sandboxes' : 'platform.operations';

  app.get(
    '/api/v1/clock',
    {
      config: { permission: `${whose}:read` },
      schema: {
        operationId: 'readClock',
        tags: ['operations'],
        summary: "The platform's time",
        response: { 200: TimeBody },
      },
    },
    async () => {
      const { now, target, isAdvancing } = await travel.time();
      if (target === null) return { now };
      return { now, target, state: isAdvancing ? ('advancing' as const) : ('stopped' as const) };
    },
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
          'Everything that falls due in between happens in order, each at its own time. An ' +
          'advance that takes longer than 30 s is answered with 202 and continues: `GET` shows ' +
          'its progress. The clock never goes back, and keeps its time over a restart. An ' +
          'advance that stops before its target (503, or a restart of the server) continues ' +
          'when the request is repeated with the same `Idempotency-Key`. A second advance at ' +
          'the same time is refused with 409. The advances of one sandbox cover at most 732 ' +
          'days per hour; beyond that, 429.',
        conventions: ['idempotency-key'],
        body: AdvanceBody,
        problems: ['TIME_TRAVEL_REFUSED', 'CONFLICT', 'RATE_LIMITED'],
        response: { 200: NowBody, 202: AdvancingBody },
      },
    },
    async (request, reply) => {
      const { named: _, ...name } = commandIdOf(request);
      try {
        const { now, target, repeated } = await travel.advance(request.body.advance, name);
        if (repeated) void reply.header('idempotent-replayed', 'true');
        return target === null ? { now } : await reply.code(202).send({ now, target });
      } catch (error) {
        if (error instanceof AdvanceUnfinished) throw new Problem('UNAVAILABLE', error.message);
        throw error;
      }
    },
  );
};
