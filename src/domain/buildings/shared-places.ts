/**
 * Storeys and rooms that several models of a building share. The model that made one owns it; the
 * import of another model puts its own nodes there and changes nothing about it. contract.md
 * section 6 «model».
 */
import { refuse, type Refusal } from '../../engine/aggregates/decider.ts';
import type { ImportedCodes } from './codes.ts';
import { STOREY_MATCH_METRES, STOREYS_COMPARED_MAX } from './limits.ts';
import {
  codeKeyOf,
  kindAndTripleOf,
  tripleOf,
  type DraftNode,
  type GraphNode,
  type ModelName,
} from './nodes.ts';

/** How a storey of the document was found in the building. */
export type StoreyMatch = 'externalId' | 'code' | 'elevation' | 'given' | 'new';

/** A storey of the document by its externalId or code → a storey of the building, or `new`. */
export type GivenStoreys = ReadonlyMap<string, string>;

export interface SharedPlaces {
  /** Index of a draft → the node of another model that it is. */
  readonly nodes: ReadonlyMap<number, GraphNode>;
  /** How each shared storey was matched. */
  readonly matchedBy: ReadonlyMap<number, StoreyMatch>;
}

export interface PlacesInput {
  readonly drafts: readonly DraftNode[];
  readonly existing: readonly GraphNode[];
  readonly model: ModelName;
  readonly codes: ImportedCodes;
  readonly replace: boolean;
  readonly storeys: GivenStoreys;
}

/**
 * Matches places of the document with places of other models: a storey as the caller gives it; a
 * storey or room by its triple; a storey by its name, at most {@link STOREY_MATCH_METRES} apart;
 * and in a document that states codes, a storey or room by its code. Nodes of the imported model
 * are matched first.
 *
 * Refuses `VALIDATION_FAILED` for a given storey that is not in the document, and
 * `REFERENCE_NOT_FOUND` for one that is no storey of another model of the building.
 */
export const sharedPlaces = (given: PlacesInput): SharedPlaces | Refusal => {
  const { drafts, existing, model, codes, replace, storeys } = given;
  const nodes = new Map<number, GraphNode>();
  const matchedBy = new Map<number, StoreyMatch>();
  const building = existing.find(({ kind }) => kind === 'building');
  // Only the building's own model describes the building itself.
  if (building && model !== null) nodes.set(0, building);

  const foreign = existing.filter((node) => isPlace(node) && node.model !== model);
  const own = existing.filter((node) => isPlace(node) && node.model === model);
  const wrong = unknownStorey(drafts, foreign, storeys);
  if (wrong || foreign.length === 0) return wrong ?? { nodes, matchedBy };

  const ownTriples = new Set(own.map(kindAndTripleOf));
  ownTriples.delete(null);
  const ownCodes = new Map(own.map((node) => [codeKeyOf(node), node]));
  const triples = new Map(foreign.map((node) => [kindAndTripleOf(node), node]));
  triples.delete(null);
  const codesOf = new Map(foreign.map((node) => [codeKeyOf(node), node]));
  const share = (index: number, node: GraphNode, by: StoreyMatch) => {
    nodes.set(index, node);
    if (node.kind === 'storey') matchedBy.set(index, by);
  };

  const open = [...drafts.entries()].filter(([index, draft]) => {
    if (!isPlace(draft)) return false;
    const to = givenFor(draft, storeys);
    if (to === NEW_STOREY) return false;
    const node = to === undefined ? undefined : foreign.find(({ id }) => id === to);
    if (node) share(index, node, 'given');
    return !node && !ownTriples.has(kindAndTripleOf(draft));
  });
  const unidentified = open.filter(([index, draft]) => {
    const node = triples.get(kindAndTripleOf(draft));
    if (node) share(index, node, 'externalId');
    return !node;
  });
  const claimed = new Set([...nodes.values()].map(({ id }) => id));
  const free = storeysByName(
    foreign.filter(({ id, kind }) => kind === 'storey' && !claimed.has(id)),
  );
  for (const [index, draft] of unidentified) {
    const ownNode = ownCodes.get(codeKeyOf(draft));
    const isOwn = ownNode && (replace || codes === 'stated' || tripleOf(draft) === null);
    if (isOwn) continue;
    const level = draft.kind === 'storey' ? nearest(draft, free, claimed) : undefined;
    const named = codes === 'stated' ? codesOf.get(codeKeyOf(draft)) : undefined;
    if (level) {
      share(index, level, 'elevation');
      claimed.add(level.id);
    } else if (named && !claimed.has(named.id)) {
      share(index, named, 'code');
    }
  }
  return { nodes, matchedBy };
};

