/**
 * The effect of an import on a building: which nodes it creates, changes and removes, or why it is
 * refused. contract.md section 6.
 *
 * A node of the document is an existing one if it has the same triple (building, sourceSystem,
 * externalId), else if it has the same code within its kind. Triples are compared first, over the
 * whole document, so that two nodes that swap their labels keep their identity.
 *
 * `replace: false` adds and updates, and removes nothing. `replace: true` recreates every node of
 * the imported model under a new id, except the building itself; external identifiers are kept,
 * even those that the document omits but a node of the same code had. Nodes of other models stay:
 * `foreign-nodes.ts`.
 */
import { BUILDING_NODES_MAX, IMPORT_NODES_MAX } from './limits.ts';
import { ERRORS_NAMED_MAX } from '../../limits.ts';
import { isRefusal, refuse, type Refusal } from '../../engine/aggregates/decider.ts';
import { withArticle } from '../with-article.ts';
import { keptCodeWarnings, withGeneratedCodes, type ImportedCodes } from './codes.ts';
import { foreignNodesAfter } from './foreign-nodes.ts';
import {
  codeKeyOf,
  countsOf,
  kindAndTripleOf,
  tripleOf,
  type Counts,
  type DraftNode,
  type GraphNode,
  type ModelName,
  type NodeKind,
  type Shape,
} from './nodes.ts';
import {
  sharedPlaces,
  type GivenStoreys,
  type SharedPlaces,
  type StoreyMatch,
} from './shared-places.ts';
import {
  ignoredIdentifierWarnings,
  keptStoreyWarnings,
  keptTypeWarnings,
  sharedCodeWarnings,
} from './warnings.ts';

export interface ImportPlan {
  readonly create: readonly GraphNode[];
  /** Their new state. */
  readonly update: readonly GraphNode[];
  /** Their old state. */
  readonly remove: readonly GraphNode[];
  /** Nodes of other models whose storey or room was recreated or removed, at their new place. */
  readonly moved: readonly GraphNode[];
  /** Shapes of the nodes that the document draws. */
  readonly shapes: readonly PlannedShape[];
  /** Where each storey of the document is in the building, in the document's order. */
  readonly storeys: readonly FoundStorey[];
  /** Codes, identifiers and value types kept although the document has others; kept storeys. */
  readonly warnings: readonly string[];
}

export interface PlannedShape extends Shape {
  readonly id: string;
  /** The node is a storey or room of another model, which keeps its shape. */
  readonly isShared: boolean;
}

/** A storey of the document, and the storey of the building that it is after the import. */
export interface FoundStorey {
  readonly from: StoreyLabel;
  /** The id is `null` in a dry run of a new storey. */
  readonly to: StoreyLabel & { readonly id: string | null };
  readonly by: StoreyMatch;
}

export interface StoreyLabel {
  readonly externalId: string | null;
  readonly code: string;
  readonly name: string;
}

export interface PlanInput {
  readonly drafts: readonly DraftNode[];
  /** The building's current nodes, its own included; empty for a new building. */
  readonly existing: readonly GraphNode[];
  readonly replace: boolean;
  /** Default `null`: the building's own, unnamed one. */
  readonly model?: ModelName | undefined;
  /** Matches that the caller gives. Default: none. */
  readonly storeys?: GivenStoreys | undefined;
  /** Default `stated`. */
  readonly codes?: ImportedCodes | undefined;
  /** Ids of points with samples, which keep their `valueType`. Default: none. */
  readonly observed?: ReadonlySet<string> | undefined;
  /** As many unused ids as there are drafts, the building's own first. */
  readonly freshIds: readonly string[];
}

