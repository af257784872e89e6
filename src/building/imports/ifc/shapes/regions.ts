/**
 * Operations on regions of a plan in metres, such as union, intersection and closing of gaps. On a
 * grid of a tenth of a millimetre, because the library computes with integers.
 */
import {
  Clipper,
  ClipType,
  EndType,
  FillRule,
  JoinType,
  PolyTree64,
  type Path64,
  type Paths64,
  type PolyPath64,
} from 'clipper2-ts';
import { COORDINATE_METRES_MAX } from '../../../../domain/buildings/limits.ts';
import {
  boundsOf,
  outlineArea,
  type Outline,
  type Position,
  type Ring,
} from '../../../../domain/buildings/outline.ts';
import { boundCrossings } from './crossings.ts';
import { UnreadableShape } from './shape-source.ts';

/** Disjoint polygons, each with its holes. */
export type Region = readonly Outline[];

/**
 * The area enclosed by any of the rings, whatever its orientation.
 *
 * @throws {@link UnreadableShape}, as in all unions here, for rings that are too large or cross too
 *   often.
 */
export const coveredBy = (rings: readonly Ring[]): Region => {
  const grid = gridOf(rings);
  const paths = grid.paths(rings).map((path) => turnedTo('left', path));
  return grid.region(combined(ClipType.Union, paths));
};

/** The area enclosed by the rings; a ring within another is a hole. */
export const enclosedBy = (rings: readonly Ring[]): Region => {
  const grid = gridOf(rings);
  return grid.region(combined(ClipType.Union, grid.paths(rings), null, FillRule.EvenOdd));
};

/** The area covered by any of the regions. */
export const union = (regions: readonly Region[]): Region => {
  if (regions.length < 2) return regions[0] ?? [];
  const grid = gridOf(regions.flat(2));
  return grid.region(combined(ClipType.Union, regions.flatMap(grid.pathsOf)));
};

/** The area covered by both. */
export const intersection = (one: Region, other: Region): Region => {
  const grid = gridOf([...one.flat(), ...other.flat()]);
  return grid.region(combined(ClipType.Intersection, grid.pathsOf(one), grid.pathsOf(other)));
};

/** Closes gaps and notches narrower than twice the distance. */
export const closed = (region: Region, metres: number): Region =>
  resized(resized(region, metres), -metres);

/** Grown by a distance, or shrunk by a negative one. */
export const resized = (region: Region, metres: number): Region => {
  const grid = gridOf(region.flat());
  const delta = metres * PER_METRE;
  const paths = Clipper.inflatePaths(
    grid.pathsOf(region),
    delta,
    JoinType.Miter,
    EndType.Polygon,
    MITER_LIMIT,
  );
  return grid.region(combined(ClipType.Union, paths));
};

const MITER_LIMIT = 4;

/** Removes positions nearer than the distance to the line between others. */
export const simplified = (ring: Ring, metres: number): Ring => {
  const grid = gridOf([ring]);
  const [path = []] = grid.paths([ring]);
  if (path.length < 4) return ring;
  // The algorithm keeps the ends of a path: the leftmost corner, and the one furthest from it.
  const first = indexOfMax(path, ({ x }) => -x);
  const turned = [...path.slice(first), ...path.slice(0, first)];
  const second = indexOfMax(turned, ({ x, y }) => Math.hypot(x - turned[0]!.x, y - turned[0]!.y));
  const halves = [turned.slice(0, second + 1), [...turned.slice(second), turned[0]!]];
  const kept = halves.flatMap((half) =>
    Clipper.ramerDouglasPeucker(half, metres * PER_METRE).slice(0, -1),
  );
  return grid.ring(Clipper.trimCollinear(kept));
};

const indexOfMax = (path: Path64, measure: (point: Path64[number]) => number): number => {
  const measures = path.map(measure);
  const max = measures.reduce((a, b) => Math.max(a, b));
  return measures.indexOf(max);
};

