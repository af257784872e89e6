/** Names of the places that the configuration refers to by id. */
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import { placeMembers } from '../place-members.ts';
import { useBuildings } from '../places.ts';
import type { Configuration, Match } from './document.ts';
import { listed } from './match-words.ts';

/** Limits of the search for names: buildings, and nodes of each. */
const BUILDINGS_MAX = 10;
const NODES_MAX = 5_000;
const PAGE = 100;

const matchesIn = ({ slaPolicies, routingRules }: Configuration): readonly Match[] => [
  ...slaPolicies.map(({ match }) => match ?? {}),
  ...routingRules.map(({ match }) => match),
];

/** @returns the name of a place; `undefined` if it was not found. */
export const usePlaceNames = (of: Configuration): ((id: string) => string | undefined) => {
  const { api } = usePortal();
  const buildings = useBuildings();
  const ids = matchesIn(of).flatMap((match) =>
    placeMembers.slice(1).flatMap((member) => listed(match[member])),
  );
  const isWanted = ids.length > 0;
  const { data } = useLoaded(
    async (signal) => {
      const names = new Map<string, string>();
      if (!isWanted) return names;
      for (const [buildingId, building] of buildings.slice(0, BUILDINGS_MAX)) {
        const asked = { params: { path: { buildingId }, query: { limit: PAGE } }, signal };
        for (const kind of ['storeys', 'spaces', 'elements'] as const) {
          const path = `/api/v1/buildings/{buildingId}/${kind}` as const;
          let seen = 0;
          for await (const { id, name } of api.items(path, asked)) {
            names.set(id, `${name}, ${building}`);
            seen += 1;
            if (seen >= NODES_MAX) break;
          }
        }
      }
      return names;
    },
    [api, isWanted, buildings.length],
  );
  return (id) => buildings.find(([buildingId]) => buildingId === id)?.[1] ?? data?.get(id);
};
