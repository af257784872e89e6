/**
 * Converts the entities of an IFC file to the document of a building: storeys, spaces and the
 * equipment in them, with their GlobalIds as external identifiers. contract.md section 6.
 */
import {
  IFCBUILDINGSTOREY,
  IFCDISTRIBUTIONELEMENT,
  IFCPROJECT,
  IFCSITE,
  IFCSPACE,
  IFCTRANSPORTELEMENT,
} from 'web-ifc';
import type {
  ElementDocument,
  ImportDocument,
  SpaceDocument,
  StoreyDocument,
} from '../../../domain/buildings/document.ts';
import type { PlanReference } from '../../../domain/buildings/plan-reference.ts';
import { isRefusal, refuse, type Refusal } from '../../../engine/aggregates/decider.ts';
import {
  CODE_CHARACTERS_MAX,
  LEVEL_MAX,
  NODE_NAME_CHARACTERS_MAX,
} from '../../../domain/buildings/limits.ts';
import { chosenBuilding } from './ifc-buildings.ts';
import {
  codeOf,
  first,
  identityOf,
  madeFor,
  nameOf,
  shortened,
  type ElementParts,
  type Parts,
  type SpaceParts,
} from './ifc-labels.ts';
import type { ExpressId, IfcEntity, IfcModel } from './ifc-model.ts';
import { plansOf, type BuildingPlans } from './ifc-outlines.ts';
import { entitiesOf, placeOf, relationsIn, type IfcRelations } from './ifc-relations.ts';
import { areaOf, slugOf, spaceTypeOf } from './ifc-spaces.ts';
import { putSensors } from './ifc-sensors.ts';
import { storeyElevations } from './ifc-storeys.ts';
import { areaUnitOf } from './ifc-units.ts';

export interface ReadModel {
  readonly document: ImportDocument;
  readonly reference: PlanReference;
  /** Differences between the document and the file. */
  readonly warnings: readonly string[];
}

/**
 * Refuses `VALIDATION_FAILED` for a file without a building, or with several if none is chosen, and
 * for an incomplete node.
 *
 * @param file The bytes of the model.
 * @param globalId GlobalId of the building, if the file has several.
 */
export const documentFrom = async (
  model: IfcModel,
  file: Uint8Array,
  globalId?: string,
  onShapes: () => void = () => {},
): Promise<ReadModel | Refusal> => {
  const chosen = chosenBuilding(model, globalId);
  if (isRefusal(chosen)) return chosen;
  const { building } = chosen;
  const relations = relationsIn(model);
  const itself = new Map([[building.id, building]]);
  const isInside = ({ id }: IfcEntity) => chosen.isOnly || placeOf(id, relations, itself) !== null;
  const unsorted = entitiesOf(model, model.idsOf(IFCBUILDINGSTOREY)).filter(isInside);
  if (unsorted.length > STOREYS_MAX)
    return unfit(`the building has ${unsorted.length} storeys, more than ${STOREYS_MAX}`);
  const elevations = storeyElevations(model, building, unsorted);
  const elevationOf = ({ id }: IfcEntity) => elevations.get(id) ?? 0;
  const storeys = unsorted.toSorted((a, b) => elevationOf(a) - elevationOf(b));
  const ground = groundOf(storeys.map(elevationOf));
  const spaces = spacesIn(model, relations).filter(({ entity }) => isInside(entity));
  const elements = elementsIn(model, relations).filter(isInside);
  const named = [building, ...storeys, ...spaces.map(({ entity }) => entity), ...elements];
  const wrong = nameless(named);
  if (wrong) return wrong;

  const [project = null] = entitiesOf(model, model.idsOf(IFCPROJECT).slice(0, 1));
  const sites = entitiesOf(model, model.idsOf(IFCSITE));
  const own = placeOf(building.id, relations, new Map(sites.map((each) => [each.id, each])));
  const site = own ?? sites[0] ?? null;
  onShapes();
  const plans = await plansOf(model, file, {
    building,
    site,
    storeys,
    elevations,
    ground: storeys[ground] ?? null,
    spaces: spaces.map(({ entity }) => entity),
    elements,
    relations,
  });
  const name =
    first(building, 'LongName', 'Name') ?? first(project, 'LongName', 'Name') ?? 'Building';
  const document: ImportDocument = {
    site: {
      // Many sites have the default name, so the GlobalId is the code.
      code: shortened(first(site, 'GlobalId') ?? building.text('GlobalId')!, CODE_CHARACTERS_MAX),
      name: shortened(first(site, 'LongName', 'Name') ?? name, NODE_NAME_CHARACTERS_MAX),
    },
    building: {
      ...identityOf(building),
      code: shortened(
        first(building, 'Name') ?? first(project, 'Name') ?? name,
        CODE_CHARACTERS_MAX,
      ),
      name: shortened(name, NODE_NAME_CHARACTERS_MAX),
      ...(plans.north !== null && { north: plans.north }),
      storeys: assembled(building, storeys, ground, spaces, elements, relations, model, plans),
    },
  };
  const isWithoutStorey = storeys.length === 0 && spaces.length + elements.length > 0;
  const unplaced = storeys.length - elevations.size;
  const warnings = [
    ...(isWithoutStorey ? [NO_STOREY] : []),
    ...(unplaced > 0 ? [`${unplaced} storeys have ${NO_ELEVATION}`] : []),
    ...plans.warnings,
  ];
  return { document, reference: plans.reference, warnings };
};

const NO_STOREY = 'the file has no storey; one was created for its rooms and equipment';
const NO_ELEVATION = 'neither an elevation nor a placement; their levels are as if they were at 0';

/** From the lowest level to the highest. */
const STOREYS_MAX = 2 * LEVEL_MAX + 1;

