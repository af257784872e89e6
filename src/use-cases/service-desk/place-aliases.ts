/** Tickets in places that imports have replaced, and configurations. contract.md section 5. */
import type { Graph } from '../../building/graph/graph.ts';
import { locationMembers, type BuildingLocation } from '../../domain/buildings/location.ts';
import type { Configuration } from '../../domain/service-desk/configuration.ts';
import { namesReplaceable, withAliases } from '../../domain/service-desk/location-references.ts';

/**
 * The configurations, in which what names a place of these locations by another of its ids also
 * names it by that of the location. Looks nothing up for configurations that name no storey, space
 * or element, and for locations without one.
 */
export const withAliasesOf = async (
  graph: Pick<Graph, 'aliasesOf'>,
  organisation: string,
  locations: readonly Omit<BuildingLocation, 'buildingId'>[],
  configurations: readonly Configuration[],
): Promise<readonly Configuration[]> => {
  if (!configurations.some(namesReplaceable)) return configurations;
  const places = locations.flatMap((location) =>
    locationMembers.flatMap((member) => location[member] ?? []),
  );
  if (places.length === 0) return configurations;
  const aliases = await graph.aliasesOf(organisation, [...new Set(places)]);
  return configurations.map((configuration) => withAliases(configuration, aliases));
};
