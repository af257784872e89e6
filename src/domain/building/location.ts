/** Where something is in a building: what a caller names, and what follows from it. */
import { refuse, type Refusal } from '../decider.ts';

/** The location of a ticket: as fine as it is known, the coarser members following. */
export interface Place {
  readonly buildingId: string;
  readonly storeyId: string | null;
  readonly spaceId: string | null;
  readonly elementId: string | null;
}

/** What a caller says. Absent and `null` are the same. */
export interface WantedPlace {
  readonly buildingId: string;
  readonly storeyId?: string | null | undefined;
  readonly spaceId?: string | null | undefined;
  readonly elementId?: string | null | undefined;
}

/** A storey, space or element that exists, and what it stands in. */
export interface PlaceNode {
  readonly kind: 'storey' | 'space' | 'element';
  readonly storeyId: string;
  /** Of a room its own; `null` for a storey and for an element that stands in no room. */
  readonly spaceId: string | null;
}

export const placeMembers = ['storeyId', 'spaceId', 'elementId'] as const;

const kinds = { storeyId: 'storey', spaceId: 'space', elementId: 'element' } as const;

/**
 * The finest member given decides, the coarser ones follow from it. `nodes` holds those of the
 * building that were named, by id.
 *
 * Refuses `REFERENCE_NOT_FOUND` for an id that is no node of that kind in the building, else
 * `LOCATION_CONTRADICTION` where a coarser member says something else than the finest implies.
 */
export const placeWithin = (
  wanted: WantedPlace,
  nodes: ReadonlyMap<string, PlaceNode>,
): Place | Refusal => {
  const missing = placeMembers.filter((member) => {
    const id = wanted[member] ?? null;
    return id !== null && nodes.get(id)?.kind !== kinds[member];
  });
  if (missing.length > 0) return unknownReference(missing);

  const { buildingId } = wanted;
  const place = finest(buildingId, wanted, nodes);
  const wrong = placeMembers.filter((member) => {
    const id = wanted[member] ?? null;
    return id !== null && id !== place[member];
  });
  if (wrong.length === 0) return place;
  return refuse('LOCATION_CONTRADICTION', `${wrong.join(' and ')} and the finer location differ.`, {
    errors: wrong.map((path) => ({
      path,
      message: place[path] === null ? 'the finer location is in none' : `is in ${place[path]}`,
    })),
  });
};

export const unknownReference = (members: readonly (keyof Place)[]): Refusal =>
  refuse('REFERENCE_NOT_FOUND', `No such ${members.map(nounOf).join(', ')} for you here.`, {
    errors: members.map((path) => ({ path, message: `is not the id of a ${nounOf(path)}` })),
  });

/** Where something is once the building was imported anew; what is gone is `null`. */
export const placeAfter = (
  place: Place,
  /** By the id it had: the id it has, and what it stands in. */
  successors: ReadonlyMap<string, PlaceNode & { readonly id: string }>,
): Place => {
  const wanted: Record<string, string> = {};
  const nodes = new Map<string, PlaceNode>();
  const member = placeMembers.findLast((each) => {
    const found = place[each] === null ? undefined : successors.get(place[each]);
    if (found?.kind !== kinds[each]) return false;
    wanted[each] = found.id;
    nodes.set(found.id, found);
    return true;
  });
  return member === undefined ? nowhere(place.buildingId) : finest(place.buildingId, wanted, nodes);
};

const finest = (
  buildingId: string,
  wanted: Pick<WantedPlace, 'storeyId' | 'spaceId' | 'elementId'>,
  nodes: ReadonlyMap<string, PlaceNode>,
): Place => {
  const member = placeMembers.findLast((each) => (wanted[each] ?? null) !== null);
  const node = member && nodes.get(wanted[member]!);
  if (!node) return nowhere(buildingId);
  const { storeyId, spaceId } = node;
  return { ...nowhere(buildingId), storeyId, spaceId, [member]: wanted[member]! };
};

const nowhere = (buildingId: string): Place => ({
  buildingId,
  storeyId: null,
  spaceId: null,
  elementId: null,
});

const nounOf = (member: keyof Place): string => member.slice(0, -'Id'.length);
