/**
 * Outlines of rooms and storeys as rings in metres, in the storey's own coordinates. contract.md
 * section 6 «Outlines».
 */
import {
  COORDINATE_METRES_MAX,
  DRAWING_POINTS_MAX,
  OUTLINE_HOLES_MAX,
  OUTLINE_POINTS_MAX,
} from './limits.ts';

/** Metres. */
export type Position = readonly [x: number, y: number];
/** Closed implicitly: the last position is not the first again. */
export type Ring = readonly Position[];
/** The outer ring, then holes. */
export type Outline = readonly Ring[];

/** The polygons of a storey's plan other than its rooms, drawn unchanged. */
export interface Drawing {
  readonly walls: readonly Outline[];
  readonly doors: readonly Outline[];
  readonly windows: readonly Outline[];
}

/**
 * The outline as it is stored: in whole millimetres, counter-clockwise, without repeated positions.
 *
 * @returns An error text for rings that are no outline: too many positions, not finite, beyond
 *   {@link COORDINATE_METRES_MAX}, crossing or touching themselves or each other, a hole outside
 *   the outer ring.
 */
export const outlineOf = (rings: unknown): Outline | string => {
  const fault = shapeFault(rings, OUTLINE_POINTS_MAX);
  if (fault !== null) return fault;
  const outline = normalised(rings as Outline);
  return geometryFault(outline) ?? outline;
};

/**
 * The drawing as it is stored. Its polygons may cross themselves: nothing is computed from them.
 *
 * @returns An error text for anything but lists of rings, for more than {@link DRAWING_POINTS_MAX}
 *   positions in all, and for positions that are not finite.
 */
export const drawingOf = (given: unknown): Drawing | string => {
  if (typeof given !== 'object' || given === null) return 'must be an object';
  const unknown = Object.keys(given).find((member) => !DRAWN.includes(member as keyof Drawing));
  if (unknown !== undefined) return 'may only have walls, doors and windows';
  const { walls = [], doors = [], windows = [] } = given as Partial<Record<string, unknown>>;
  let left = DRAWING_POINTS_MAX;
  for (const list of [walls, doors, windows]) {
    if (!Array.isArray(list)) return 'must be lists of outlines';
    for (const one of list as readonly unknown[]) {
      const fault = shapeFault(one, left);
      if (fault !== null) return fault;
      left -= pointsOf(one as Outline);
    }
  }
  const drawn = { walls, doors, windows } as Drawing;
  return {
    walls: drawn.walls.map(normalised),
    doors: drawn.doors.map(normalised),
    windows: drawn.windows.map(normalised),
  };
};

const DRAWN: readonly (keyof Drawing)[] = ['walls', 'doors', 'windows'];

/** Square metres, without the holes. */
export const outlineArea = ([outer = [], ...holes]: Outline): number =>
  Math.abs(signedArea(outer)) - holes.reduce((sum, hole) => sum + Math.abs(signedArea(hole)), 0);

/** The smallest rectangle around all of them, parallel to the axes. */
export interface Bounds {
  readonly min: Position;
  readonly max: Position;
}

/** `null` without positions. */
export const boundsOf = (outlines: readonly Outline[]): Bounds | null => {
  const [xs, ys] = [new Extent(), new Extent()];
  for (const outline of outlines)
    for (const ring of outline)
      for (const [x, y] of ring) {
        xs.add(x);
        ys.add(y);
      }
  return xs.max < xs.min ? null : { min: [xs.min, ys.min], max: [xs.max, ys.max] };
};

class Extent {
  min = Infinity;
  max = -Infinity;
  add(value: number) {
    this.min = Math.min(this.min, value);
    this.max = Math.max(this.max, value);
  }
}

const pointsOf = (outline: Outline): number => outline.reduce((sum, { length }) => sum + length, 0);

/** Sizes before contents, so that a huge list is refused without being read. */
const shapeFault = (rings: unknown, pointsMax: number): string | null => {
  if (!Array.isArray(rings) || rings.length === 0) return 'must be a list of rings';
  if (rings.length > 1 + OUTLINE_HOLES_MAX) return `must have at most ${OUTLINE_HOLES_MAX} holes`;
  let points = 0;
  for (const ring of rings as readonly unknown[]) {
    if (!Array.isArray(ring)) return 'must be a list of rings';
    points += ring.length;
    if (points > pointsMax) return `must have at most ${pointsMax} positions`;
    if (!ring.every(isPosition)) return `must have positions of two numbers within ±100 km`;
  }
  return null;
};

