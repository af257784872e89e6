/** The people and teams that tickets can be assigned to. contract.md section 5. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { PEOPLE_FOUND_MAX } from '../../domain/people/limits.ts';
import type { FairSemaphore } from '../../engine/concurrency/fair-semaphore.ts';
import type { People } from '../../projections/people/people.ts';
import { ASSIGNEES_SEARCHED_MAX } from '../../projections/tickets/limits.ts';
import { organisationIn } from '../sessions/authenticate.ts';
import type { Visibility } from '../http/commands.ts';
import { withPermit } from '../http/permits.ts';
import { holdRead } from '../http/reads.ts';
import { PEOPLE_SEARCH_CHARACTERS_MAX } from './limits.ts';

export interface PeopleRouteOptions {
  readonly people: Pick<People, 'find'>;
  /** Bounds concurrent searches. */
  readonly searches: FairSemaphore;
  readonly visibility: Visibility;
}

const PeopleQuery = z.strictObject({
  search: z
    .string()
    .max(PEOPLE_SEARCH_CHARACTERS_MAX)
    .default('')
    .describe('Each word must occur in name, id or e-mail address. Case-insensitive.'),
});

const PeopleBody = z
  .object({
    items: z.array(
      z
        .object({
          userId: z.string().describe('For `assignedUserId`.'),
          name: z
            .string()
            .describe('From the directory, else from the last sign-in, else the user id.'),
          teams: z.array(z.string()).describe('Ids of the teams of which the person is a member.'),
        })
        .meta({ id: 'Person' }),
    ),
    teams: z.array(
      z
        .object({
          teamId: z.string().describe('For `assignedTeamId`.'),
          name: z.string(),
          members: z.array(z.string()).describe('User ids.'),
        })
        .meta({ id: 'Team' }),
    ),
    more: z
      .boolean()
      .describe(
        'More people or teams match than are listed, or may match among more than ' +
          `${ASSIGNEES_SEARCHED_MAX} assignees: narrow the search.`,
      ),
  })
  .meta({ id: 'People' });

export const peopleRoutes: FastifyPluginAsyncZod<PeopleRouteOptions> = async (app, options) => {
  const { people, searches, visibility } = options;
  app.get(
    '/api/service-desk/people',
    {
      config: { permission: 'service-desk.tickets:read' },
      schema: {
        operationId: 'searchPeople',
        tags: ['people'],
        summary: 'People and teams of the organisation, by name',
        description:
          'People in the `directory` of the configuration, people who have signed in, and ' +
          `people with an assigned ticket. At most ${PEOPLE_FOUND_MAX} people and as many ` +
          'teams.',
        querystring: PeopleQuery,
        conventions: ['read-your-writes'],
        problems: ['RATE_LIMITED'],
        response: { 200: PeopleBody },
      },
    },
    async (request, reply) => {
      const organisation = organisationIn(request);
      await holdRead(request, reply, ['ticket-list'], visibility);
      const { items, teams, more } = await withPermit(searches, request, reply, () =>
        people.find(organisation, request.query.search),
      );
      return {
        items: items.map((person) => ({ ...person, teams: [...person.teams] })),
        teams: teams.map((team) => ({ ...team, members: [...team.members] })),
        more,
      };
    },
  );
};
