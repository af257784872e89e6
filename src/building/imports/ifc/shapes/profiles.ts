/** Profiles of an IFC file as rings in their own plane. */
import type { ExpressId, IfcEntity } from '../ifc-model.ts';
import { placedPoints, pointsOf, type CurveUnits } from './curves.ts';
import { axisPlacement, operatorOf } from './placements.ts';
import {
  deeper,
  positiveOf,
  UnreadableShape,
  UnsupportedShape,
  type ShapeSource,
} from './shape-source.ts';
import type { Vector } from './transforms.ts';

/** The outer ring, then holes; the third coordinate is 0. */
export type ProfileArea = readonly (readonly Vector[])[];

/**
 * The areas of an `IfcProfileDef`: one, or several for a composite profile.
 *
 * @throws {@link UnsupportedShape} for profiles of steel and other kinds.
 */
export const areasOf = (
  source: ShapeSource,
  units: CurveUnits,
  id: ExpressId | null,
  depth = 0,
): readonly ProfileArea[] => {
  const profile = source.entity(id);
  const curve = (id: ExpressId | null) => pointsOf(source, units, id);
  const within = (id: ExpressId | null) => areasOf(source, units, id, deeper(depth));
  switch (profile.type) {
    case 'ArbitraryClosedProfileDef':
      return [[curve(profile.reference('OuterCurve'))]];
    case 'ArbitraryProfileDefWithVoids':
      return [
        [
          curve(profile.reference('OuterCurve')),
          ...profile.references('InnerCurves').map((id) => curve(id)),
        ],
      ];
    case 'CompositeProfileDef':
      return profile.references('Profiles').flatMap((id) => within(id));
    case 'DerivedProfileDef':
    case 'MirroredProfileDef': {
      const operator =
        profile.type === 'MirroredProfileDef'
          ? MIRROR
          : operatorOf(source, profile.reference('Operator'));
      return within(profile.reference('ParentProfile')).map((area) =>
        area.map((ring) => placedPoints(operator, ring)),
      );
    }
    default: {
      const position = axisPlacement(source, profile.reference('Position'));
      return [parameterised(source, profile).map((ring) => placedPoints(position, ring))];
    }
  }
};

/** Mirrors at the y axis. */
const MIRROR = {
  x: [-1, 0, 0],
  y: [0, 1, 0],
  z: [0, 0, 1],
  origin: [0, 0, 0],
} as const;

/** Centred on the profile's position. */
const parameterised = (source: ShapeSource, profile: IfcEntity): ProfileArea => {
  const measure = (attribute: string) => positiveOf(profile, attribute);
  switch (profile.type) {
    case 'RectangleProfileDef':
      return [rectangle(measure('XDim'), measure('YDim'))];
    case 'RoundedRectangleProfileDef':
      return [rounded(source, measure('XDim'), measure('YDim'), measure('RoundingRadius'))];
    case 'RectangleHollowProfileDef': {
      const [x, y, wall] = [measure('XDim'), measure('YDim'), measure('WallThickness')];
      if (2 * wall >= Math.min(x, y)) throw new UnreadableShape('a wall thicker than its profile');
      return [rectangle(x, y), rectangle(x - 2 * wall, y - 2 * wall)];
    }
    case 'CircleProfileDef':
      return [ellipse(source, measure('Radius'), measure('Radius'))];
    case 'CircleHollowProfileDef': {
      const [radius, wall] = [measure('Radius'), measure('WallThickness')];
      if (wall >= radius) throw new UnreadableShape('a wall thicker than its profile');
      return [ellipse(source, radius, radius), ellipse(source, radius - wall, radius - wall)];
    }
    case 'EllipseProfileDef':
      return [ellipse(source, measure('SemiAxis1'), measure('SemiAxis2'))];
    default:
      throw new UnsupportedShape(profile.type);
  }
};

const rectangle = (x: number, y: number): readonly Vector[] => [
  [-x / 2, -y / 2, 0],
  [x / 2, -y / 2, 0],
  [x / 2, y / 2, 0],
  [-x / 2, y / 2, 0],
];

const rounded = (source: ShapeSource, x: number, y: number, radius: number): readonly Vector[] => {
  if (2 * radius > Math.min(x, y)) throw new UnreadableShape('corners rounder than their profile');
  source.countPoints(CIRCLE_STEPS);
  // A quarter circle around each corner of the inner rectangle.
  return rectangle(x - 2 * radius, y - 2 * radius).flatMap(([cx, cy], corner) =>
    Array.from({ length: CIRCLE_STEPS / 4 + 1 }, (_, step): Vector => {
      const angle = Math.PI * (1 + corner / 2) + (2 * Math.PI * step) / CIRCLE_STEPS;
      return [cx + radius * Math.cos(angle), cy + radius * Math.sin(angle), 0];
    }),
  );
};

const ellipse = (source: ShapeSource, x: number, y: number): readonly Vector[] => {
  source.countPoints(CIRCLE_STEPS);
  return Array.from({ length: CIRCLE_STEPS }, (_, step): Vector => {
    const angle = (2 * Math.PI * step) / CIRCLE_STEPS;
    return [x * Math.cos(angle), y * Math.sin(angle), 0];
  });
};

/** The polygon lacks 0.16 % of the circle's area. */
const CIRCLE_STEPS = 64;
