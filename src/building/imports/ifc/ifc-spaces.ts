/** Area and type of a space in an IFC file. */
import {
  AREA_SQM_MAX,
  NODE_NAME_CHARACTERS_MAX,
  SLUG_CHARACTERS_MAX,
} from '../../../domain/buildings/limits.ts';
import { normalised } from '../../../domain/normalised.ts';
import { nameOf, shortened } from './ifc-labels.ts';
import type { IfcEntity, IfcModel } from './ifc-model.ts';
import { entitiesOf, type IfcRelations } from './ifc-relations.ts';
import { statedUnitOf } from './ifc-units.ts';

/** Preferred areas, best first; else the space's first area is used. */
const AREAS = ['NetFloorArea', 'GSA BIM Area', 'GrossFloorArea', 'NetArea', 'GrossArea', 'Area'];

/** Properties that describe a room's use, if there is no classification. */
const USES = ['OmniClass Table 13 Category', 'Category Description', 'OccupancyType', 'Reference'];

/**
 * Square metres, from the quantities of the space, else from a property called `Area`.
 *
 * @param unitSqm Square metres in one of the file's units of area.
 */
export const areaOf = (
  model: IfcModel,
  relations: IfcRelations,
  space: IfcEntity,
  unitSqm: number,
): number | null => {
  const definitions = entitiesOf(model, relations.definitions.get(space.id));
  const quantities = definitions
    .filter(({ type }) => type === 'ElementQuantity')
    .flatMap((set) => entitiesOf(model, set.references('Quantities')))
    .filter(({ type }) => type === 'QuantityArea')
    .map((quantity) => ({
      name: quantity.text('Name'),
      area: quantity.number('AreaValue'),
      unit: statedUnitOf(model, quantity, 'AREAUNIT'),
    }));
  const properties = propertiesOf(model, definitions)
    .filter((property) => property.text('Name') === 'Area')
    .map((property) => ({
      name: 'Area',
      area: property.number('NominalValue'),
      unit: statedUnitOf(model, property, 'AREAUNIT'),
    }));

  const found = [...quantities, ...properties].filter(({ area }) => area !== null && area > 0);
  const best = found.toSorted((a, b) => rank(a.name) - rank(b.name))[0];
  if (!best) return null;
  // Rounded to four decimals, the precision that an author can have meant.
  const sqm = Math.round(best.area! * (best.unit ?? unitSqm) * 10_000) / 10_000;
  return sqm <= AREA_SQM_MAX ? sqm : null;
};

const rank = (name: string | null): number => {
  const place = AREAS.indexOf(name ?? '');
  return place === -1 ? AREAS.length : place;
};

/**
 * The type of a room: from its classification, else from a property for its use, its type object,
 * its own type, or its name without the trailing number; `space` if there is none of these.
 */
export const spaceTypeOf = (model: IfcModel, relations: IfcRelations, space: IfcEntity): string => {
  const classes = entitiesOf(model, relations.classifications.get(space.id)).map((reference) =>
    reference.text('Name'),
  );
  const properties = propertiesOf(model, entitiesOf(model, relations.definitions.get(space.id)));
  const uses = USES.map(
    (use) =>
      properties.find((property) => property.text('Name') === use)?.text('NominalValue') ?? null,
  );
  const typeId = relations.type.get(space.id);
  const type = typeId === undefined ? null : model.entity(typeId);
  const names = [
    ...classes,
    ...uses,
    type?.text('Name') ?? null,
    space.text('ObjectType'),
    // Shortened: the pattern takes the square of a text's length.
    nameOf(space, 'LongName').replace(/[\s\d.-]+$/, ''),
  ];
  for (const name of names) {
    const slug = slugOf(withoutCode(shortened(name ?? '', NODE_NAME_CHARACTERS_MAX)));
    if (slug !== '') return slug;
  }
  return 'space';
};

const propertiesOf = (model: IfcModel, definitions: readonly IfcEntity[]) =>
  definitions
    .filter(({ type }) => type === 'PropertySet')
    .flatMap((set) => entitiesOf(model, set.references('HasProperties')));

/** `13-85 11 11: Corridor` is a corridor. */
const withoutCode = (name: string): string => name.replace(/^[\d\s.-]+:\s*/, '');

/** `Büro / open` → `buro-open`; empty if no letter or digit is left. */
export const slugOf = (name: string): string =>
  normalised(name, 'NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_CHARACTERS_MAX)
    .replaceAll(/^-+|-+$/g, '');
