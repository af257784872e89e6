/** Batches the location lookups of tickets opened in one turn of the event loop. */
import type { BuildingLocation, RequestedLocation } from '../../domain/buildings/location.ts';
import { LOCATIONS_AT_ONCE_MAX } from './limits.ts';
import { batcher, upTo } from '../../engine/concurrency/batcher.ts';
import type { Graph } from './graph.ts';

/** The look-ups that {@link batchedLocations} batches. */
export type LocationLookUps = Pick<Graph, 'resolveLocations' | 'aliasesOf' | 'successorsOf'>;

/** Batches per organisation. */
export const batchedLocations = (
  graph: LocationLookUps,
): Pick<Graph, 'resolveLocation' | 'aliasesOf' | 'successorsOf'> => {
  const resolveLocation = batcher({
    ...inOneTurn,
    write: (organisation, requests: readonly RequestedLocation[]) =>
      graph.resolveLocations(organisation, requests),
  });
  const aliasesOf = batcher({
    ...inOneTurn,
    write: async (organisation, requests: readonly (readonly string[])[]) => {
      const found = await graph.aliasesOf(organisation, [...new Set(requests.flat())]);
      return requests.map(() => found);
    },
  });
  return { resolveLocation, aliasesOf, ...batchedSuccessors(graph) };
};

/** Batches per building: the successors of locations that an import has replaced. */
export const batchedSuccessors = (
  graph: Pick<Graph, 'successorsOf'>,
): Pick<Graph, 'successorsOf'> => {
  const successor = batcher({
    ...inOneTurn,
    write: (buildingId, locations: readonly BuildingLocation[]) =>
      graph.successorsOf(buildingId, locations),
  });
  return {
    successorsOf: (buildingId, locations) =>
      Promise.all(locations.map((location) => successor(buildingId, location))),
  };
};

/** A lookup never returns data older than the call, and never waits for an earlier batch. */
const inOneTurn = { next: upTo(LOCATIONS_AT_ONCE_MAX), perKeyMax: Infinity };
