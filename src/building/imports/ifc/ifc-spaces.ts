/** What an IFC file says of a space: its area and its type. */
import { IFCUNITASSIGNMENT } from 'web-ifc';
import { AREA_SQM_MAX, SLUG_CHARACTERS_MAX } from '../../../domain/buildings/limits.ts';
import type { IfcEntity, IfcModel } from './ifc-model.ts';
import { entitiesOf, type IfcRelations } from './ifc-relations.ts';

/** Of several areas the first of these; else the first one there is. */
const AREAS = ['NetFloorArea', 'GSA BIM Area', 'GrossFloorArea', 'NetArea', 'GrossArea', 'Area'];

/** Properties that say what a room is for, where no classification does. */
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
      unit: areaUnit(model, quantity.reference('Unit')),
    }));
  const properties = propertiesOf(model, definitions)
    .filter((property) => property.text('Name') === 'Area')
    .map((property) => ({ name: 'Area', area: property.number('NominalValue'), unit: null }));

  const found = [...quantities, ...properties].filter(({ area }) => area !== null && area > 0);
  const best = found.toSorted((a, b) => rank(a.name) - rank(b.name))[0];
  if (!best) return null;
  // Two decimals of a thousandth: what a model's author can have meant.
  const sqm = Math.round(best.area! * (best.unit ?? unitSqm) * 10_000) / 10_000;
  return sqm <= AREA_SQM_MAX ? sqm : null;
};

const rank = (name: string | null): number => {
  const place = AREAS.indexOf(name ?? '');
  return place === -1 ? AREAS.length : place;
};

/**
 * Square metres in one of the project's units of area: the one it states, else the square of its
 * unit of length. Default 1.
 */
export const areaUnitOf = (model: IfcModel): number => {
  const [assignment] = entitiesOf(model, model.idsOf(IFCUNITASSIGNMENT).slice(0, 1));
  const units = entitiesOf(model, assignment?.references('Units'));
  const unitOf = (type: string) => units.find((each) => each.text('UnitType') === type);
  const metres = metresIn(model, unitOf('LENGTHUNIT'));
  return areaUnit(model, unitOf('AREAUNIT')?.id ?? null) ?? (metres ?? 1) ** 2;
};

const areaUnit = (model: IfcModel, id: number | null): number | null => {
  const unit = id === null ? null : model.entity(id);
  if (!unit || unit.text('UnitType') !== 'AREAUNIT') return null;
  return unit.type === 'SIUnit' ? prefixOf(unit) ** 2 : conversionOf(model, unit);
};

const metresIn = (model: IfcModel, unit: IfcEntity | undefined): number | null => {
  if (!unit) return null;
  if (unit.type === 'SIUnit') return prefixOf(unit);
  // A foot is stated in the file's other unit of length, most often the metre.
  const factor = unit.reference('ConversionFactor');
  const measure = factor === null ? null : model.entity(factor);
  const base = measure?.reference('UnitComponent') ?? null;
  const baseUnit = base === null ? null : model.entity(base);
  const conversion = conversionOf(model, unit);
  return conversion && conversion * (baseUnit?.type === 'SIUnit' ? prefixOf(baseUnit) : 1);
};

const prefixOf = (unit: IfcEntity): number => prefixes[unit.text('Prefix') ?? ''] ?? 1;

/** How many of its base unit it is. */
const conversionOf = (model: IfcModel, unit: IfcEntity): number | null => {
  const factor = unit.reference('ConversionFactor');
  return (factor === null ? null : model.entity(factor)?.number('ValueComponent')) ?? null;
};

const prefixes: Readonly<Record<string, number>> = {
  KILO: 1_000,
  HECTO: 100,
  DECA: 10,
  DECI: 0.1,
  CENTI: 0.01,
  MILLI: 0.001,
};

/**
 * What kind of room it is: by its classification, else by a property that says so, its type
 * object, its own type, or its name without the number behind it; `space` where nothing is said.
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
    space.text('LongName')?.replace(/[\s\d.-]+$/, '') ?? null,
  ];
  for (const name of names) {
    const slug = name === null ? '' : slugOf(withoutCode(name));
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

/** `Büro / open` → `buro-open`; empty where no letter or digit is left. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_CHARACTERS_MAX)
    .replaceAll(/^-+|-+$/g, '');
