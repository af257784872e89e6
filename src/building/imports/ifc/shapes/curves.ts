/** Curves of an IFC file as points; arcs are approximated by short lines. */
import type { ExpressId, IfcEntity } from '../ifc-model.ts';
import { axisPlacement } from './placements.ts';
import {
  deeper,
  positiveOf,
  UnreadableShape,
  UnsupportedShape,
  vectorOf,
  type ShapeSource,
} from './shape-source.ts';
import { placed, plus, times, type Transform, type Vector } from './transforms.ts';

/** Units of the file, for curves. */
export interface CurveUnits {
  readonly metresPerLength: number;
  readonly radiansPerAngle: number;
}

/**
 * The points of a curve in its own coordinates, from start to end; a closed curve may repeat its
 * first point.
 *
 * @throws {@link UnsupportedShape} for splines, offset curves and other kinds.
 */
export const pointsOf = (
  source: ShapeSource,
  units: CurveUnits,
  id: ExpressId | null,
  depth = 0,
): readonly Vector[] => {
  const curve = source.entity(id);
  const within = (id: ExpressId | null) => pointsOf(source, units, id, deeper(depth));
  switch (curve.type) {
    case 'Polyline':
      return polyline(source, curve);
    case 'IndexedPolyCurve':
      return indexedPolyCurve(source, units, curve);
    case 'CompositeCurve':
    case '2DCompositeCurve':
      return curve.references('Segments').flatMap((id) => {
        const segment = source.entity(id);
        const points = within(segment.reference('ParentCurve'));
        return segment.flag('SameSense') === false ? points.toReversed() : points;
      });
    case 'Circle':
    case 'Ellipse':
      return conicPoints(source, units, conicOf(source, curve), 0, TURN);
    case 'TrimmedCurve':
      return trimmed(source, units, curve, within);
    default:
      throw new UnsupportedShape(curve.type);
  }
};

const TURN = 2 * Math.PI;

const polyline = (source: ShapeSource, curve: IfcEntity): readonly Vector[] => {
  const ids = curve.references('Points');
  source.countPoints(ids.length);
  return ids.map((id) => pointOf(source, id));
};

const pointOf = (source: ShapeSource, id: ExpressId | null): Vector =>
  vectorOf(source.entity(id).numbers('Coordinates'));

const indexedPolyCurve = (
  source: ShapeSource,
  units: CurveUnits,
  curve: IfcEntity,
): readonly Vector[] => {
  const rows = source.entity(curve.reference('Points')).rows('CoordList');
  source.countPoints(rows.length);
  const at = (index: number) => vectorOf(rows[index - 1] ?? []);
  const runs = source.runsOf(curve);
  if (runs.length === 0) return rows.map(vectorOf);
  return runs.flatMap(({ kind, indices }) => {
    source.countPoints(indices.length);
    const points = indices.map(at);
    return kind === 'arc' ? arcThrough(source, units, points) : points;
  });
};

/** In the plane of the profile; collinear points make a line. */
const arcThrough = (
  source: ShapeSource,
  units: CurveUnits,
  points: readonly Vector[],
): readonly Vector[] => {
  const [a, b, c] = points;
  if (!a || !b || !c) throw new UnreadableShape('an arc without three points');
  const [bx, by, cx, cy] = [b[0] - a[0], b[1] - a[1], c[0] - a[0], c[1] - a[1]];
  const twice = 2 * (bx * cy - by * cx);
  if (Math.abs(twice) <= 1e-9 * Math.hypot(bx, by) * Math.hypot(cx, cy)) return points;
  const [b2, c2] = [bx * bx + by * by, cx * cx + cy * cy];
  const [ox, oy] = [(cy * b2 - by * c2) / twice, (bx * c2 - cx * b2) / twice];
  const radius = Math.hypot(ox, oy);
  const from = Math.atan2(-oy, -ox);
  const to = Math.atan2(cy - oy, cx - ox);
  const sweep = twice > 0 ? positive(to - from) : -positive(from - to);
  const axes: Conic = {
    x: [radius, 0, 0],
    y: [0, radius, 0],
    centre: [a[0] + ox, a[1] + oy, a[2]],
  };
  return conicPoints(source, units, axes, from, sweep);
};

/** Normalised to a positive angle up to a full turn; 0 becomes a full turn. */
const positive = (angle: number): number => {
  const rest = ((angle % TURN) + TURN) % TURN;
  return rest <= 1e-9 ? TURN : rest;
};

/** A circle or an ellipse: centre + x cos t + y sin t. */
interface Conic {
  readonly centre: Vector;
  readonly x: Vector;
  readonly y: Vector;
}

