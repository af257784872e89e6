/** Placements: chains of local placements, axis placements, and operators of mapped items. */
import type { ExpressId, IfcEntity } from '../ifc-model.ts';
import { UnreadableShape, UnsupportedShape, vectorOf, type ShapeSource } from './shape-source.ts';
import {
  composed,
  dot,
  IDENTITY,
  systemOf,
  times,
  type Transform,
  type Vector,
} from './transforms.ts';

export interface Placements {
  /**
   * The transform from an `IfcLocalPlacement`'s coordinates to the project's; the identity for
   * `null`.
   *
   * @throws {@link UnreadableShape} for a cycle, and for placements on grids and alignments.
   */
  ofProject(placement: ExpressId | null): Transform;
}

export const placementsIn = (source: ShapeSource): Placements => {
  const found = new Map<ExpressId, Transform | UnreadableShape>();

  const read = (id: ExpressId, depth: number): Transform => {
    if (depth > PLACEMENT_CHAIN_MAX) throw new UnreadableShape('a placement within itself');
    const known = found.get(id);
    if (known instanceof UnreadableShape) throw known;
    if (known) return known;
    const placement = source.entity(id);
    if (placement.type !== 'LocalPlacement') throw new UnsupportedShape(placement.type);
    const parent = placement.reference('PlacementRelTo');
    const own = axisPlacement(source, placement.reference('RelativePlacement'));
    const transform = composed(parent === null ? IDENTITY : read(parent, depth + 1), own);
    found.set(id, transform);
    return transform;
  };

  return {
    ofProject(id) {
      if (id === null) return IDENTITY;
      try {
        return read(id, 0);
      } catch (error) {
        if (error instanceof UnreadableShape) found.set(id, error);
        throw error;
      }
    },
  };
};

/** A chain of site, building, storey, room, element and parts has about eight placements. */
const PLACEMENT_CHAIN_MAX = 64;

/** An `IfcAxis2Placement2D` or `3D`; the identity for `null`. */
export const axisPlacement = (source: ShapeSource, id: ExpressId | null): Transform => {
  if (id === null) return IDENTITY;
  const placement = source.entity(id);
  const location = source.entity(placement.reference('Location'));
  const system = systemOf(
    vectorOf(location.numbers('Coordinates')),
    direction(source, placement, 'Axis') ?? IDENTITY.z,
    direction(source, placement, 'RefDirection') ?? IDENTITY.x,
  );
  if (!system) throw new UnreadableShape(`#${id} has no directions`);
  return system;
};

/** An `IfcCartesianTransformationOperator` in two or three dimensions. */
export const operatorOf = (source: ShapeSource, id: ExpressId | null): Transform => {
  const operator = source.entity(id);
  const origin = source.entity(operator.reference('LocalOrigin'));
  const z = direction(source, operator, 'Axis3') ?? IDENTITY.z;
  const x = direction(source, operator, 'Axis1') ?? IDENTITY.x;
  const system = systemOf(vectorOf(origin.numbers('Coordinates')), z, x);
  if (!system) throw new UnreadableShape(`#${operator.id} has no directions`);
  const y = direction(source, operator, 'Axis2');
  // An operator mirrors if its second axis points the other way.
  const isMirror = y !== null && dot(system.y, y) < 0;
  const scale = operator.number('Scale') ?? 1;
  const scales = [
    scale,
    (operator.number('Scale2') ?? scale) * (isMirror ? -1 : 1),
    operator.number('Scale3') ?? scale,
  ] as const;
  return {
    x: times(system.x, scales[0]),
    y: times(system.y, scales[1]),
    z: times(system.z, scales[2]),
    origin: system.origin,
  };
};

const direction = (source: ShapeSource, entity: IfcEntity, attribute: string): Vector | null => {
  const id = entity.reference(attribute);
  return id === null ? null : vectorOf(source.entity(id).numbers('DirectionRatios'));
};
