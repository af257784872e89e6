/**
 * From the entities of an IFC file to the document of a building: storeys, spaces and the
 * equipment in them, with their GlobalIds as external identifiers. contract.md section 6.
 */
import {
  IFCBUILDING,
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
import { refuse, type Refusal } from '../../../engine/aggregates/decider.ts';
import { CODE_CHARACTERS_MAX, NODE_NAME_CHARACTERS_MAX } from '../../../domain/buildings/limits.ts';
import type { IfcEntity, IfcModel } from './ifc-model.ts';
import { plansOf, type BuildingPlans } from './ifc-outlines.ts';
import { entitiesOf, placeOf, relationsIn, type IfcRelations } from './ifc-relations.ts';
import { areaOf, slugOf, spaceTypeOf } from './ifc-spaces.ts';
import { areaUnitOf } from './ifc-units.ts';

export interface ReadModel {
  readonly document: ImportDocument;
  /** Of what plans do not show as the file has it. */
  readonly warnings: readonly string[];
}

/**
 * A `VALIDATION_FAILED` for a file without a building, or with several, and for half of a node.
 *
 * @param file That the model is of.
 */
export const documentFrom = async (
  model: IfcModel,
  file: Uint8Array,
  onShapes: () => void = () => {},
): Promise<ReadModel | Refusal> => {
  const buildings = entitiesOf(model, model.idsOf(IFCBUILDING));
  const [building] = buildings;
  if (!building || buildings.length > 1) {
    return unfit(`${buildings.length} buildings are in the file; it must have one`);
  }
  const relations = relationsIn(model);
  const storeys = storeysIn(model);
  const spaces = spacesIn(model, relations);
  const elements = elementsIn(model, relations);
  if (storeys.length === 0 && spaces.length + elements.length > 0) {
    return unfit('the building has spaces or equipment, and no storey');
  }
  const named = [building, ...storeys, ...spaces.map(({ entity }) => entity), ...elements];
  const wrong = nameless(named);
  if (wrong) return wrong;

  const [project = null] = entitiesOf(model, model.idsOf(IFCPROJECT).slice(0, 1));
  const [site = null] = entitiesOf(model, model.idsOf(IFCSITE).slice(0, 1));
  onShapes();
  const plans = await plansOf(model, file, {
    building,
    site,
    storeys,
    ground: storeys[groundOf(storeys)] ?? null,
    spaces: spaces.map(({ entity }) => entity),
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
      storeys: assembled(storeys, spaces, elements, relations, model, plans),
    },
  };
  return { document, warnings: plans.warnings };
};

const unfit = (what: string): Refusal =>
  refuse('VALIDATION_FAILED', `${what}.`, { errors: [{ path: '', message: what }] });

/** From the lowest up. */
const storeysIn = (model: IfcModel): readonly IfcEntity[] =>
  entitiesOf(model, model.idsOf(IFCBUILDINGSTOREY)).toSorted(
    (a, b) => (a.number('Elevation') ?? 0) - (b.number('Elevation') ?? 0),
  );

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

/** Pipes, ducts, cables and their joints are what equipment hangs on, and none themselves. */
const connecting = /(Segment|Fitting|DistributionChamberElement|DistributionPort)$/;

/** Equipment, sensors and terminals; lifts. */
const elementsIn = (model: IfcModel, relations: IfcRelations): readonly IfcEntity[] =>
  entitiesOf(model, [
    ...model.idsOf(IFCDISTRIBUTIONELEMENT, 'withSubtypes'),
    ...model.idsOf(IFCTRANSPORTELEMENT, 'withSubtypes'),
  ]).filter((entity) => !connecting.test(typeNameOf(model, relations, entity)));

/** By its type object: IFC2x3 has the air terminal there alone. `AirTerminal`. */
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

/** Storeys with their contents; elements without a storey are put on the ground floor. */
const assembled = (
  storeys: readonly IfcEntity[],
  spaces: readonly ReadSpace[],
  elements: readonly IfcEntity[],
  relations: IfcRelations,
  model: IfcModel,
  plans: BuildingPlans,
): StoreyDocument[] => {
  const ground = groundOf(storeys);
  const documents = storeys.map((entity, index) => ({
    ...identityOf(entity),
    code: codeOf(entity, 'Name', 'LongName'),
    name: nameOf(entity, 'LongName', 'Name'),
    level: index - ground,
    ...plans.storeys.get(entity.id),
    spaces: [] as SpaceDocument[],
    elements: [] as ElementDocument[],
  }));
  const places = new Map<number, { readonly elements: ElementDocument[] }>();
  const storeyOf = new Map(storeys.map(({ id }, index) => [id, documents[index]!]));
  for (const [id, document] of storeyOf) places.set(id, document);

  for (const { entity, document } of spaces) {
    const storey = placeOf(entity.id, relations, storeyOf) ?? documents[ground];
    if (!storey) continue;
    const code = codeOf(entity, 'Name', 'LongName');
    const outline = plans.spaces.get(entity.id);
    const space = {
      ...document,
      code,
      ...(outline && { outline }),
      elements: [] as ElementDocument[],
    };
    storey.spaces.push(space);
    places.set(entity.id, space);
  }
  for (const entity of elements) {
    const place = placeOf(entity.id, relations, places) ?? documents[ground];
    place?.elements.push({
      ...identityOf(entity),
      code: codeOf(entity, 'Name', 'Tag'),
      name: nameOf(entity, 'Name', 'ObjectType', 'Tag'),
      elementTypeSlug: elementSlug(typeNameOf(model, relations, entity)),
    });
  }
  return documents;
};

/** Which storey is the ground floor: that whose elevation is nearest to the site's zero. */
const groundOf = (storeys: readonly IfcEntity[]): number => {
  const heights = storeys.map((storey) => Math.abs(storey.number('Elevation') ?? 0));
  return Math.max(0, heights.indexOf(Math.min(...heights)));
};

const first = (entity: IfcEntity | null, ...attributes: readonly string[]): string | null =>
  attributes.map((attribute) => entity?.text(attribute) ?? null).find((text) => text !== null) ??
  null;

const nameOf = (entity: IfcEntity, ...attributes: readonly string[]): string =>
  shortened(first(entity, ...attributes) ?? entity.type, NODE_NAME_CHARACTERS_MAX);

const shortened = (text: string, charactersMax: number): string =>
  text.length <= charactersMax ? text : text.slice(0, charactersMax).toWellFormed().trimEnd();

const identityOf = (entity: IfcEntity) => ({
  externalId: entity.text('GlobalId')!,
  sourceSystem: 'ifc',
});

/** Its label; several nodes may have the same. */
const codeOf = (entity: IfcEntity, ...attributes: readonly string[]): string =>
  shortened(
    first(entity, ...attributes) ?? entity.text('GlobalId')!,
    CODE_CHARACTERS_MAX - NUMBER_CHARACTERS,
  );

/** Reserved for the number that distinguishes nodes with the same label. */
const NUMBER_CHARACTERS = 10;

/** A node without a GlobalId, or with that of another, could not be found again. */
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