const NEW_STOREY = 'new';

const isPlace = ({ kind }: Pick<GraphNode, 'kind'>): boolean =>
  kind === 'storey' || kind === 'space';

const givenFor = (draft: DraftNode, storeys: GivenStoreys): string | undefined =>
  draft.kind === 'storey'
    ? (storeys.get(draft.externalId ?? draft.code) ?? storeys.get(draft.code))
    : undefined;

const unknownStorey = (
  drafts: readonly DraftNode[],
  foreign: readonly GraphNode[],
  given: GivenStoreys,
): Refusal | null => {
  const labels = drafts
    .filter(({ kind }) => kind === 'storey')
    .flatMap(({ externalId, code }) => [externalId, code]);
  const storeys = foreign.filter(({ kind }) => kind === 'storey').map(({ id }) => id);
  for (const [from, to] of given) {
    if (!labels.includes(from)) {
      return wrong('VALIDATION_FAILED', `${JSON.stringify(from)} is no storey of the document`);
    }
    if (to !== NEW_STOREY && !storeys.includes(to)) {
      return wrong('REFERENCE_NOT_FOUND', `${to} is no storey of another model of the building`);
    }
  }
  return null;
};

const wrong = (code: 'VALIDATION_FAILED' | 'REFERENCE_NOT_FOUND', message: string): Refusal =>
  refuse(code, `${message}.`, { errors: [{ path: 'storeys', message }] });

/** Compares only the first {@link STOREYS_COMPARED_MAX} storeys. */
const storeysByName = (
  storeys: readonly GraphNode[],
): ReadonlyMap<string, readonly GraphNode[]> => {
  const named = storeys
    .slice(0, STOREYS_COMPARED_MAX)
    .flatMap((storey) => [...namesOf(storey)].map((name) => ({ name, storey })));
  return new Map(
    [...Map.groupBy(named, ({ name }) => name)].map(([name, all]) => [
      name,
      all.map(({ storey }) => storey),
    ]),
  );
};

/** The nearest storey with one of its names, within {@link STOREY_MATCH_METRES}. */
const nearest = (
  draft: DraftNode,
  storeys: ReadonlyMap<string, readonly GraphNode[]>,
  claimed: ReadonlySet<string>,
): GraphNode | undefined => {
  const height = draft.details['elevation'];
  if (typeof height !== 'number') return undefined;
  const distance = ({ details: { elevation } }: GraphNode) =>
    typeof elevation === 'number' ? Math.abs(elevation - height) : Infinity;
  return [...namesOf(draft)]
    .flatMap((name) => storeys.get(name) ?? [])
    .filter((storey) => !claimed.has(storey.id) && distance(storey) <= STOREY_MATCH_METRES)
    .toSorted((a, b) => distance(a) - distance(b) || (a.id < b.id ? -1 : 1))[0];
};

/** `LEVEL  1` and `Level 1` are one name. */
const namesOf = ({ code, name }: Pick<GraphNode, 'code' | 'name'>): ReadonlySet<string> =>
  new Set([code, name].map((label) => label.trim().replaceAll(/\s+/gu, ' ').toLowerCase()));
