/** The units of an IFC file. */
import { IFCUNITASSIGNMENT } from 'web-ifc';
import type { IfcEntity, IfcModel } from './ifc-model.ts';
import { entitiesOf } from './ifc-relations.ts';

/**
 * Square metres in the project's unit of area: the stated one, else the square of its unit of
 * length. Default 1.
 */
export const areaUnitOf = (model: IfcModel): number =>
  areaUnit(model, unitOf(model, 'AREAUNIT')?.id ?? null) ?? lengthUnitOf(model) ** 2;

/** Metres in the project's unit of length. Default 1. */
export const lengthUnitOf = (model: IfcModel): number =>
  factorOf(model, unitOf(model, 'LENGTHUNIT')) ?? 1;

/** Radians in the project's unit of plane angles. Default 1. */
export const angleUnitOf = (model: IfcModel): number =>
  factorOf(model, unitOf(model, 'PLANEANGLEUNIT')) ?? 1;

/** Square metres in a unit of area; `null` for any other unit. */
export const areaUnit = (model: IfcModel, id: number | null): number | null => {
  const unit = id === null ? null : model.entity(id);
  if (!unit || unit.text('UnitType') !== 'AREAUNIT') return null;
  return unit.type === 'SIUnit' ? prefixOf(unit) ** 2 : conversionOf(model, unit);
};

const unitOf = (model: IfcModel, type: string): IfcEntity | undefined => {
  const [assignment] = entitiesOf(model, model.idsOf(IFCUNITASSIGNMENT).slice(0, 1));
  const units = entitiesOf(model, assignment?.references('Units'));
  return units.find((each) => each.text('UnitType') === type);
};

/** Metres or radians in the unit. */
const factorOf = (model: IfcModel, unit: IfcEntity | undefined): number | null => {
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

/** Base units in the unit. */
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
