/** The units of an IFC file. */
import { IFCUNITASSIGNMENT } from 'web-ifc';
import type { ExpressId, IfcEntity, IfcModel } from './ifc-model.ts';
import { entitiesOf } from './ifc-relations.ts';

/**
 * Square metres in the project's unit of area: the stated one, else the square of its unit of
 * length. Default 1.
 */
export const areaUnitOf = (model: IfcModel): number =>
  unitOf(model, 'AREAUNIT') ?? lengthUnitOf(model) ** 2;

/** Metres in the project's unit of length. Default 1. */
export const lengthUnitOf = (model: IfcModel): number => unitOf(model, 'LENGTHUNIT') ?? 1;

/** Radians in the project's unit of plane angles. Default 1. */
export const angleUnitOf = (model: IfcModel): number => unitOf(model, 'PLANEANGLEUNIT') ?? 1;

/** Metres or square metres in the unit that a value states itself; `null` without one. */
export const statedUnitOf = (
  model: IfcModel,
  stating: IfcEntity,
  type: 'LENGTHUNIT' | 'AREAUNIT',
  attribute = 'Unit',
): number | null => {
  const unit = referred(model, stating, attribute);
  return unit?.text('UnitType') === type ? factorOf(model, unit) : null;
};

const unitOf = (model: IfcModel, type: string): number | null => {
  const [assignment] = entitiesOf(model, model.idsOf(IFCUNITASSIGNMENT).slice(0, 1));
  const units = entitiesOf(model, assignment?.references('Units'));
  const unit = units.find((each) => each.text('UnitType') === type);
  return unit ? factorOf(model, unit) : null;
};

/**
 * Metres, square metres or radians in the unit. A foot is stated in the file's other unit of
 * length, most often the metre. A base of another type, or one that refers back, is the SI unit.
 */
const factorOf = (model: IfcModel, unit: IfcEntity): number | null => {
  const type = unit.text('UnitType');
  const converted = new Set<ExpressId>();
  let factor: number | null = null;
  let base: IfcEntity | null = unit;
  while (base?.text('UnitType') === type && !converted.has(base.id)) {
    if (base.type === 'SIUnit') {
      const prefix = prefixes[base.text('Prefix') ?? ''] ?? 1;
      return (factor ?? 1) * (type === 'AREAUNIT' ? prefix ** 2 : prefix);
    }
    const measure = referred(model, base, 'ConversionFactor');
    const value = measure?.number('ValueComponent') ?? null;
    if (!measure || value === null || converted.size === CONVERSIONS_MAX) return factor;
    factor = (factor ?? 1) * value;
    converted.add(base.id);
    base = referred(model, measure, 'UnitComponent');
  }
  return factor;
};

/** A mile is stated in yards, a yard in feet, a foot in inches, an inch in millimetres. */
const CONVERSIONS_MAX = 8;

const referred = (model: IfcModel, entity: IfcEntity, attribute: string): IfcEntity | null => {
  const id = entity.reference(attribute);
  return id === null ? null : model.entity(id);
};

const prefixes: Readonly<Record<string, number>> = {
  EXA: 1e18,
  PETA: 1e15,
  TERA: 1e12,
  GIGA: 1e9,
  MEGA: 1e6,
  KILO: 1e3,
  HECTO: 1e2,
  DECA: 1e1,
  DECI: 1e-1,
  CENTI: 1e-2,
  MILLI: 1e-3,
  MICRO: 1e-6,
  NANO: 1e-9,
  PICO: 1e-12,
  FEMTO: 1e-15,
  ATTO: 1e-18,
};
