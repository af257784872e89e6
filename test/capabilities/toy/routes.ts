import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { answerCommand, commandIdOf, madeIdOf } from '../../../src/api/http/commands.ts';
import { holdRead } from '../../../src/api/http/reads.ts';
import { organisationIn } from '../../../src/api/sessions/authenticate.ts';
import type { Core } from '../../../src/composition/core.ts';
import { greetingsOf } from './list.ts';
import type { Greetings } from './greeting.ts';

const GREETINGS = '/api/v1/greetings';
const SHOWN_BY = ['greeting-list'];
const tags = ['greetings'];

const PlanBody = z.strictObject({
  words: z.string().min(1).max(100),
  dueAt: z.iso.datetime({ precision: 3 }),
});
const GreetingBody = z.object({ greetingId: z.uuid(), words: z.string() });
const ListBody = z.object({
  items: z.array(GreetingBody.extend({ dueAt: z.string().nullable() })),
});

export interface GreetingRouteOptions extends Pick<Core, 'db' | 'occasionOf' | 'visibility'> {
  readonly greetings: Greetings;
}

export const greetingRoutes: FastifyPluginAsyncZod<GreetingRouteOptions> = async (app, parts) => {
  const { db, greetings, occasionOf, visibility } = parts;

  app.post(
    GREETINGS,
    {
      config: { permission: 'authenticated' },
      schema: {
        operationId: 'planGreeting',
        tags,
        summary: 'Plan a greeting',
        description: 'It is said at its time.',
        body: PlanBody,
        conventions: ['idempotency-key', 'command'],
        response: { 201: GreetingBody },
      },
    },
    async (request, reply) => {
      const name = commandIdOf(request);
      const { named: _, ...given } = name;
      const greetingId = madeIdOf(name);
      const { words } = request.body;
      const command = { type: 'PlanGreeting', greetingId, ...request.body } as const;
      const organisation = organisationIn(request);
      const answer = await greetings.give(
        greetingId,
        { ...given, command, organisation },
        occasionOf(request),
      );
      await answerCommand(reply, answer, SHOWN_BY, visibility);
      return reply.code(201).send({ greetingId, words });
    },
  );

  app.get(
    GREETINGS,
    {
      config: { permission: 'authenticated' },
      schema: {
        operationId: 'listGreetings',
        tags,
        summary: 'List the greetings',
        description: 'Those of the organisation, by their words.',
        conventions: ['read-your-writes'],
        response: { 200: ListBody },
      },
    },
    async (request, reply) => {
      await holdRead(request, reply, SHOWN_BY, visibility);
      return { items: [...(await greetingsOf(db, organisationIn(request)))] };
    },
  );
};
