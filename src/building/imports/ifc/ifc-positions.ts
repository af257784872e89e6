/** Positions of an IFC file's equipment on plans, by its placement. */
import { COORDINATE_METRES_MAX } from '../../../domain/buildings/limits.ts';
import { wholeMillimetres, type Position } from '../../../domain/buildings/outline.ts';
import type { ExpressId, IfcEntity } from './ifc-model.ts';
import type { Placements } from './shapes/placements.ts';
import type { ShapeSource } from './shapes/shape-source.ts';
import { IDENTITY, type Vector } from './shapes/transforms.ts';

/** In metres. */
export interface ElementPosition {
  readonly x: number;
  readonly y: number;
}

export interface PositionsGiven {
  readonly source: ShapeSource;
  readonly placements: Placements;
  readonly metresPerLength: number;
  /** Converts from the project's coordinates in metres. */
  readonly planOf: (position: Position) => Position;
  /** Storeys, building and site. */
  readonly places: readonly IfcEntity[];
}

/**
 * In metres. An element placed at the origin of its storey, building or project has no position:
 * its shape is in those coordinates.
 */
export const positionsOf = (
  elements: readonly IfcEntity[],
  { source, placements, metresPerLength, planOf, places }: PositionsGiven,
): ReadonlyMap<ExpressId, ElementPosition> => {
  const originOf = (entity: IfcEntity): Vector | null => {
    const id = entity.reference('ObjectPlacement');
    if (id === null) return null;
    const placement = source.shape(() => placements.ofProject(id));
    return typeof placement === 'string' ? null : placement.origin;
  };
  const keyOf = (origin: Vector): string =>
    origin.map((length) => wholeMillimetres(length * metresPerLength)).join(' ');
  const origins = places.map(originOf).filter((origin) => origin !== null);
  const beginnings = new Set([...origins, IDENTITY.origin].map(keyOf));

  return new Map(
    elements.flatMap((element) => {
      const origin = originOf(element);
      if (!origin || beginnings.has(keyOf(origin))) return [];
      const [x, y] = planOf([origin[0] * metresPerLength, origin[1] * metresPerLength]);
      const isOnSite = [x, y].every((metres) => Math.abs(metres) <= COORDINATE_METRES_MAX);
      const position = { x: wholeMillimetres(x), y: wholeMillimetres(y) };
      return isOnSite ? [[element.id, position] as const] : [];
    }),
  );
};
