/**
 * Moves nodes of other models when an import recreates or removes their storey or room: to its
 * successor, else to the storey. They are never removed. contract.md section 6 «model».
 */
import type { GraphNode } from './nodes.ts';

export interface ForeignNodesAfter {
  /** The nodes whose place changes, at their new place. */
  readonly moved: readonly GraphNode[];
  /** Dropped storeys that stay, because nodes of other models have no other place. */
  readonly keptStoreys: ReadonlySet<GraphNode>;
}

/**
 * @param dropped Nodes of the imported model that its document lacks, or that are recreated.
 * @param successors Dropped node → the node that takes its place.
 */
export const foreignNodesAfter = (
  foreign: readonly GraphNode[],
  dropped: readonly GraphNode[],
  successors: ReadonlyMap<string, GraphNode>,
): ForeignNodesAfter => {
  const droppedById = new Map(dropped.map((node) => [node.id, node]));
  const keptStoreys = new Set<GraphNode>();

  /** The place of a node that was in `id`; a dropped place without a successor is a storey. */
  const placeAfter = (id: string, kind: 'storey' | 'space'): GraphNode['parent'] => {
    const place = droppedById.get(id);
    if (!place) return { kind, id };
    const successor = successors.get(id);
    if (successor) return { kind: successor.kind, id: successor.id };
    if (place.kind === 'space') return placeAfter(place.parent!.id, 'storey');
    keptStoreys.add(place);
    return { kind: 'storey', id };
  };

  const moved = foreign.flatMap((node) => {
    const { parent } = node;
    if (parent?.kind !== 'storey' && parent?.kind !== 'space') return [];
    const place = placeAfter(parent.id, parent.kind);
    if (place!.id === parent.id) return [];
    const leavesRoom = node.kind === 'element' && place!.kind === 'storey';
    const details = leavesRoom ? { ...node.details, isPlacedByGeometry: false } : node.details;
    return { ...node, parent: place, details };
  });
  return { moved, keptStoreys };
};
