/** What an import keeps although the document says otherwise. */
import { tripleOf, type DraftNode, type GraphNode } from './nodes.ts';

/** One line with the number of the examples and the first of them; none without any. */
export const warningOf = (what: string, examples: readonly string[]): readonly string[] =>
  examples.length === 0 ? [] : [`${what}: ${examples.length}, first ${examples[0]}`];

const codesOf = (nodes: Iterable<Pick<DraftNode, 'code'>>): readonly string[] =>
  Array.from(nodes, ({ code }) => JSON.stringify(code));

/** @param kept Storeys that the document lacks. */
export const keptStoreyWarnings = (kept: ReadonlySet<GraphNode>): readonly string[] =>
  warningOf('storeys kept because nodes of other models are on them', codesOf(kept));

/**
 * A code is unique in its building. Documents that give one to nodes of different kinds are
 * imported, because integrations have such documents.
 *
 * @param nodes Those of the document.
 * @param others The other nodes of the building.
 */
export const sharedCodeWarnings = (
  nodes: readonly GraphNode[],
  others: readonly GraphNode[],
): readonly string[] => {
  const first = new Map<string, GraphNode>();
  const shared = new Map<string, GraphNode>();
  for (const node of [...others, ...nodes]) {
    if (node.kind === 'building') continue;
    const holder = first.get(node.code) ?? node;
    first.set(node.code, holder);
    if (holder.kind !== node.kind) shared.set(node.code, node);
  }
  const own = new Set(nodes.map(({ code }) => code));
  const stated = [...shared.values()].filter(({ code }) => own.has(code));
  return warningOf('codes of nodes of more than one kind', codesOf(stated));
};

/**
 * Storeys are listed with both identifiers in `ImportPlan.storeys`.
 *
 * @param after The nodes that the drafts become.
 * @param shared Those of other models, by the index of their draft.
 */
export const ignoredIdentifierWarnings = (
  drafts: readonly DraftNode[],
  after: readonly GraphNode[],
  shared: ReadonlyMap<number, GraphNode>,
): readonly string[] => {
  const ignored = drafts.filter((draft, index) => {
    const triple = tripleOf(draft);
    const isRoom = draft.kind === 'space' && shared.has(index);
    return isRoom && triple !== null && triple !== tripleOf(after[index]!);
  });
  return warningOf(
    'external identifiers ignored because the rooms of other models have others',
    codesOf(ignored),
  );
};

/** The samples of a point cannot be read as values of another type. */
export const keptTypeWarnings = (
  drafts: readonly DraftNode[],
  after: readonly GraphNode[],
): readonly string[] => {
  const kept = drafts.filter(
    ({ kind, details }, index) =>
      kind === 'point' && details['valueType'] !== after[index]!.details['valueType'],
  );
  return warningOf('value types kept because the points have samples', codesOf(kept));
};
