/**
 * The areas of an IFC file's products seen from above: exact, from their footprints and extruded
 * solids, without a mesh. In metres, in the project's coordinates.
 */
import { outlineArea, type Position, type Ring } from '../../../../domain/buildings/outline.ts';
import type { ExpressId, IfcEntity } from '../ifc-model.ts';
import { placedPoints, pointsOf, type CurveUnits } from './curves.ts';
import { axisPlacement, operatorOf, type Placements } from './placements.ts';
import { areasOf, type ProfileArea } from './profiles.ts';
import { areaOf, coveredBy, enclosedBy, union, type Region } from './regions.ts';
import {
  deeper,
  positiveOf,
  UnreadableShape,
  UnsupportedShape,
  vectorOf,
  type ShapeSource,
} from './shape-source.ts';
import { composed, times, turned, unit, type Transform, type Vector } from './transforms.ts';

export interface ProductRegions {
  /**
   * The area of its `FootPrint`.
   *
   * @returns `null` without a footprint, and for one that is empty or unreadable.
   */
  footprint(product: IfcEntity): Region | null;
  /**
   * The area of its `Body`, if that is extruded along any direction.
   *
   * @returns `null` without a body, and for an unreadable one; `unsupported` for other solids and
   *   surfaces, and for curves that are not supported here.
   */
  body(product: IfcEntity): Region | 'unsupported' | null;
}

export const productRegions = (
  source: ShapeSource,
  units: CurveUnits,
  placements: Placements,
): ProductRegions => {
  const reader = itemReader(source, units);

  const representationsOf = (product: IfcEntity): readonly IfcEntity[] => {
    const definition = product.reference('Representation');
    if (definition === null) return [];
    const ids = source.entity(definition).references('Representations');
    return ids.map((id) => source.entity(id));
  };

  const regionOf = (product: IfcEntity, { references }: IfcEntity, kind: 'curves' | 'solids') => {
    const place = placements.ofProject(product.reference('ObjectPlacement'));
    const items = references('Items');
    return kind === 'curves' ? reader.curves(items, place) : reader.solids(items, place);
  };

  return {
    footprint(product) {
      const region = source.shape(() => {
        const footprint = representationsOf(product).find(
          (each) => each.text('RepresentationIdentifier')?.toLowerCase() === 'footprint',
        );
        return footprint ? regionOf(product, footprint, 'curves') : [];
      });
      return typeof region === 'string' || areaOf(region) === 0 ? null : region;
    },

    body(product) {
      const region = source.shape(() => {
        const body = bodyIn(representationsOf(product));
        return body && regionOf(product, body, 'solids');
      });
      return region === 'unreadable' ? null : region;
    },
  };
};

/** Older files have representations without a name. */
const bodyIn = (representations: readonly IfcEntity[]): IfcEntity | null => {
  const named = (pattern: RegExp, attribute: string) =>
    representations.find((each) => pattern.test(each.text(attribute) ?? ''));
  return (
    named(/^(body|facetation)$/i, 'RepresentationIdentifier') ??
    named(/solid|brep|clipping|csg|surfacemodel|tessellation|^mapped/i, 'RepresentationType') ??
    null
  );
};

