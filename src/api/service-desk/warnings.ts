/** Probable mistakes in a configuration. contract.md section 5. */
import type { Graph } from '../../building/graph/graph.ts';
import type { Configuration } from '../../domain/service-desk/configuration.ts';
import { referencedLocations, withAliases } from '../../domain/service-desk/location-references.ts';
import { warningsOf } from '../../domain/service-desk/problems.ts';
import type { People } from '../../projections/people/people.ts';

/** Warnings about the document itself, and about the places and people that it names. */
export type WarningsFor = (organisation: string, configuration: Configuration) => Promise<string[]>;

export const deskWarnings =
  (
    graph: Pick<Graph, 'aliasesOf' | 'placeKinds'>,
    people: Pick<People, 'missingIn'>,
  ): WarningsFor =>
  async (organisation, given) => {
    // One rule shadows another also where they name a place by different ids.
    const aliases = await graph.aliasesOf(organisation, referencedLocations(given));
    const configuration = withAliases(given, aliases);
    const [kinds, missing] = await Promise.all([
      graph.placeKinds(organisation, referencedLocations(configuration)),
      people.missingIn(organisation, configuration),
    ]);
    return [...warningsOf(configuration, kinds), ...missing];
  };
