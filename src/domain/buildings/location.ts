/** The location of an object in a building: as requested by a caller, and as resolved. */
import { refuse, type Refusal } from '../../engine/aggregates/decider.ts';
import { withArticle } from '../with-article.ts';

/** The location of a ticket: the finest known node, and its ancestors. */
export interface BuildingLocation {
  readonly buildingId: string;
  readonly storeyId: string | null;
  readonly spaceId: string | null;
  readonly elementId: string | null;
}

/** A caller's input. Absent and `null` are the same. */
export interface RequestedLocation {
  readonly buildingId: string;
  readonly storeyId?: string | null | undefined;
  readonly spaceId?: string | null | undefined;
  readonly elementId?: string | null | undefined;
}

/** An existing storey, space or element, with its ancestors. */
export interface LocationNode {
  readonly kind: 'storey' | 'space' | 'element';
  readonly storeyId: string;
  /** For a room its own id; `null` for a storey and for an element outside rooms. */
  readonly spaceId: string | null;
}

/** Coarsest first. */
export const locationMembers = ['storeyId', 'spaceId', 'elementId'] as const;

const kinds = { storeyId: 'storey', spaceId: 'space', elementId: 'element' } as const;

/**
 * The finest given member decides, the coarser ones follow from it. `nodes` holds the named nodes
 * of the building by id.
 *
 * Refuses `REFERENCE_NOT_FOUND` for an id that is no node of that kind in the building, else
 * `LOCATION_CONTRADICTION` if a coarser member contradicts the finest.
 */
export const locationWithin = (
  request: RequestedLocation,
  nodes: ReadonlyMap<string, LocationNode>,
): BuildingLocation | Refusal => {
  const missing = locationMembers.filter((member) => {
    const id = request[member] ?? null;
    return id !== null && nodes.get(id)?.kind !== kinds[member];
  });
  if (missing.length > 0) return unknownReference(missing);

  const { buildingId } = request;
  const location = finest(buildingId, request, nodes);
  const wrong = locationMembers.filter((member) => {
    const id = request[member] ?? null;
    return id !== null && id !== location[member];
  });
  if (wrong.length === 0) return location;
  return refuse('LOCATION_CONTRADICTION', `${wrong.join(' and ')} and the finer location differ.`, {
    errors: wrong.map((path) => ({
      path,
      message:
        location[path] === null ? 'the finer location is in none' : `is in ${location[path]}`,
    })),
  });
};

export const unknownReference = (members: readonly (keyof BuildingLocation)[]): Refusal =>
  refuse('REFERENCE_NOT_FOUND', `No such ${members.map(nounOf).join(', ')}, or no access to it.`, {
    errors: members.map((path) => ({
      path,
      message: `is not the id of ${withArticle(nounOf(path))}`,
    })),
  });

/** The location after a replacing import of the building; `null` for nodes that are gone. */
export const locationAfterImport = (
  location: BuildingLocation,
  /** By the previous id: the new id, with its ancestors. */
  successors: ReadonlyMap<string, LocationNode & { readonly id: string }>,
): BuildingLocation => {
  const ids: Record<string, string> = {};
  const nodes = new Map<string, LocationNode>();
  const member = locationMembers.findLast((each) => {
    const found = location[each] === null ? undefined : successors.get(location[each]);
    if (found?.kind !== kinds[each]) return false;
    ids[each] = found.id;
    nodes.set(found.id, found);
    return true;
  });
  return member === undefined
    ? nowhere(location.buildingId)
    : finest(location.buildingId, ids, nodes);
};

const finest = (
  buildingId: string,
  request: Pick<RequestedLocation, 'storeyId' | 'spaceId' | 'elementId'>,
  nodes: ReadonlyMap<string, LocationNode>,
): BuildingLocation => {
  const member = locationMembers.findLast((each) => (request[each] ?? null) !== null);
  const node = member && nodes.get(request[member]!);
  if (!node) return nowhere(buildingId);
  const { storeyId, spaceId } = node;
  return { ...nowhere(buildingId), storeyId, spaceId, [member]: request[member]! };
};

const nowhere = (buildingId: string): BuildingLocation => ({
  buildingId,
  storeyId: null,
  spaceId: null,
  elementId: null,
});

const nounOf = (member: keyof BuildingLocation): string => member.slice(0, -'Id'.length);
