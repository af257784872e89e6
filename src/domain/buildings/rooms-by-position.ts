/**
 * Finds the room of a storey that contains a position: a packed R-tree of the rooms' bounds, and an
 * exact test of few of them. contract.md section 6 «model».
 */
import { ROOMS_AT_POSITION_MAX, ROOM_EDGE_METRES } from './limits.ts';
import {
  boundsOf,
  isInside,
  outlineArea,
  type Bounds,
  type Outline,
  type Position,
} from './outline.ts';

export interface DrawnRoom {
  readonly id: string;
  readonly outline: Outline;
}

interface Leaf extends Bounds {
  readonly room: DrawnRoom & { readonly area: number };
}

interface Branch extends Bounds {
  readonly children: readonly (Branch | Leaf)[];
}

/**
 * A position within an outline is in that room; within several, in the smallest. A position outside
 * of all, but at most {@link ROOM_EDGE_METRES} from an outline, such as that of a switch on a wall,
 * is in the nearest room.
 *
 * @returns A function from a position to the room's id; `null` if it is in none, or if more than
 *   {@link ROOMS_AT_POSITION_MAX} rooms would have to be tested.
 */
export const roomsByPosition = (
  rooms: readonly DrawnRoom[],
): ((position: Position) => string | null) => {
  const root = packed(rooms.map(leafOf));
  return (position) => {
    const near = root ? leavesNear(root, position) : null;
    const rooms = near?.map(({ room }) => room).toSorted(bySize) ?? [];
    const around = rooms.find(({ outline }) => isWithin(outline, position));
    if (around) return around.id;
    const beside = rooms
      .map(({ id, outline }) => ({ id, distance: distanceTo(outline, position) }))
      .filter(({ distance }) => distance <= ROOM_EDGE_METRES);
    return beside.toSorted((a, b) => a.distance - b.distance)[0]?.id ?? null;
  };
};

/** Breaks ties by id, so that the result is deterministic. */
const bySize = (a: Leaf['room'], b: Leaf['room']): number =>
  a.area - b.area || (a.id < b.id ? -1 : 1);

const leafOf = (room: DrawnRoom): Leaf => ({
  ...boundsOf([room.outline])!,
  room: { ...room, area: outlineArea(room.outline) },
});

const CHILDREN = 16;

/** Sorted into strips by x, and within a strip by y. */
const packed = (leaves: readonly (Leaf | Branch)[]): Branch | null => {
  if (leaves.length === 0) return null;
  if (leaves.length <= CHILDREN) return branchOf(leaves);
  const strips = Math.ceil(Math.sqrt(leaves.length / CHILDREN));
  const perStrip = Math.ceil(leaves.length / strips);
  const byX = leaves.toSorted((a, b) => a.min[0] + a.max[0] - b.min[0] - b.max[0]);
  const branches: Branch[] = [];
  for (let from = 0; from < byX.length; from += perStrip) {
    const strip = byX.slice(from, from + perStrip);
    const byY = strip.toSorted((a, b) => a.min[1] + a.max[1] - b.min[1] - b.max[1]);
    for (let at = 0; at < byY.length; at += CHILDREN) {
      branches.push(branchOf(byY.slice(at, at + CHILDREN)));
    }
  }
  return packed(branches);
};

const branchOf = (children: readonly (Leaf | Branch)[]): Branch => {
  const over = (pick: (box: Bounds) => number, of: (...values: number[]) => number) =>
    of(...children.map(pick));
  return {
    children,
    min: [over(({ min }) => min[0], Math.min), over(({ min }) => min[1], Math.min)],
    max: [over(({ max }) => max[0], Math.max), over(({ max }) => max[1], Math.max)],
  };
};

/** `null` if more boxes would have to be visited than the bounds allow. */
const leavesNear = (root: Branch, [x, y]: Position): readonly Leaf[] | null => {
  const isNear = ({ min, max }: Bounds) =>
    x >= min[0] - ROOM_EDGE_METRES &&
    x <= max[0] + ROOM_EDGE_METRES &&
    y >= min[1] - ROOM_EDGE_METRES &&
    y <= max[1] + ROOM_EDGE_METRES;
  const leaves: Leaf[] = [];
  const open: (Branch | Leaf)[] = [root];
  for (let visited = 0; open.length > 0; visited += 1) {
    if (visited > VISITS_MAX || leaves.length > ROOMS_AT_POSITION_MAX) return null;
    const box = open.pop()!;
    if ('room' in box) leaves.push(box);
    else open.push(...box.children.filter(isNear));
  }
  return leaves;
};

/** Boxes of the tree that are visited for one position. */
const VISITS_MAX = 8 * ROOMS_AT_POSITION_MAX;

const isWithin = ([outer, ...holes]: Outline, at: Position): boolean =>
  isInside(at, outer!) && !holes.some((hole) => isInside(at, hole));

/** Metres. */
const distanceTo = (outline: Outline, at: Position): number =>
  Math.min(...outline.map((ring) => distanceToRing(ring, at)));

const distanceToRing = (ring: readonly Position[], [x, y]: Position): number =>
  Math.min(
    ...ring.map(([ax, ay], at) => {
      const [bx, by] = ring[(at + 1) % ring.length]!;
      const [dx, dy] = [bx - ax, by - ay];
      const along = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy);
      const t = Math.max(0, Math.min(1, along));
      return Math.hypot(x - ax - t * dx, y - ay - t * dy);
    }),
  );