/**
 * The smallest rectangle around a region with this heading.
 *
 * @param heading Degrees from the x axis to that of the rectangle.
 */
export const rectangleAround = (region: Region, heading: number): Region => {
  const [cos, sin] = [Math.cos((heading * Math.PI) / 180), Math.sin((heading * Math.PI) / 180)];
  const turned = moved(region, ([x, y]) => [x * cos + y * sin, y * cos - x * sin]);
  const bounds = boundsOf(turned);
  if (!bounds) return [];
  const [[left, bottom], [right, top]] = [bounds.min, bounds.max];
  const rectangle: Ring = [
    [left, bottom],
    [right, bottom],
    [right, top],
    [left, top],
  ];
  return moved([[rectangle]], ([x, y]) => [x * cos - y * sin, y * cos + x * sin]);
};

/** Square metres. */
export const areaOf = (region: Region): number =>
  region.reduce((sum, outline) => sum + outlineArea(outline), 0);

/** Transforms from the file's coordinates to the plan's. */
export const moved = (region: Region, move: (position: Position) => Position): Region =>
  region.map((outline) => outline.map((ring) => ring.map(move)));

const combined = (
  type: ClipType,
  subject: Paths64,
  clip: Paths64 | null = null,
  rule = FillRule.NonZero,
): PolyTree64 => {
  boundCrossings(clip ? [...subject, ...clip] : subject);
  const tree = new PolyTree64();
  Clipper.booleanOpWithPolyTree(type, enclosing(subject), clip && enclosing(clip), tree, rule);
  return tree;
};

/** The library fails on an empty path. */
const enclosing = (paths: Paths64): Paths64 => paths.filter((path) => path.length > 2);

/** Steps of the grid. */
const PER_METRE = 10_000;
/** Largest distance from the first position. */
const REACH_METRES_MAX = 3 * COORDINATE_METRES_MAX;

/** Relative to the first position, because coordinates may be far from zero. */
const gridOf = (rings: readonly Ring[]) => {
  const [originX, originY] = rings.find((ring) => ring.length > 0)?.[0] ?? [0, 0];
  const step = (metres: number): number => {
    const distance = Math.abs(metres);
    if (!(distance <= REACH_METRES_MAX)) throw new UnreadableShape('too large for a plan');
    return Math.round(metres * PER_METRE);
  };
  const ring = (path: Path64): Ring =>
    path.map(({ x, y }) => [x / PER_METRE + originX, y / PER_METRE + originY] as const);
  const paths = (rings: readonly Ring[]): Paths64 =>
    rings.map((ring) => ring.map(([x, y]) => ({ x: step(x - originX), y: step(y - originY) })));
  return {
    ring,
    paths,
    /** Outer rings counter-clockwise, and holes clockwise, which cancel out. */
    pathsOf: (region: Region): Paths64 =>
      region.flatMap((outline) =>
        paths(outline).map((path, at) => turnedTo(at === 0 ? 'left' : 'right', path)),
      ),
    region: (tree: PolyTree64): Region => outlinesIn(tree, ring),
  };
};

const turnedTo = (side: 'left' | 'right', path: Path64): Path64 =>
  Clipper.isPositive(path) === (side === 'left') ? path : path.toReversed();

/** Holes are children of polygons, and polygons within holes are children of the holes. */
const outlinesIn = (parent: PolyPath64, ringOf: (path: Path64) => Ring): Region =>
  childrenOf(parent).flatMap((polygon) => {
    const holes = childrenOf(polygon);
    const outline = [polygon, ...holes].map(({ poly }) => ringOf(poly ?? []));
    return [outline, ...holes.flatMap((hole) => outlinesIn(hole, ringOf))];
  });

const childrenOf = (path: PolyPath64): readonly PolyPath64[] =>
  Array.from({ length: path.count }, (_, index) => path.child(index));