const conicOf = (source: ShapeSource, curve: IfcEntity): Conic => {
  const { x, y, origin } = axisPlacement(source, curve.reference('Position'));
  const isCircle = curve.type === 'Circle';
  return {
    centre: origin,
    x: times(x, positiveOf(curve, isCircle ? 'Radius' : 'SemiAxis1')),
    y: times(y, positiveOf(curve, isCircle ? 'Radius' : 'SemiAxis2')),
  };
};

/** @param sweep Radians, negative for clockwise. */
const conicPoints = (
  source: ShapeSource,
  { metresPerLength }: CurveUnits,
  { centre, x, y }: Conic,
  from: number,
  sweep: number,
): readonly Vector[] => {
  const radius = Math.max(Math.hypot(...x), Math.hypot(...y)) * metresPerLength;
  // The step for which the middle of a chord deviates from its arc by the tolerance.
  const step = 2 * Math.acos(Math.max(0, 1 - ARC_DEVIATION_METRES / radius));
  const steps = Math.min(
    ARC_STEPS_MAX,
    Math.max(Math.ceil(Math.abs(sweep) / Math.min(step, ARC_STEP_MAX)), 1),
  );
  source.countPoints(steps + 1);
  return Array.from({ length: steps + 1 }, (_, at) => {
    const angle = from + (sweep * at) / steps;
    return plus(centre, plus(times(x, Math.cos(angle)), times(y, Math.sin(angle))));
  });
};

const ARC_DEVIATION_METRES = 0.002;
const ARC_STEP_MAX = TURN / 32;
const ARC_STEPS_MAX = 256;

/** A part of a line, a circle or an ellipse, between parameters or points. */
const trimmed = (
  source: ShapeSource,
  units: CurveUnits,
  curve: IfcEntity,
  within: (id: ExpressId | null) => readonly Vector[],
): readonly Vector[] => {
  const basis = source.entity(curve.reference('BasisCurve'));
  const isForward = curve.flag('SenseAgreement') !== false;
  const ends = (['Trim1', 'Trim2'] as const).map((attribute) => ({
    parameter: curve.numbers(attribute)[0] ?? null,
    point: curve.references(attribute)[0] ?? null,
  }));
  const byPoint = curve.text('MasterRepresentation') === 'CARTESIAN';
  const isPoint = ({ parameter, point }: (typeof ends)[number]) =>
    point !== null && (byPoint || parameter === null);

  if (basis.type === 'Line') {
    const [from, to] = ends.map((end) =>
      isPoint(end) ? pointOf(source, end.point) : alongLine(source, basis, end.parameter),
    );
    source.countPoints(2);
    return [from!, to!];
  }
  if (basis.type === 'Circle' || basis.type === 'Ellipse') {
    const conic = conicOf(source, basis);
    const [from, to] = ends.map((end) =>
      isPoint(end)
        ? angleOf(conic, pointOf(source, end.point))
        : angle(end.parameter) * units.radiansPerAngle,
    );
    const sweep = isForward ? positive(to! - from!) : -positive(from! - to!);
    return conicPoints(source, units, conic, from!, sweep);
  }
  // A polyline trimmed at its own ends is itself; other parts of it are not supported.
  const points = within(basis.id);
  const isWhole = ends.every(
    (end, at) => isPoint(end) && isSame(pointOf(source, end.point), points.at(-at)),
  );
  if (!isWhole) throw new UnsupportedShape(`a part of a ${basis.type}`);
  return isForward ? points : points.toReversed();
};

const isSame = (a: Vector, b: Vector | undefined): boolean =>
  b !== undefined &&
  a.every((value, at) => Math.abs(value - b[at]!) <= 1e-6 * (1 + Math.abs(value)));

const angle = (parameter: number | null): number => {
  if (parameter === null || !Number.isFinite(parameter)) throw new UnreadableShape('no parameter');
  return parameter;
};

const alongLine = (source: ShapeSource, line: IfcEntity, parameter: number | null): Vector => {
  const vector = source.entity(line.reference('Dir'));
  const ratios = source.entity(vector.reference('Orientation')).numbers('DirectionRatios');
  const direction = vectorOf(ratios);
  const length = Math.hypot(...direction);
  if (length === 0) throw new UnreadableShape('a line without a direction');
  const factor = (angle(parameter) * (vector.number('Magnitude') ?? 1)) / length;
  return plus(pointOf(source, line.reference('Pnt')), times(direction, factor));
};

const angleOf = ({ centre, x, y }: Conic, point: Vector): number => {
  const along = (axis: Vector) =>
    axis.reduce((sum, value, at) => sum + value * (point[at]! - centre[at]!), 0) /
    axis.reduce((sum, value) => sum + value * value, 0);
  return Math.atan2(along(y), along(x));
};

/** The points of a curve in the enclosing coordinates. */
export const placedPoints = (transform: Transform, points: readonly Vector[]): readonly Vector[] =>
  points.map((point) => placed(transform, point));
