/** Elevations and heights of the storeys of an IFC file, in metres. */
import { ELEVATION_METRES_MAX } from '../../../domain/buildings/limits.ts';
import { wholeMillimetres } from '../../../domain/buildings/outline.ts';
import type { ExpressId, IfcEntity, IfcModel } from './ifc-model.ts';
import { entitiesOf, type IfcRelations } from './ifc-relations.ts';
import { lengthUnitOf, statedUnitOf } from './ifc-units.ts';
import { placementsIn } from './shapes/placements.ts';
import { shapeSource } from './shapes/shape-source.ts';

/**
 * Above the building's zero: the stated elevation, else that of the placement above the building's.
 * Storeys with neither are left out. Storeys are sorted by it, also beyond
 * {@link ELEVATION_METRES_MAX}.
 */
export const storeyElevations = (
  model: IfcModel,
  building: IfcEntity,
  storeys: readonly IfcEntity[],
): ReadonlyMap<ExpressId, number> => {
  const metresPerLength = lengthUnitOf(model);
  const source = shapeSource(model, Number.POSITIVE_INFINITY);
  const placements = placementsIn(source);
  const heightOf = (entity: IfcEntity): number => {
    const id = entity.reference('ObjectPlacement');
    const placement = id === null ? 'none' : source.shape(() => placements.ofProject(id));
    return typeof placement === 'string' ? Number.NaN : placement.origin[2];
  };
  const zero = heightOf(building) || 0;
  return new Map(
    storeys.flatMap((storey) => {
      const elevation = [storey.number('Elevation') ?? Number.NaN, heightOf(storey) - zero]
        .map((length) => wholeMillimetres(length * metresPerLength))
        .find(Number.isFinite);
      return elevation === undefined ? [] : [[storey.id, elevation] as const];
    }),
  );
};

/**
 * Heights up to the next storey, or as stated; else `null`.
 *
 * @param storeys From the lowest upwards.
 */
export const storeyHeights = (
  model: IfcModel,
  relations: IfcRelations,
  storeys: readonly IfcEntity[],
  elevations: ReadonlyMap<ExpressId, number>,
  metresPerLength: number,
): ReadonlyMap<ExpressId, number | null> => {
  const all = storeys.map(({ id }) => elevations.get(id) ?? Number.NaN);
  return new Map(
    storeys.map((storey, at) => {
      const elevation = all[at]!;
      const next = all.slice(at + 1).find((other) => other > elevation);
      const toNext = next === undefined ? null : boundedMetres(next - elevation);
      const height = toNext ?? statedHeight(model, relations, storey, metresPerLength);
      return [storey.id, height];
    }),
  );
};

const statedHeight = (
  model: IfcModel,
  relations: IfcRelations,
  storey: IfcEntity,
  metresPerLength: number,
): number | null => {
  const quantities = entitiesOf(model, relations.definitions.get(storey.id))
    .filter(({ type }) => type === 'ElementQuantity')
    .flatMap((set) => entitiesOf(model, set.references('Quantities')))
    .filter(({ type }) => type === 'QuantityLength');
  for (const name of HEIGHTS) {
    const stated = quantities.find((quantity) => quantity.text('Name') === name);
    if (!stated) continue;
    const unit = statedUnitOf(model, stated, 'LENGTHUNIT') ?? metresPerLength;
    const height = boundedMetres((stated.number('LengthValue') ?? Number.NaN) * unit);
    if (height !== null && height > 0) return height;
  }
  return null;
};

/** Preferred heights: from floor to floor, then from floor to ceiling. */
const HEIGHTS = ['GrossHeight', 'Height', 'NetHeight'];

/** In whole millimetres; `null` beyond {@link ELEVATION_METRES_MAX}. */
export const boundedMetres = (metres: number): number | null =>
  Math.abs(metres) <= ELEVATION_METRES_MAX ? wholeMillimetres(metres) : null;