export const planImport = (given: PlanInput): ImportPlan | Refusal => {
  const { existing, replace, model = null, codes = 'stated', storeys = new Map() } = given;
  if (given.drafts.length - 1 > IMPORT_NODES_MAX) {
    const detail = `${given.drafts.length - 1} nodes; at most ${IMPORT_NODES_MAX} at once.`;
    return refuse('PAYLOAD_TOO_LARGE', detail);
  }
  const isOfModel = (node: GraphNode) => node.kind === 'building' || node.model === model;
  const [own, foreign] = [existing.filter(isOfModel), existing.filter((n) => !isOfModel(n))];
  const shared = sharedPlaces({ ...given, model, codes, storeys });
  if (isRefusal(shared)) return shared;
  const { nodes } = shared;
  const drafts =
    codes === 'suggested'
      ? withGeneratedCodes(
          given.drafts,
          [...own, ...nodes.values()],
          replace ? foreign : existing,
          {
            shared: nodes,
            model,
          },
        )
      : given.drafts;
  const input = { ...given, drafts, model };
  const ownDrafts = drafts.filter((_, index) => !nodes.has(index));
  const twice = clashes(
    drafts.flatMap(({ path, ...draft }, index) => {
      const isShared = nodes.has(index);
      // A named model does not describe the building.
      return isShared && draft.kind === 'building' ? [] : [{ at: path, isShared, ...draft }];
    }),
  );
  if (twice) return twice;

  const matched = matches(drafts, { own, foreign, shared: nodes }, replace);
  if (isRefusal(matched)) return matched;
  const nodesOfDrafts = nodesAfter(input, matched, shared);
  const after = nodesOfDrafts.filter((_, index) => !nodes.has(index));

  const before = new Map(existing.map((node) => [node.id, node]));
  const kept = new Set(after.map(({ id }) => id));
  const dropped = own.filter(({ id, kind }) => replace && kind !== 'building' && !kept.has(id));
  const successors = successorsOf(dropped, matched, nodesOfDrafts);
  const { moved, keptStoreys } = foreignNodesAfter(foreign, dropped, successors);
  const remove = dropped.filter((node) => !keptStoreys.has(node));
  const gone = new Set(remove.map(({ id }) => id));
  const untouched = existing.filter(({ id }) => !kept.has(id) && !gone.has(id));
  // Unchanged nodes come first, so that a clash is reported for the document's node.
  const planned = new Map(nodesOfDrafts.map((node) => [node.id, node]));
  const clash = clashes([
    ...untouched.map((node) => ({ ...(planned.get(node.id) ?? node), at: null })),
    ...after.map((node, index) => ({ ...node, at: ownDrafts[index]!.path })),
  ]);
  if (clash) return clash;
  const create = after.filter(({ id }) => !before.has(id));
  const tooMany = refuseGrowth(existing.length, create.length - remove.length);
  if (tooMany) return tooMany;

  return {
    create,
    update: nodesOfDrafts.filter(
      (node) => before.has(node.id) && !same(before.get(node.id)!, node),
    ),
    remove,
    moved,
    shapes: nodesOfDrafts.flatMap(({ id }, index) => {
      const { shape } = drafts[index]!;
      return shape ? [{ id, isShared: nodes.has(index), ...shape }] : [];
    }),
    storeys: foundStoreys(given.drafts, nodesOfDrafts, matched, shared),
    warnings: [
      ...keptCodeWarnings(given.drafts, drafts, nodes),
      ...sharedCodeWarnings(after, untouched),
      ...keptStoreyWarnings(keptStoreys),
      ...ignoredIdentifierWarnings(drafts, nodesOfDrafts, nodes),
      ...keptTypeWarnings(drafts, nodesOfDrafts),
    ],
  };
};

/** A building that is too large already may still shrink. */
export const refuseGrowth = (nodes: number, more: number): Refusal | null => {
  if (more <= 0 || nodes + more <= BUILDING_NODES_MAX) return null;
  return refuse(
    'PAYLOAD_TOO_LARGE',
    `The building would have ${nodes + more} nodes; at most ${BUILDING_NODES_MAX}. ` +
      'An import with replace=true removes what its document no longer has.',
  );
};

/** Removed node → the node of the document that it was matched with. */
const successorsOf = (
  dropped: readonly GraphNode[],
  matched: readonly (GraphNode | undefined)[],
  after: readonly GraphNode[],
): ReadonlyMap<string, GraphNode> => {
  const ids = new Set(dropped.map(({ id }) => id));
  return new Map(
    matched.flatMap((node, index) => (node && ids.has(node.id) ? [[node.id, after[index]!]] : [])),
  );
};

const foundStoreys = (
  labelled: readonly DraftNode[],
  after: readonly GraphNode[],
  matched: readonly (GraphNode | undefined)[],
  { matchedBy }: SharedPlaces,
): readonly FoundStorey[] =>
  labelled.flatMap((draft, index) => {
    if (draft.kind !== 'storey') return [];
    const { id, externalId, code, name } = after[index]!;
    const own = matched[index];
    const triple = tripleOf(draft);
    const byOwn = own && (triple !== null && tripleOf(own) === triple ? 'externalId' : 'code');
    return {
      from: { externalId: draft.externalId, code: draft.code, name: draft.name },
      to: { id, externalId, code, name },
      by: matchedBy.get(index) ?? byOwn ?? 'new',
    };
  });

