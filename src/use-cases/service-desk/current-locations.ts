/** The locations that a configuration names, after imports. contract.md section 5. */
import type { Graph } from '../../building/graph/graph.ts';
import type { Configuration } from '../../domain/service-desk/configuration.ts';
import {
  replaceableLocations,
  withSuccessors,
} from '../../domain/service-desk/location-references.ts';

/**
 * The configuration with the current ids of the locations that imports have replaced, to be matched
 * with tickets. Looks up nothing for one that names no storey, space or element.
 */
export const withCurrentLocations = async (
  graph: Pick<Graph, 'successorIds'>,
  organisation: string,
  configuration: Configuration,
): Promise<Configuration> => {
  const ids = replaceableLocations(configuration);
  if (ids.length === 0) return configuration;
  return withSuccessors(configuration, await graph.successorIds(organisation, ids));
};
