/** Names of rooms: tickets refer to them by id. */
import { useMemo } from 'preact/hooks';
import { usePortal } from '../context.ts';
import { useLoaded } from '../loading.ts';
import type { Schemas } from '../session/requests.ts';
import { useBuildings, useReadsPlaces } from './places.ts';

export type Room = Schemas['Space'];

/** Rooms per building whose names are loaded; for the rest the storey is shown. */
const ROOMS_MAX = 1_000;
/** Valid under every `SPACES_LIMIT_CAP`. */
const PAGE = 100;

/** @param buildingIds The buildings whose rooms are loaded. */
export const useRooms = (buildingIds: readonly string[]): readonly Room[] => {
  const { api } = usePortal();
  const isShown = useReadsPlaces();
  const ids = buildingIds.toSorted().join();
  const { data = [] } = useLoaded(
    async (signal) => {
      if (ids === '' || !isShown) return [];
      const rooms: Room[] = [];
      for (const buildingId of ids.split(',')) {
        const params = { path: { buildingId }, query: { limit: PAGE } };
        const path = '/api/v1/buildings/{buildingId}/spaces';
        let count = 0;
        for await (const room of api.items(path, { params, signal })) {
          rooms.push(room);
          count += 1;
          if (count === ROOMS_MAX) break;
        }
      }
      return rooms;
    },
    [api, ids],
  );
  return data;
};

export const useAllRooms = (): readonly Room[] =>
  useRooms(useBuildings().map(([buildingId]) => buildingId));

/** The names and storeys of rooms, by id. */
export const useRoomNames = (buildingIds: readonly string[]): ReadonlyMap<string, string> => {
  const rooms = useRooms(buildingIds);
  return useMemo(
    () =>
      new Map(rooms.map(({ id, code, name, storey }) => [id, `${code} ${name}, ${storey.name}`])),
    [rooms],
  );
};
