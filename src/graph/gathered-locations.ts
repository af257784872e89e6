/** Where tickets are, for many that are opened at once: one statement for those of one turn. */
import type { BuildingLocation, RequestedLocation } from '../domain/building/location.ts';
import { LOCATIONS_AT_ONCE_MAX } from '../limits.ts';
import { gathered } from '../ops/gathered.ts';
import type { Graph } from './graph.ts';

/** The same answers, as many at a time as are asked for. */
export const gatheredLocations = (
  graph: Pick<Graph, 'resolveLocations' | 'successorsOf'>,
): Pick<Graph, 'resolveLocation' | 'successorsOf'> => {
  const resolve = gathered(
    byName(
      ({ organisation }: Wanted) => organisation,
      (organisation, wanted) =>
        graph.resolveLocations(
          organisation,
          wanted.map((one) => one.wanted),
        ),
    ),
    LOCATIONS_AT_ONCE_MAX,
  );
  return {
    resolveLocation: (organisation, wanted) => resolve({ organisation, wanted }),
    ...gatheredSuccessors(graph),
  };
};

/** Of the answers above, those about places that an import may have replaced. */
export const gatheredSuccessors = (
  graph: Pick<Graph, 'successorsOf'>,
): Pick<Graph, 'successorsOf'> => {
  const successor = gathered(
    byName(
      ({ buildingId }: BuildingLocation) => buildingId,
      (buildingId, locations) => graph.successorsOf(buildingId, locations),
    ),
    LOCATIONS_AT_ONCE_MAX,
  );
  // The building is that of the locations.
  return { successorsOf: (_, locations) => Promise.all(locations.map(successor)) };
};

interface Wanted {
  readonly organisation: string;
  readonly wanted: RequestedLocation;
}

/** Asks for the keys of each name by itself; the answers are in the order of all keys. */
const byName =
  <Key, Answer>(
    nameOf: (key: Key) => string,
    ask: (name: string, keys: readonly Key[]) => Promise<readonly Answer[]>,
  ) =>
  async (keys: readonly Key[]): Promise<readonly Answer[]> => {
    const answers = new Map<Key, Answer>();
    const groups = Map.groupBy(keys, nameOf);
    await Promise.all(
      [...groups].map(async ([name, its]) => {
        for (const [at, answer] of (await ask(name, its)).entries()) answers.set(its[at]!, answer);
      }),
    );
    return keys.map((key) => answers.get(key)!);
  };
