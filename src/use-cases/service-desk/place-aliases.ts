/** The places of tickets by all of their ids. contract.md section 5. */
import type { Graph } from '../../building/graph/graph.ts';
import { locationMembers, type BuildingLocation } from '../../domain/buildings/location.ts';
import type { Configuration } from '../../domain/service-desk/configuration.ts';
import { namesReplaceable } from '../../domain/service-desk/location-references.ts';

/**
 * The aliases of the places of these locations, for `withAliases`. Empty, without a look-up, where
 * no configuration names a storey, space or element, or no location is in one.
 */
export const placeAliases = async (
  graph: Pick<Graph, 'aliasesOf'>,
  organisation: string,
  locations: readonly Omit<BuildingLocation, 'buildingId'>[],
  configurations: readonly Configuration[],
): ReturnType<Graph['aliasesOf']> => {
  const places = configurations.some(namesReplaceable)
    ? locations.flatMap((location) => locationMembers.flatMap((member) => location[member] ?? []))
    : [];
  return places.length === 0 ? new Map() : graph.aliasesOf(organisation, places);
};