const unfit = (what: string): Refusal =>
  refuse('VALIDATION_FAILED', `${what}.`, { errors: [{ path: '', message: what }] });

interface ReadSpace {
  readonly entity: IfcEntity;
  readonly document: Omit<SpaceDocument, 'code'>;
}

const spacesIn = (model: IfcModel, relations: IfcRelations): readonly ReadSpace[] => {
  const unitSqm = areaUnitOf(model);
  return entitiesOf(model, model.idsOf(IFCSPACE)).map((entity) => ({
    entity,
    document: {
      ...identityOf(entity),
      name: nameOf(entity, 'LongName', 'Name'),
      spaceTypeSlug: spaceTypeOf(model, relations, entity),
      areaSqm: areaOf(model, relations, entity, unitSqm),
    },
  }));
};

/** Pipes, ducts, cables and their joints only connect equipment. */
const connecting = /(Segment|Fitting|DistributionChamberElement|DistributionPort)$/;

/** Equipment, sensors and terminals; lifts. */
const elementsIn = (model: IfcModel, relations: IfcRelations): readonly IfcEntity[] =>
  entitiesOf(model, [
    ...model.idsOf(IFCDISTRIBUTIONELEMENT, 'withSubtypes'),
    ...model.idsOf(IFCTRANSPORTELEMENT, 'withSubtypes'),
  ]).filter((entity) => !connecting.test(typeNameOf(model, relations, entity)));

/** By the type object, because IFC2x3 has some types only there. Example: `AirTerminal`. */
const typeNameOf = (model: IfcModel, { type }: IfcRelations, entity: IfcEntity): string => {
  const id = type.get(entity.id);
  const object = id === undefined ? null : model.entity(id);
  const named = object?.type.replace(/(Type|Style)$/, '') ?? '';
  // A generic type object says less than the element.
  return named === '' || named === 'DistributionElement' || named === 'BuildingElementProxy'
    ? entity.type
    : named;
};

/** `AirTerminal` → `air-terminal`. */
const elementSlug = (typeName: string): string =>
  slugOf(typeName.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-')) || 'element';

interface StoreyParts extends StoreyDocument {
  readonly spaces: SpaceDocument[];
  readonly elements: ElementDocument[];
}

/** Storeys with their contents; elements without a storey are put on the ground floor. */
const assembled = (
  building: IfcEntity,
  storeys: readonly IfcEntity[],
  ground: number,
  spaces: readonly ReadSpace[],
  elements: readonly IfcEntity[],
  relations: IfcRelations,
  model: IfcModel,
  plans: BuildingPlans,
): StoreyDocument[] => {
  const documents: StoreyParts[] = storeys.map((entity, index) => ({
    ...identityOf(entity),
    code: codeOf(entity, 'Name', 'LongName'),
    name: nameOf(entity, 'LongName', 'Name'),
    level: index - ground,
    ...plans.storeys.get(entity.id),
    spaces: [],
    elements: [],
  }));
  if (storeys.length === 0 && spaces.length + elements.length > 0) {
    const made = { ...madeFor(identityOf(building), 'storey'), code: 'storey', name: 'Storey' };
    documents.push({ ...made, level: 0, spaces: [], elements: [] });
  }
  const places = new Map<ExpressId, Parts>();
  const rooms = new Map<ExpressId, SpaceParts>();
  const storeyOf = new Map(storeys.map(({ id }, index) => [id, documents[index]!]));
  for (const [id, document] of storeyOf) places.set(id, document);

  for (const { entity, document } of spaces) {
    const storey = placeOf(entity.id, relations, storeyOf) ?? documents[ground];
    if (!storey) continue;
    const code = codeOf(entity, 'Name', 'LongName');
    const outline = plans.spaces.get(entity.id);
    const space: SpaceParts = {
      ...document,
      code,
      ...(outline && { outline }),
      elements: [],
    };
    storey.spaces.push(space);
    places.set(entity.id, space);
    rooms.set(entity.id, space);
  }
  const hosts = new Map<ExpressId, ElementParts>();
  const sensors: IfcEntity[] = [];
  for (const entity of elements) {
    const typeName = typeNameOf(model, relations, entity);
    if (typeName === 'Sensor') {
      sensors.push(entity);
      continue;
    }
    const position = plans.positions.get(entity.id);
    const element = {
      ...identityOf(entity),
      code: codeOf(entity, 'Name', 'Tag'),
      name: nameOf(entity, 'Name', 'ObjectType', 'Tag'),
      elementTypeSlug: elementSlug(typeName),
      ...position,
      points: [],
    };
    hosts.set(entity.id, element);
    (placeOf(entity.id, relations, places) ?? documents[ground])?.elements.push(element);
  }
  const { positions } = plans;
  putSensors(sensors, {
    model,
    relations,
    hosts,
    rooms,
    places,
    ground: documents[ground],
    positions,
  });
  return documents;
};

/** The ground floor: the storey whose elevation is nearest to the building's zero. */
const groundOf = (elevations: readonly number[]): number => {
  const heights = elevations.map(Math.abs);
  return Math.max(0, heights.indexOf(Math.min(...heights)));
};

/** A later import could not match a node without a GlobalId, or with a duplicate one. */
const nameless = (entities: readonly IfcEntity[]): Refusal | null => {
  const seen = new Map<string, number>();
  for (const entity of entities) {
    const globalId = entity.text('GlobalId');
    if (globalId === null) return unfit(`#${entity.id} has no GlobalId`);
    const other = seen.get(globalId);
    if (other !== undefined) {
      return unfit(`#${other} and #${entity.id} have the same GlobalId ${shortened(globalId, 40)}`);
    }
    seen.set(globalId, entity.id);
  }
  return null;
};
