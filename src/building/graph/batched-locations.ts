/** Where tickets are, for many that are opened at once: one statement for those of one turn. */
import type { BuildingLocation, RequestedLocation } from '../../domain/buildings/location.ts';
import { LOCATIONS_AT_ONCE_MAX } from './limits.ts';
import { batchLoader } from '../../engine/concurrency/batch-loader.ts';
import type { Graph } from './graph.ts';

/**
 * The same answers, as many at a time as are asked for: those of one organisation together, which
 * waits for no other.
 */
export const batchedLocations = (
  graph: Pick<Graph, 'resolveLocations' | 'successorsOf'>,
): Pick<Graph, 'resolveLocation' | 'successorsOf'> => {
  const resolve = batchLoader(
    (organisation, asked: readonly Wanted[]) =>
      graph.resolveLocations(
        organisation,
        asked.map(({ wanted }) => wanted),
      ),
    { keysMax: LOCATIONS_AT_ONCE_MAX, groupOf: ({ organisation }) => organisation },
  );
  return {
    resolveLocation: (organisation, wanted) => resolve({ organisation, wanted }),
    ...batchedSuccessors(graph),
  };
};

/** Of the answers above, those about places that an import may have replaced, by building. */
export const batchedSuccessors = (
  graph: Pick<Graph, 'successorsOf'>,
): Pick<Graph, 'successorsOf'> => {
  const successor = batchLoader(
    (buildingId, locations: readonly BuildingLocation[]) =>
      graph.successorsOf(buildingId, locations),
    { keysMax: LOCATIONS_AT_ONCE_MAX, groupOf: ({ buildingId }) => buildingId },
  );
  // The building is that of the locations.
  return { successorsOf: (_, locations) => Promise.all(locations.map(successor)) };
};

interface Wanted {
  readonly organisation: string;
  readonly wanted: RequestedLocation;
}
