/** Bounds the work of polygon union, which grows with the number of edge crossings. */
import type { Paths64 } from 'clipper2-ts';
import { UnreadableShape } from './shape-source.ts';

interface Edge {
  readonly left: number;
  readonly right: number;
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
}

/** @throws {@link UnreadableShape} for too many crossings, or too many edges to compare. */
export const boundCrossings = (paths: Paths64): void => {
  const edges = paths.flatMap(edgesOf).toSorted((a, b) => a.left - b.left);
  let [crossings, comparisons] = [0, 0];
  for (const [at, edge] of edges.entries()) {
    for (let next = at + 1; next < edges.length && edges[next]!.left < edge.right; next += 1) {
      comparisons += 1;
      if (cross(edge, edges[next]!)) crossings += 1;
    }
    if (crossings > CROSSINGS_MAX) throw new UnreadableShape('edges cross too often');
    if (comparisons > COMPARISONS_MAX) throw new UnreadableShape('too many edges');
  }
};

/** A storey of 1,000 rooms has some hundred crossings; a star of 500 corners has 60,000. */
const CROSSINGS_MAX = 20_000;
/** About a second of work. */
const COMPARISONS_MAX = 100_000_000;

const edgesOf = (path: Paths64[number]): readonly Edge[] =>
  path.map(({ x: ax, y: ay }, at) => {
    const { x: bx, y: by } = path[(at + 1) % path.length]!;
    return { left: Math.min(ax, bx), right: Math.max(ax, bx), ax, ay, bx, by };
  });

/** Counts only proper crossings: touching and overlapping edges are cheap. */
const cross = (one: Edge, other: Edge): boolean =>
  side(one, other.ax, other.ay) * side(one, other.bx, other.by) < 0 &&
  side(other, one.ax, one.ay) * side(other, one.bx, one.by) < 0;

const side = ({ ax, ay, bx, by }: Edge, x: number, y: number): number =>
  Math.sign((bx - ax) * (y - ay) - (by - ay) * (x - ax));
