/** Elevations and heights of the storeys of an IFC file, in metres. */
import { ELEVATION_METRES_MAX } from '../../../domain/buildings/limits.ts';
import type { ExpressId, IfcEntity, IfcModel } from './ifc-model.ts';
import { entitiesOf, type IfcRelations } from './ifc-relations.ts';

export interface StoreyHeights {
  /** Above the building's zero; `null` if the file does not define it. */
  readonly elevation: number | null;
  /** Up to the next storey, or the stated height; else `null`. */
  readonly height: number | null;
}

/** @param storeys From the lowest upwards. */
export const storeyHeights = (
  model: IfcModel,
  relations: IfcRelations,
  storeys: readonly IfcEntity[],
  metresPerLength: number,
): ReadonlyMap<ExpressId, StoreyHeights> => {
  const elevations = storeys.map((storey) =>
    inMillimetres(storey.number('Elevation'), metresPerLength),
  );
  return new Map(
    storeys.map((storey, at) => {
      const elevation = elevations[at]!;
      const above = elevations
        .slice(at + 1)
        .find((other) => other !== null && other > (elevation ?? 0));
      const toNext =
        elevation === null || above === undefined ? null : inMillimetres(above! - elevation, 1);
      const height = toNext ?? statedHeight(model, relations, storey, metresPerLength);
      return [storey.id, { elevation, height }];
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
    const height = inMillimetres(stated?.number('LengthValue') ?? null, metresPerLength);
    if (height !== null && height > 0) return height;
  }
  return null;
};

/** Preferred heights: from floor to floor, then from floor to ceiling. */
const HEIGHTS = ['GrossHeight', 'Height', 'NetHeight'];

const inMillimetres = (length: number | null, metresPerLength: number): number | null => {
  if (length === null) return null;
  const metres = Math.round(length * metresPerLength * 1_000) / 1_000 + 0;
  return Math.abs(metres) <= ELEVATION_METRES_MAX ? metres : null;
};
