/** The outline of a region on a plan: its largest part, simplified. */
import { OUTLINE_HOLES_MAX, OUTLINE_POINTS_MAX } from '../../../../domain/buildings/limits.ts';
import { outlineArea, outlineOf, type Outline } from '../../../../domain/buildings/outline.ts';
import { readable } from './shape-source.ts';
import { areaOf, closed, resized, simplified, union, type Region } from './regions.ts';

export interface DrawnRegion {
  readonly outline: Outline;
  /** Whether the region has other, separate parts, which are not drawn. */
  readonly isPart: boolean;
  /** Whether it deviates by more than {@link DEVIATION_METRES} to fit the bounds of an outline. */
  readonly isCoarse: boolean;
}

/**
 * `null` for a region without a part large enough to draw.
 *
 * @param sqmMin Smaller parts are ignored. Default: a hand's breadth squared.
 */
export const drawnRegion = (region: Region, sqmMin = AREA_SQM_MIN): DrawnRegion | null =>
  readable(() => drawn(region, sqmMin));

const drawn = (region: Region, sqmMin: number): DrawnRegion | null => {
  const joined = region.length > 1 ? closed(region, DEVIATION_METRES / 2) : region;
  const largest = joined.toSorted((a, b) => outlineArea(b) - outlineArea(a))[0];
  if (!largest || outlineArea(largest) < sqmMin) return null;
  const isPart = outlineArea(largest) < areaOf(joined) - AREA_SQM_MIN;
  for (let metres = FINEST_METRES; metres <= DEVIATION_METRES_MAX; metres *= 2) {
    const candidate = simplest(largest, metres);
    if (candidate.outline === null) continue;
    const isCoarse = metres > DEVIATION_METRES || candidate.isWithoutHoles;
    return { outline: candidate.outline, isPart, isCoarse };
  }
  return null;
};

/** Tried first: an arc of a few metres keeps its area within half a percent. */
const FINEST_METRES = 0.0025;
/** Tolerated deviation of a simplified outline. */
const DEVIATION_METRES = 0.02;
/** With a larger deviation there is no outline: it would be a guess. */
const DEVIATION_METRES_MAX = 0.5;
const AREA_SQM_MIN = 0.01;

const simplest = (
  [outer, ...holes]: Outline,
  metres: number,
): { readonly outline: Outline | null; readonly isWithoutHoles: boolean } => {
  const large = holes
    .filter((hole) => outlineArea([hole]) >= AREA_SQM_MIN)
    .toSorted((a, b) => outlineArea([b]) - outlineArea([a]));
  const rings = [outer!, ...large.slice(0, OUTLINE_HOLES_MAX)].map((ring) =>
    simplified(ring, metres),
  );
  const isWithoutHoles = large.length > OUTLINE_HOLES_MAX;
  const points = rings.reduce((sum, { length }) => sum + length, 0);
  if (points > OUTLINE_POINTS_MAX) return { outline: null, isWithoutHoles };
  return { outline: whole(rings), isWithoutHoles };
};

/** Separates by a millimetre rings that touch or cross after the simplification. */
const whole = (rings: Outline): Outline | null => {
  const outline = outlineOf(rings);
  if (typeof outline !== 'string') return outline;
  const [mended] = resized(union([[rings], []]), -MILLIMETRE).toSorted(
    (a, b) => outlineArea(b) - outlineArea(a),
  );
  const again = mended ? outlineOf(mended) : 'nothing is left';
  return typeof again === 'string' ? null : again;
};

const MILLIMETRE = 0.001;