export const planCounts = ({
  create,
  update,
  remove,
}: Pick<ImportPlan, 'create' | 'update' | 'remove'>): {
  created: Counts;
  updated: Counts;
  removed: Counts;
} => ({
  created: countsOf(create),
  updated: countsOf(update),
  removed: countsOf(remove),
});

/** A removed node and its replacement. */
export interface ReplacedNode {
  readonly id: string;
  readonly kind: NodeKind;
  /** Matched by kind, sourceSystem and externalId; `null` if there is no replacement. */
  readonly successorId: string | null;
}

/** The replacement of each node that the plan removes. */
export const replacedNodes = ({
  create,
  remove,
}: Pick<ImportPlan, 'create' | 'remove'>): readonly ReplacedNode[] => {
  const heirs = new Map(create.map((node) => [kindAndTripleOf(node), node.id]));
  heirs.delete(null);
  return remove.map((node) => ({
    id: node.id,
    kind: node.kind,
    successorId: heirs.get(kindAndTripleOf(node)) ?? null,
  }));
};

interface Existing {
  /** The nodes of the imported model, and the building. */
  readonly own: readonly GraphNode[];
  readonly foreign: readonly GraphNode[];
  readonly shared: SharedPlaces['nodes'];
}

/** The existing node of each draft; `undefined` for a new one, and for one of another model. */
const matches = (
  drafts: readonly DraftNode[],
  { own, foreign, shared }: Existing,
  replace: boolean,
): readonly (GraphNode | undefined)[] | Refusal => {
  const byTriple = new Map(own.map((node) => [tripleOf(node), node]));
  byTriple.delete(null);
  const foreignByTriple = new Map(foreign.map((node) => [tripleOf(node), node]));
  foreignByTriple.delete(null);
  const byCode = new Map(own.map((node) => [codeKeyOf(node), node]));
  const errors: Clash[] = [];

  const found = drafts.map((draft, index) => {
    if (shared.has(index)) return undefined;
    const other = foreignByTriple.get(tripleOf(draft));
    if (other) {
      const model = other.model === null ? 'the unnamed model' : `model ${other.model}`;
      const message = `its externalId is that of ${withArticle(other.kind)} of ${model}`;
      errors.push({ path: draft.path, message });
      return undefined;
    }
    const node = byTriple.get(tripleOf(draft));
    if (!node || node.kind === draft.kind) return node;
    if (!replace) {
      errors.push({
        path: draft.path,
        message: `its externalId is that of ${withArticle(node.kind)}`,
      });
    }
    return undefined;
  });
  const claimed = new Set(found.flatMap((node) => (node ? [node.id] : [])));

  const all = drafts.map((draft, index) => {
    if (found[index] || shared.has(index)) return found[index];
    // The id selects the building, whatever the document calls it.
    const node =
      draft.kind === 'building'
        ? own.find(({ kind }) => kind === 'building')
        : byCode.get(codeKeyOf(draft));
    if (!node || claimed.has(node.id)) return undefined;
    if (!replace && isAnother(draft, node)) {
      const message = `its code is that of another ${node.kind} of ${node.sourceSystem}`;
      errors.push({ path: draft.path, message });
    }
    return node;
  });
  return errors.length > 0 ? conflict(errors) : all;
};

/**
 * Two different external identifiers of one system are two nodes, whatever their labels. Called for
 * nodes whose triples differ.
 */
const isAnother = (draft: DraftNode, node: GraphNode): boolean =>
  draft.externalId !== null && draft.sourceSystem === node.sourceSystem;

