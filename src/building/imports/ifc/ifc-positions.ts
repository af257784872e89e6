/** Positions of an IFC file's equipment on plans, by its placement. */
import { COORDINATE_METRES_MAX } from '../../../domain/buildings/limits.ts';
import { wholeMillimetres, type Position } from '../../../domain/buildings/outline.ts';
import type { ExpressId, IfcEntity } from './ifc-model.ts';
import { surveyOffset } from './ifc-regions.ts';
import type { Placements } from './shapes/placements.ts';
import type { ShapeSource } from './shapes/shape-source.ts';
import { IDENTITY, type Vector } from './shapes/transforms.ts';

/** In metres. */
export interface ElementPosition {
  readonly x: number;
  readonly y: number;
}

export interface FoundPositions {
  readonly positions: ReadonlyMap<ExpressId, ElementPosition>;
  /** Survey offset in metres, which was subtracted from the plan's coordinates. */
  readonly survey: Position;
  /** Number of elements beyond the reach of plans, which have no position. */
  readonly left: number;
}

export interface PositionsGiven {
  readonly source: ShapeSource;
  readonly placements: Placements;
  readonly metresPerLength: number;
  /** Converts from the project's coordinates in metres. */
  readonly planOf: (position: Position) => Position;
  /** Survey offset of the regions; `null` without regions. */
  readonly survey: Position | null;
  /** Storeys, building and site. */
  readonly places: readonly IfcEntity[];
}

/**
 * An element placed at the origin of its storey, building or project has no position: its shape is
 * in those coordinates. Without regions, the positions define the survey offset.
 */
export const positionsOf = (
  elements: readonly IfcEntity[],
  { source, placements, metresPerLength, planOf, survey, places }: PositionsGiven,
): FoundPositions => {
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

  const planned = elements.flatMap((element) => {
    const origin = originOf(element);
    if (!origin || beginnings.has(keyOf(origin))) return [];
    const at = planOf([origin[0] * metresPerLength, origin[1] * metresPerLength]);
    return [{ id: element.id, at }];
  });
  const [dx, dy] = survey ?? surveyOffset(planned.map(({ at }) => at));
  const positions = new Map(
    planned.flatMap(({ id, at: [x, y] }) => {
      const near = [x - dx, y - dy] as const;
      const isOnSite = near.every((metres) => Math.abs(metres) <= COORDINATE_METRES_MAX);
      const position = { x: wholeMillimetres(near[0]), y: wholeMillimetres(near[1]) };
      return isOnSite ? [[id, position] as const] : [];
    }),
  );
  return { positions, survey: [dx, dy], left: planned.length - positions.size };
};
