/** The nodes of a building as a flat list, to be compared, stored and counted. */
import type { ElementDocument, ImportDocument, SpaceDocument } from './document.ts';
import type { Drawing, Outline } from './outline.ts';

export type NodeKind = 'building' | 'storey' | 'space' | 'element' | 'point';

export interface GraphNode {
  readonly id: string;
  readonly kind: NodeKind;
  /** `null` for the building itself. The parent of an element is a space or a storey. */
  readonly parent: Parent | null;
  readonly code: string;
  readonly name: string;
  /** Both or neither. */
  readonly sourceSystem: string | null;
  readonly externalId: string | null;
  /** The model whose import made it. The building itself belongs to none. */
  readonly model: ModelName;
  readonly details: Details;
}

/** One discipline's part of a building; `null` is the building's own, unnamed model. */
export type ModelName = string | null;

interface Parent {
  readonly kind: NodeKind;
  readonly id: string;
}

/** Members that only some kinds have, by their column's name in camelCase. */
type Details = Readonly<Record<string, string | number | boolean | null>>;

/** A node as the document gives it: without id, its parent by its index in the list. */
export interface DraftNode extends Omit<GraphNode, 'id' | 'parent' | 'model'> {
  /** Index of the parent in the list; -1 for the building. Parents precede their children. */
  readonly parentIndex: number;
  /** `building.storeys[0].spaces[2]`. */
  readonly path: string;
  /** Values of a new node for members that the document omits. */
  readonly defaults: Details;
  /** The shape of a space or storey that the document draws. */
  readonly shape?: Shape | undefined;
}

/** How a plan shows a space or a storey, as the document has it. */
export interface Shape {
  readonly outline?: Outline | undefined;
  readonly drawing?: Drawing | undefined;
}

/** Every node of the document: parents before children, otherwise in the order of the document. */
export const draftsOf = ({ building }: ImportDocument): readonly DraftNode[] => {
  const drafts: DraftNode[] = [];
  const put = (draft: DraftNode): number => drafts.push(draft) - 1;

  const element = (given: ElementDocument, parent: number, path: string) => {
    const { points = [], elementTypeSlug, x, y } = given;
    const details = stated({ elementTypeSlug, x, y });
    const at = put(draft('element', given, parent, path, details, silentElement));
    points.forEach((point, index) => {
      const { pointClass, valueType, unit } = point;
      const details = stated({ pointClass, valueType, unit });
      put(draft('point', point, at, `${path}.points[${index}]`, details, { unit: null }));
    });
  };

  const space = (given: SpaceDocument, parent: number, path: string) => {
    const { elements = [], spaceTypeSlug, areaSqm, isLeasable, outline } = given;
    const details = stated({ spaceTypeSlug, areaSqm, isLeasable });
    const node = draft('space', given, parent, path, details, silentSpace);
    const at = put({ ...node, shape: outline && { outline } });
    elements.forEach((each, index) => element(each, at, `${path}.elements[${index}]`));
  };

  const root = put(draft('building', building, -1, 'building', {}));
  (building.storeys ?? []).forEach((given, index) => {
    const { spaces = [], elements = [], level, elevation, height, outline, drawing } = given;
    const path = `building.storeys[${index}]`;
    const details = stated({ level, elevation, height });
    const node = draft('storey', given, root, path, details, silentStorey);
    const at = put({ ...node, shape: (outline ?? drawing) && { outline, drawing } });
    spaces.forEach((each, n) => space(each, at, `${path}.spaces[${n}]`));
    elements.forEach((each, n) => element(each, at, `${path}.elements[${n}]`));
  });
  return drafts;
};

const silentStorey = { elevation: null, height: null };
const silentElement = { x: null, y: null, isPlacedByGeometry: false };
const silentSpace = { areaSqm: null, isLeasable: false };

const draft = (
  kind: NodeKind,
  given: {
    code: string;
    name: string;
    externalId?: string | null | undefined;
    sourceSystem?: string | null | undefined;
  },
  parentIndex: number,
  path: string,
  details: Details,
  defaults: Details = {},
): DraftNode => ({
  kind,
  parentIndex,
  path,
  code: given.code,
  name: given.name,
  sourceSystem: given.sourceSystem ?? null,
  externalId: given.externalId ?? null,
  details,
  defaults,
});

/** Without missing and null members: a document does not erase what it omits. */
const stated = (
  given: Readonly<Record<string, string | number | boolean | null | undefined>>,
): Details =>
  Object.fromEntries(
    Object.entries(given).flatMap(([member, value]) =>
      value === undefined || value === null ? [] : [[member, value]],
    ),
  );

/** One text for a triple within a building, or `null`. JSON keeps the two parts apart. */
export const tripleOf = (node: Pick<GraphNode, 'sourceSystem' | 'externalId'>): string | null =>
  node.sourceSystem === null || node.externalId === null
    ? null
    : JSON.stringify([node.sourceSystem, node.externalId]);

/** Identifies the same node before and after an import. `null` for a node without a triple. */
export const kindAndTripleOf = (
  node: Pick<GraphNode, 'kind' | 'sourceSystem' | 'externalId'>,
): string | null => {
  const triple = tripleOf(node);
  return triple && `${node.kind} ${triple}`;
};

/** Codes are unique among the nodes of a kind in a building. */
export const codeKeyOf = ({ kind, code }: Pick<GraphNode, 'kind' | 'code'>): string =>
  `${kind} ${code}`;

/** How many nodes of each kind. The building itself is not counted. */
export interface Counts {
  readonly storeys: number;
  readonly spaces: number;
  readonly elements: number;
  readonly points: number;
}

export const countsOf = (nodes: readonly { readonly kind: NodeKind }[]): Counts => {
  const of = (kind: NodeKind) => nodes.filter((node) => node.kind === kind).length;
  return {
    storeys: of('storey'),
    spaces: of('space'),
    elements: of('element'),
    points: of('point'),
  };
};