const itemReader = (source: ShapeSource, units: CurveUnits) => {
  const flat = ([x, y]: Vector): Position => [x * units.metresPerLength, y * units.metresPerLength];
  const ringOf = (place: Transform, points: readonly Vector[]): Ring =>
    placedPoints(place, points).map(flat);

  /** The items of a mapped item, and their transform. */
  const mapped = (item: IfcEntity, place: Transform) => {
    const map = source.entity(item.reference('MappingSource'));
    const origin = axisPlacement(source, map.reference('MappingOrigin'));
    const target = operatorOf(source, item.reference('MappingTarget'));
    return {
      items: source.entity(map.reference('MappedRepresentation')).references('Items'),
      place: composed(place, composed(target, origin)),
    };
  };

  /** Closed curves; a curve within another is a hole. */
  const rings = (items: readonly ExpressId[], place: Transform, depth: number): readonly Ring[] =>
    items.flatMap((id) => {
      const item = source.entity(id);
      switch (item.type) {
        case 'MappedItem': {
          const inner = mapped(item, place);
          return rings(inner.items, inner.place, deeper(depth));
        }
        case 'GeometricCurveSet':
        case 'GeometricSet':
          return rings(item.references('Elements'), place, deeper(depth));
        case 'AnnotationFillArea': {
          const outer = item.reference('OuterBoundary');
          return rings(
            [...(outer === null ? [] : [outer]), ...item.references('InnerBoundaries')],
            place,
            deeper(depth),
          );
        }
        case 'CartesianPoint':
          return [];
        default: {
          const points = pointsOf(source, units, id);
          return isClosed(points) ? [ringOf(place, points)] : [];
        }
      }
    });

  const solids = (items: readonly ExpressId[], place: Transform, depth: number): Region =>
    union(items.map((id) => solid(source.entity(id), place, depth)));

  const solid = (item: IfcEntity, place: Transform, depth: number): Region => {
    switch (item.type) {
      case 'MappedItem': {
        const inner = mapped(item, place);
        return solids(inner.items, inner.place, deeper(depth));
      }
      case 'BooleanClippingResult':
      case 'BooleanResult': {
        if (item.text('Operator') !== 'DIFFERENCE') throw new UnsupportedShape('an operator');
        const first = source.entity(item.reference('FirstOperand'));
        const region = solid(first, place, deeper(depth));
        const second = source.entity(item.reference('SecondOperand'));
        if (!halfSpaces.has(second.type)) throw new UnsupportedShape('a difference of solids');
        return region;
      }
      case 'ExtrudedAreaSolid':
        return extruded(item, place);
      default:
        throw new UnsupportedShape(item.type);
    }
  };

  const extruded = (item: IfcEntity, place: Transform): Region => {
    const position = composed(place, axisPlacement(source, item.reference('Position')));
    const direction = unit(
      vectorOf(source.entity(item.reference('ExtrudedDirection')).numbers('DirectionRatios')),
    );
    if (!direction) throw new UnreadableShape('an extrusion without a direction');
    const [x, y] = flat(turned(position, times(direction, positiveOf(item, 'Depth'))));
    const areas = areasOf(source, units, item.reference('SweptArea'));
    return union(areas.map((area) => swept(area, position, [x, y])));
  };

  /** The projection of a prism: its bottom, its top, and the sides between them. */
  const swept = (area: ProfileArea, position: Transform, [x, y]: Position): Region => {
    const rings = area.map((ring) => ringOf(position, ring));
    const floor = enclosedBy(rings);
    const isUpright = Math.hypot(x, y) < UPRIGHT_METRES;
    if (isUpright && isCrossing(rings, floor)) throw new UnreadableShape('a crossing profile');
    if (isUpright) return floor;
    const shifted = (ring: Ring): Ring => ring.map(([px, py]) => [px + x, py + y]);
    const sides = rings.flatMap((ring) =>
      ring.map((from, at): Ring => {
        const edge = [from, ring[(at + 1) % ring.length]!];
        return [...edge, ...shifted(edge).toReversed()];
      }),
    );
    return union([floor, enclosedBy(rings.map(shifted)), coveredBy(sides)]);
  };

  return {
    curves: (items: readonly ExpressId[], place: Transform): Region =>
      enclosedBy(rings(items, place, 0)),
    solids: (items: readonly ExpressId[], place: Transform): Region => solids(items, place, 0),
  };
};

/** They cut off roofs and ends of walls, which is not drawn. */
const halfSpaces: ReadonlySet<string> = new Set([
  'HalfSpaceSolid',
  'BoxedHalfSpace',
  'PolygonalBoundedHalfSpace',
]);

/** Crossing rings of a profile enclose an area other than the sum of the rings' areas. */
const isCrossing = ([outer = [], ...holes]: readonly Ring[], region: Region): boolean => {
  const area = outlineArea([outer, ...holes]);
  return Math.abs(areaOf(region) - area) > area * CROSSING_SHARE;
};

/** Tolerance for repeated or swapped positions of modelling tools, which enclose tiny areas. */
const CROSSING_SHARE = 0.01;

/** An extrusion with a smaller lateral offset is vertical. */
const UPRIGHT_METRES = 0.001;

const isClosed = (points: readonly Vector[]): boolean => {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < 4) return false;
  const size = Math.max(
    ...points.map((point) => Math.hypot(...point.map((c, at) => c - first[at]!))),
  );
  return Math.hypot(...first.map((c, at) => c - last[at]!)) <= size * 1e-4;
};
