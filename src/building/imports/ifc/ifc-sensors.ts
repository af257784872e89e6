/**
 * The sensors of an IFC file as points: the element of each, and its measure. contract.md section 6
 * «model».
 */
import {
  IFCRELASSIGNSTOPRODUCT,
  IFCRELCONNECTSPORTS,
  IFCRELCONNECTSPORTTOELEMENT,
  IFCRELFLOWCONTROLELEMENTS,
} from 'web-ifc';
import type { PointDocument } from '../../../domain/buildings/document.ts';
import { POINT_CLASS_CHARACTERS_MAX } from '../../../limits.ts';
import {
  codeOf,
  identityOf,
  labelled,
  madeFor,
  nameOf,
  shortened,
  type ElementParts,
  type Parts,
  type SpaceParts,
} from './ifc-labels.ts';
import type { ExpressId, IfcEntity, IfcModel } from './ifc-model.ts';
import type { ElementPosition } from './ifc-positions.ts';
import { entitiesOf, placeOf, type IfcRelations } from './ifc-relations.ts';

type Measure = Pick<PointDocument, 'pointClass' | 'valueType' | 'unit'>;

/**
 * A sensor's measure, by its `PredefinedType`, else by that of its type object: a class in lower
 * case, with the value type and unit of this class. A user-defined class keeps the file's name; a
 * sensor without a type has the class `sensor`.
 */
export const measureOf = (
  model: IfcModel,
  { type }: Pick<IfcRelations, 'type'>,
  sensor: IfcEntity,
): Measure => {
  const typeId = type.get(sensor.id);
  const object = typeId === undefined ? null : model.entity(typeId);
  const predefined = predefinedTypeOf(sensor) ?? (object && predefinedTypeOf(object)) ?? 'SENSOR';
  const own = sensor.text('ObjectType') ?? object?.text('ElementType') ?? predefined;
  const named = predefined === 'USERDEFINED' ? own : predefined;
  const pointClass = shortened(named.toLowerCase(), POINT_CLASS_CHARACTERS_MAX);
  if (switches.has(predefined)) return { pointClass, valueType: 'boolean' };
  return { pointClass, valueType: 'number', unit: units[predefined] ?? null };
};

const predefinedTypeOf = (entity: IfcEntity): string | null => {
  const value = entity.text('PredefinedType');
  return value === 'NOTDEFINED' ? null : value;
};

/** Sensors with boolean values. */
const switches: ReadonlySet<string> = new Set([
  'CONTACTSENSOR',
  'FIRESENSOR',
  'FROSTSENSOR',
  'MOVEMENTSENSOR',
  'OBSTACLESENSOR',
  'SMOKESENSOR',
]);

/** By `PredefinedType`; the units of others are unknown. */
const units: Readonly<Record<string, string>> = {
  CO2SENSOR: 'ppm',
  CONDUCTANCESENSOR: 'S',
  COSENSOR: 'ppm',
  HEATSENSOR: '°C',
  HUMIDITYSENSOR: '%',
  LEVELSENSOR: 'm',
  LIGHTSENSOR: 'lx',
  MOISTURESENSOR: '%',
  PHSENSOR: 'pH',
  PRESSURESENSOR: 'Pa',
  SOUNDSENSOR: 'dB',
  TEMPERATURESENSOR: '°C',
  WINDSENSOR: 'm/s',
};

/**
 * The assignment of each product: by `IfcRelAssignsToProduct`, else as the control of a flow
 * element, else through connected ports.
 */
const assignmentsIn = (
  model: IfcModel,
  { whole }: Pick<IfcRelations, 'whole'>,
): ReadonlyMap<ExpressId, ExpressId> => {
  const relationsOf = (type: number) => entitiesOf(model, model.idsOf(type));
  const each = (type: number, related: string, relating: string) =>
    relationsOf(type).flatMap((relation) => {
      const to = relation.reference(relating);
      return to === null ? [] : relation.references(related).map((from) => [from, to] as const);
    });
  const ownerOfPort = new Map(whole);
  for (const relation of relationsOf(IFCRELCONNECTSPORTTOELEMENT)) {
    const [port, element] = [relation.reference('RelatingPort'), relation.reference(ELEMENT)];
    if (port !== null && element !== null) ownerOfPort.set(port, element);
  }
  const connected = relationsOf(IFCRELCONNECTSPORTS).flatMap((relation) => {
    const [one, other] = ['RelatingPort', 'RelatedPort'].map((end) => {
      const port = relation.reference(end);
      return port === null ? undefined : ownerOfPort.get(port);
    });
    if (one === undefined || other === undefined) return [];
    return [[one, other] as const, [other, one] as const];
  });
  return new Map([
    ...connected,
    ...each(IFCRELFLOWCONTROLELEMENTS, 'RelatedControlElements', 'RelatingFlowElement'),
    ...each(IFCRELASSIGNSTOPRODUCT, 'RelatedObjects', 'RelatingProduct'),
  ]);
};

const ELEMENT = 'RelatedElement';

export interface SensorsGiven {
  readonly model: IfcModel;
  readonly relations: IfcRelations;
  /** The file's equipment. */
  readonly hosts: ReadonlyMap<ExpressId, ElementParts>;
  readonly rooms: ReadonlyMap<ExpressId, SpaceParts>;
  /** Rooms and storeys. */
  readonly places: ReadonlyMap<ExpressId, Parts>;
  /** Holds sensors without a place. */
  readonly ground: Parts | undefined;
  readonly positions: ReadonlyMap<ExpressId, ElementPosition>;
}

/**
 * Makes each sensor a point of the element that it is assigned to or part of, else of an element
 * `sensors` of its room. A sensor on a storey gets its own such element, whose room is found by its
 * position.
 */
export const putSensors = (
  sensors: readonly IfcEntity[],
  { model, relations, hosts, rooms, places, ground, positions }: SensorsGiven,
): void => {
  if (sensors.length === 0) return;
  const assigned = assignmentsIn(model, relations);
  const made = new Map<SpaceParts, ElementParts>();
  for (const sensor of sensors) {
    const point: PointDocument = {
      ...identityOf(sensor),
      code: codeOf(sensor, 'Name', 'Tag'),
      name: nameOf(sensor, 'Name', 'ObjectType', 'Tag'),
      ...measureOf(model, relations, sensor),
    };
    const to = assigned.get(sensor.id) ?? null;
    const room = (to !== null && rooms.get(to)) || placeOf(sensor.id, relations, rooms);
    const host =
      (to !== null && hosts.get(to)) ||
      placeOf(sensor.id, relations, hosts) ||
      (room && made.get(room));
    if (host) {
      host.points.push(point);
      continue;
    }
    const position = positions.get(sensor.id);
    const { code, ...identity } = room
      ? { ...madeFor(room, 'sensors'), code: room.code }
      : { ...madeFor(point, 'sensors'), code: point.code };
    const element: ElementParts = {
      ...identity,
      code: labelled(`${code} sensors`),
      name: 'Sensors',
      elementTypeSlug: 'sensors',
      ...position,
      points: [point],
    };
    if (room) made.set(room, element);
    (room ?? placeOf(sensor.id, relations, places) ?? ground)?.elements.push(element);
  }
};
