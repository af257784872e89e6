/** The drawing of a storey: a bounded number of walls, doors and windows, and its outline. */
import { DRAWING_POINTS_MAX } from '../../../domain/buildings/limits.ts';
import { outlineArea, type Drawing, type Outline } from '../../../domain/buildings/outline.ts';
import type { FilledOpening } from './ifc-drawings.ts';
import type { ExpressId } from './ifc-model.ts';
import { drawnRegion } from './shapes/outline-of-region.ts';
import { readable } from './shapes/shape-source.ts';
import {
  areaOf,
  closed,
  intersection,
  rectangleAround,
  union,
  type Region,
} from './shapes/regions.ts';

/** Outlines of the parts that are large enough to be visible. */
export const drawnParts = (region: Region): readonly Outline[] =>
  region.flatMap((outline) => {
    const drawn = drawnRegion([outline], PART_SQM_MIN);
    return drawn ? [drawn.outline] : [];
  });

/** Five by five centimetres: the size of bars between panes. */
const PART_SQM_MIN = 0.0025;

/**
 * The area of a door or window in its wall: the part that its opening cuts from the wall, else the
 * opening, else a rectangle around itself.
 *
 * @param headingOf Degrees from the plan's x axis to the axis of a product's placement.
 */
export const filledRegion = (
  { product, opening, wall }: FilledOpening,
  regions: ReadonlyMap<ExpressId, Region>,
  headingOf: (product: FilledOpening['product']) => number,
): Region => {
  const hole = opening && regions.get(opening.id);
  const cut = wall === null ? undefined : regions.get(wall);
  if (hole && cut) {
    const shared = readable(() => intersection(hole, cut));
    if (shared && areaOf(shared) > 0) return shared;
  }
  if (hole) return hole;
  const own = regions.get(product.id);
  return own ? rectangleAround(own, headingOf(product)) : [];
};

/** At most {@link DRAWING_POINTS_MAX} positions: the smallest parts are left out first. */
export const boundedDrawing = (
  drawing: Drawing,
): { readonly drawing: Drawing; readonly left: number } => {
  const all = (['walls', 'doors', 'windows'] as const).flatMap((kind) =>
    drawing[kind].map((outline) => ({ kind, outline, size: outlineArea(outline) })),
  );
  let points = 0;
  const kept = all
    .toSorted((a, b) => b.size - a.size)
    .filter(({ outline }) => {
      points += outline.reduce((sum, { length }) => sum + length, 0);
      return points <= DRAWING_POINTS_MAX;
    });
  const of = (kind: keyof Drawing) =>
    kept.filter((each) => each.kind === kind).map(({ outline }) => outline);
  return {
    drawing: { walls: of('walls'), doors: of('doors'), windows: of('windows') },
    left: all.length - kept.length,
  };
};

/** The outline around the storey's rooms and walls; `null` if it has neither. */
export const storeyOutline = (
  rooms: readonly Region[],
  walls: readonly Outline[],
): Outline | null => {
  const covered = readable(() => closed(union([...rooms, walls]), WALL_METRES / 2)) ?? [];
  const solid = covered.map(([outer, ...holes]) => [
    outer!,
    // Walls without rooms, as in a foundation, do not surround courtyards.
    ...holes.filter((hole) => rooms.length > 0 && outlineArea([hole]) >= COURT_SQM_MIN),
  ]);
  return drawnRegion(solid)?.outline ?? null;
};

/** Longest distance of rooms that are joined by the wall between them. */
const WALL_METRES = 0.6;
/** A smaller hole is a shaft, not a courtyard. */
const COURT_SQM_MIN = 10;