const isPosition = (given: unknown): given is Position =>
  Array.isArray(given) &&
  given.length === 2 &&
  given.every((value) => Number.isFinite(value) && Math.abs(value) <= COORDINATE_METRES_MAX);

const normalised = (outline: Outline): Outline =>
  outline.map((ring) => {
    const positions = ring.map(([x, y]) => [wholeMillimetres(x), wholeMillimetres(y)] as const);
    const kept = positions.filter((position, at) => !same(position, positions.at(at - 1)!));
    return signedArea(kept) < 0 ? kept.toReversed() : kept;
  });

/** Metres in whole millimetres; no negative zero, which JSON does not have. */
export const wholeMillimetres = (metres: number): number => Math.round(metres * 1000) / 1000 + 0;

const same = ([ax, ay]: Position, [bx, by]: Position): boolean => ax === bx && ay === by;

/**
 * Positive for a counter-clockwise ring. Computed relative to its first position, because large
 * coordinates lose precision.
 */
const signedArea = (ring: Ring): number => {
  const [ox, oy] = ring[0] ?? [0, 0];
  let twice = 0;
  for (const [at, [x, y]] of ring.entries()) {
    const [nx, ny] = ring[(at + 1) % ring.length]!;
    twice += (x - ox) * (ny - oy) - (nx - ox) * (y - oy);
  }
  return twice / 2;
};

interface Segment {
  readonly ring: number;
  readonly at: number;
  readonly from: Position;
  readonly to: Position;
}

const geometryFault = (outline: Outline): string | null => {
  if (outline.some((ring) => ring.length < 3 || signedArea(ring) <= 0)) {
    return 'must have rings of three positions or more that enclose an area';
  }
  const segments = outline.flatMap((ring, index) =>
    ring.map((from, at): Segment => ({
      ring: index,
      at,
      from,
      to: ring[(at + 1) % ring.length]!,
    })),
  );
  for (const [index, one] of segments.entries())
    for (const other of segments.slice(index + 1)) {
      if (!meet(one, other, outline)) continue;
      return one.ring === other.ring
        ? `must not cross or touch itself, as at ${shown(other.from)}`
        : `must have rings that do not touch each other; two meet at ${shown(other.from)}`;
    }
  const [outer, ...holes] = outline;
  if (holes.some((hole) => !isInside(hole[0]!, outer!))) return 'must have its holes inside';
  const nested = holes.some((hole) =>
    holes.some((other) => other !== hole && isInside(hole[0]!, other)),
  );
  return nested ? 'must not have a hole within a hole' : null;
};

const shown = ([x, y]: Position): string => `[${x}, ${y}]`;

/** Whether two segments intersect. Neighbours share one position, but must not overlap. */
const meet = (a: Segment, b: Segment, outline: Outline): boolean => {
  const length = outline[a.ring]!.length;
  const isNext = a.ring === b.ring && (a.at + 1) % length === b.at;
  const isPrevious = a.ring === b.ring && (b.at + 1) % length === a.at;
  if (isNext) return runsBack(a.from, a.to, b.to);
  if (isPrevious) return runsBack(b.from, b.to, a.to);
  return intersect(a.from, a.to, b.from, b.to);
};

const runsBack = (from: Position, corner: Position, to: Position): boolean =>
  turn(from, corner, to) === 0 &&
  (from[0] - corner[0]) * (to[0] - corner[0]) + (from[1] - corner[1]) * (to[1] - corner[1]) > 0;

/** The side of the line from `a` to `b` on which `c` is: -1, 0 or 1. */
const turn = (a: Position, b: Position, c: Position): number => {
  const twice = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
  // Below half a square millimetre: rounding error, because positions are whole millimetres.
  return Math.abs(twice) < 5e-7 ? 0 : Math.sign(twice);
};

const intersect = (a: Position, b: Position, c: Position, d: Position): boolean => {
  if (apart(a[0], b[0], c[0], d[0]) || apart(a[1], b[1], c[1], d[1])) return false;
  const [abc, abd, cda, cdb] = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)];
  return abc * abd <= 0 && cda * cdb <= 0;
};

const apart = (a: number, b: number, c: number, d: number): boolean =>
  Math.max(a, b) < Math.min(c, d) || Math.max(c, d) < Math.min(a, b);

/** Defined for positions that are not on an edge of the ring. */
export const isInside = ([x, y]: Position, ring: Ring): boolean => {
  let inside = false;
  // By index: this is the innermost loop of placing the elements of a large model.
  for (let at = 0; at < ring.length; at += 1) {
    const [ax, ay] = ring[at]!;
    const [bx, by] = ring[at + 1 === ring.length ? 0 : at + 1]!;
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
};