/** The document's nodes after the import, in the order of the drafts. */
const nodesAfter = (
  { drafts, existing, replace, freshIds, model = null, observed = new Set() }: PlanInput,
  matched: readonly (GraphNode | undefined)[],
  shared: SharedPlaces,
): readonly GraphNode[] => {
  const stated = new Set(drafts.map(tripleOf));
  const storeyOfSpace = new Map(
    existing.flatMap(({ id, kind, parent }) => (kind === 'space' ? [[id, parent?.id]] : [])),
  );
  const ids: string[] = [];
  return drafts.map((draft, index) => {
    const another = shared.nodes.get(index);
    if (another) {
      ids.push(another.id);
      return sharedAfter(draft, another, shared.matchedBy.get(index));
    }
    const node = matched[index];
    const keepsId = node && (!replace || draft.kind === 'building');
    const id = keepsId ? node.id : freshIds[index]!;
    ids.push(id);
    const { kind, parentIndex, code, name } = draft;
    const above = drafts[parentIndex];
    const parent = above ? { kind: above.kind, id: ids[parentIndex]! } : null;
    const previous = replace ? {} : node?.details;
    const identity = identityAfter(draft, node, replace, stated);
    const triple = tripleOf(identity);
    const keepsSamples =
      node && observed.has(node.id) && (keepsId || (triple !== null && triple === tripleOf(node)));
    const details = {
      ...draft.defaults,
      ...previous,
      ...draft.details,
      ...(keepsSamples && { valueType: node.details['valueType'] }),
    };
    // The document says its storey; the room found by geometry is in that storey.
    const staysInRoom =
      !replace &&
      node?.details['isPlacedByGeometry'] === true &&
      parent?.kind === 'storey' &&
      storeyOfSpace.get(node.parent!.id) === parent.id;
    return {
      id,
      kind,
      parent: staysInRoom ? node.parent : parent,
      code,
      name,
      ...identity,
      model: kind === 'building' ? null : model,
      details:
        kind === 'element' ? { ...details, isPlacedByGeometry: staysInRoom === true } : details,
    };
  });
};

/** A shared node stays as it is; one found by its code gets the identifier that it lacks. */
const sharedAfter = (draft: DraftNode, node: GraphNode, by: StoreyMatch | undefined): GraphNode =>
  node.kind !== 'building' && (by ?? 'code') === 'code' && tripleOf(node) === null
    ? { ...node, ...identityOf(draft) }
    : node;

/**
 * A node keeps its external identifier unless `replace` brings another. An identifier that the
 * document gives to another node moves to that node.
 */
const identityAfter = (
  draft: DraftNode,
  node: GraphNode | undefined,
  replace: boolean,
  stated: ReadonlySet<string | null>,
): Pick<GraphNode, 'sourceSystem' | 'externalId'> => {
  const next = tripleOf(draft);
  const current = node ? tripleOf(node) : null;
  if (!node || current === null || (replace && next !== null)) return identityOf(draft);
  return next === current || !stated.has(current) ? identityOf(node) : identityOf(draft);
};

const identityOf = ({
  sourceSystem,
  externalId,
}: Pick<GraphNode, 'sourceSystem' | 'externalId'>) => ({ sourceSystem, externalId });

interface Clash {
  readonly path: string;
  readonly message: string;
}

type Placed = Pick<GraphNode, 'kind' | 'code' | 'sourceSystem' | 'externalId'> & {
  /** Its path in the document; `null` for a node that exists already. */
  readonly at: string | null;
  /** It is a place of another model, which keeps its own code. Default false. */
  readonly isShared?: boolean;
};

/** A code that occurs twice within a kind, or a triple that occurs twice. */
const clashes = (nodes: readonly Placed[]): Refusal | null => {
  const codes = new Map<string, string | null>();
  const triples = new Map<string, string | null>();
  const errors: Clash[] = [];
  for (const { at, isShared = false, ...node } of nodes) {
    const code = isShared ? null : codeKeyOf(node);
    const triple = tripleOf(node);
    if (code !== null && codes.has(code)) errors.push(clash(at, 'code', codes.get(code)!));
    if (triple !== null && triples.has(triple)) {
      errors.push(clash(at, 'externalId', triples.get(triple)!));
    }
    if (code !== null && !codes.has(code)) codes.set(code, at);
    if (triple !== null && !triples.has(triple)) triples.set(triple, at);
  }
  return errors.length > 0 ? conflict(errors) : null;
};

const clash = (at: string | null, member: string, by: string | null): Clash => ({
  path: `${at ?? 'building'}.${member}`,
  message: `is used by ${by ?? 'a node of the building'}`,
});

const conflict = (all: readonly Clash[]): Refusal => {
  const errors = all.slice(0, ERRORS_NAMED_MAX);
  const { path, message } = errors[0]!;
  const more = all.length > 1 ? ` (and ${all.length - 1} more)` : '';
  return refuse('CONFLICT', `${path}: ${message}${more}. Nothing was imported.`, { errors });
};

const same = (before: GraphNode, after: GraphNode): boolean =>
  before.parent?.id === after.parent?.id &&
  before.code === after.code &&
  before.name === after.name &&
  before.sourceSystem === after.sourceSystem &&
  before.externalId === after.externalId &&
  Object.entries(after.details).every(([member, value]) => before.details[member] === value);
