/** Names of the people and teams that tickets are assigned to. contract.md section 5. */
import { useMemo } from 'preact/hooks';
import { pause } from '../../../../sdk/src/retries.ts';
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import type { Schemas } from '../../session/requests.ts';
import type { Ticket } from './words.tsx';

export type People = Pick<Schemas['People'], 'items' | 'teams' | 'more'>;

/** Name by user or team id. */
export interface Names {
  readonly people: ReadonlyMap<string, string>;
  readonly teams: ReadonlyMap<string, string>;
}

const NO_PEOPLE: People = { items: [], teams: [], more: false };

/** The debounce of the search, in milliseconds. */
const TYPING_MS = 150;

/** The possible assignees; empty until they are loaded. For a requester, only the requester. */
export const usePeople = (): People => {
  const { api, me, may } = usePortal();
  const { data = NO_PEOPLE } = useLoaded<People>(
    async (signal) =>
      may('service-desk.tickets:read')
        ? (await api.GET('/api/service-desk/people', { signal })).data
        : {
            ...NO_PEOPLE,
            items: [{ userId: me.actor.id, name: me.actor.name ?? me.actor.id, teams: [] }],
          },
    [api],
  );
  return data;
};

/**
 * The possible assignees that match a text: if there are more than `people`, the server searches
 * too.
 */
export const useFoundPeople = (people: People, text: string): People => {
  const { api } = usePortal();
  const search = text.trim();
  const isAsked = people.more && search !== '';
  const { data = NO_PEOPLE } = useLoaded<People>(
    async (signal) => {
      if (!isAsked) return NO_PEOPLE;
      await pause(TYPING_MS, signal);
      const params = { query: { search } };
      return (await api.GET('/api/service-desk/people', { params, signal })).data;
    },
    [api, isAsked, search],
  );
  return useMemo(
    () => ({
      items: [
        ...new Map(
          [...people.items, ...data.items].map((person) => [person.userId, person]),
        ).values(),
      ],
      teams: [
        ...new Map([...people.teams, ...data.teams].map((team) => [team.teamId, team])).values(),
      ],
      more: people.more,
    }),
    [people, data],
  );
};

export const useNames = (people: People): Names => {
  const { me } = usePortal();
  return useMemo(() => {
    const entries = people.items.map(({ userId, name }) => [userId, name] as const);
    const own = [me.actor.id, me.actor.name ?? me.actor.id] as const;
    return {
      people: new Map([own, ...entries]),
      teams: new Map(people.teams.map(({ teamId, name }) => [teamId, name])),
    };
  }, [people, me]);
};

/** People who are looked up individually; further ones are shown by id. */
const LOOKED_UP_MAX = 10;

/** The names of these people, also of those beyond the loaded ones. */
export const usePeopleNamed = (
  loaded: ReadonlyMap<string, string>,
  userIds: readonly string[],
): ReadonlyMap<string, string> => {
  const { api } = usePortal();
  const missing = [...new Set(userIds)].filter((id) => !loaded.has(id)).slice(0, LOOKED_UP_MAX);
  const { data = [] } = useLoaded(
    (signal) =>
      Promise.all(
        missing.map(async (search) => {
          const params = { query: { search } };
          const { data } = await api.GET('/api/service-desk/people', { params, signal });
          return (
            data.items.find(({ userId }) => userId === search) ?? { userId: search, name: search }
          );
        }),
      ),
    [api, missing.join('\n')],
  );
  return useMemo(
    () => new Map([...loaded, ...data.map(({ userId, name }) => [userId, name] as const)]),
    [loaded, data],
  );
};

/** The name of the person, else of the team, else the id. */
export const assigneeOf = (
  { assignedUserId, assignedTeamId }: Pick<Ticket, 'assignedUserId' | 'assignedTeamId'>,
  { people, teams }: Names,
): string | null => {
  if (assignedUserId !== null) return people.get(assignedUserId) ?? assignedUserId;
  return assignedTeamId === null ? null : (teams.get(assignedTeamId) ?? assignedTeamId);
};
