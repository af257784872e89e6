/**
 * Codes that an import generates from labels. contract.md section 6: a node keeps its code as long
 * as its triple lives, whatever the order of the file, and a generated code is unique in the
 * building.
 */
import {
  codeKeyOf,
  kindAndTripleOf,
  type DraftNode,
  type GraphNode,
  type ModelName,
  type NodeKind,
} from './nodes.ts';
import { warningOf } from './warnings.ts';

/**
 * `stated`: the document gives each node its code, and a code in use is a conflict. `suggested`: it
 * gives labels that may occur twice, such as the names in a building model.
 */
export type ImportedCodes = 'stated' | 'suggested';

/**
 * The drafts with their final codes. New nodes of one label are numbered in the order of their
 * external identifiers: `WC`, `WC (2)`.
 *
 * @param remaining Nodes of the building that the import cannot remove.
 * @param shared Index of a draft → the node of another model that it is.
 */
export const withGeneratedCodes = (
  drafts: readonly DraftNode[],
  existing: readonly GraphNode[],
  remaining: readonly GraphNode[],
  { shared, model }: { readonly shared: ReadonlyMap<number, GraphNode>; readonly model: ModelName },
): readonly DraftNode[] => {
  const byTriple = new Map(existing.map((node) => [kindAndTripleOf(node), node.code]));
  byTriple.delete(null);
  const kept = drafts.map(
    (draft, index) => shared.get(index)?.code ?? byTriple.get(kindAndTripleOf(draft)),
  );
  const used = new Map<string, Pick<GraphNode, 'sourceSystem'> | null>(
    // A node of another model never matches a draft by its label.
    remaining.map((node) => [codeKeyOf(node), node.model === model ? node : null]),
  );
  /** Of nodes of any kind but the building. */
  const usedByAny = new Set(
    remaining.filter(({ kind }) => kind !== 'building').map(({ code }) => code),
  );
  const use = (kind: NodeKind, code: string) => {
    used.set(codeKeyOf({ kind, code }), null);
    if (kind !== 'building') usedByAny.add(code);
  };
  for (const [index, code] of kept.entries())
    if (code !== undefined) use(drafts[index]!.kind, code);

  const codes = new Map<DraftNode, string>();
  const last = new Map<string, number>();
  for (const draft of drafts.filter((_, index) => kept[index] === undefined).toSorted(byId)) {
    const label = codeKeyOf(draft);
    let number = last.get(label) ?? 0;
    let code: string;
    do {
      number += 1;
      code = number === 1 ? draft.code : `${draft.code} (${number})`;
    } while (!isFree(draft, code, number, { used, usedByAny }));
    last.set(label, number);
    use(draft.kind, code);
    codes.set(draft, code);
  }
  return drafts.map((draft, index) => ({
    ...draft,
    code: kept[index] ?? codes.get(draft) ?? draft.code,
  }));
};

/**
 * Whether the draft may have the code. A holder of another system, or of none, does not block a
 * plain label, because the import matches the two; it blocks a label with a generated number.
 */
const isFree = (
  { kind, sourceSystem, externalId }: DraftNode,
  code: string,
  number: number,
  {
    used,
    usedByAny,
  }: {
    readonly used: ReadonlyMap<string, Pick<GraphNode, 'sourceSystem'> | null>;
    readonly usedByAny: ReadonlySet<string>;
  },
): boolean => {
  // The id selects the building, so its own code never belongs to another node.
  if (kind === 'building') return true;
  const holder = used.get(codeKeyOf({ kind, code }));
  if (holder === undefined) return !usedByAny.has(code);
  const isAnother = externalId !== null && holder?.sourceSystem === sourceSystem;
  return number === 1 && holder !== null && !isAnother;
};

/** Places first, so that they have the plain label. */
const byId = (a: DraftNode, b: DraftNode): number => {
  if (a.kind !== b.kind) return KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind);
  const [left, right] = [a.externalId ?? '', b.externalId ?? ''];
  return left < right ? -1 : Number(left > right);
};

const KINDS: readonly NodeKind[] = ['building', 'storey', 'space', 'element', 'point'];

/** Warns an operator that a model was renumbered and the building was not. */
export const keptCodeWarnings = (
  labelled: readonly DraftNode[],
  coded: readonly DraftNode[],
  shared: ReadonlyMap<number, GraphNode>,
): readonly string[] => {
  const kept = labelled.flatMap(({ code: label }, index) => {
    const { code } = coded[index]!;
    const isAsLabelled = code === label || code.startsWith(`${label} (`);
    const isKept = !isAsLabelled && !shared.has(index);
    return isKept ? [`${JSON.stringify(code)} for ${JSON.stringify(label)}`] : [];
  });
  return warningOf('codes kept although the file has other labels', kept);
};
