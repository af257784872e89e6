/**
 * The building of a sandbox as an import document: rooms, equipment and points. The same
 * parameters, seed included, always give the same document.
 */
import type {
  ElementDocument,
  ImportDocument,
  PointDocument,
  SpaceDocument,
  StoreyDocument,
} from '../../buildings/document.ts';
import { floorLayout } from '../../buildings/floor-layout.ts';
import type { SandboxParameters } from '../parameters.ts';
import { equipment, type EquipmentKind, type Reading } from './equipment.ts';
import { globalIdOf, sourceOf } from './random.ts';
import { roomKindsOf, roomsOf, storeyCodeOf, type Room } from './storey.ts';

/** A sandbox represents a building that was imported from BIM. */
const SOURCE_SYSTEM = 'ifc';

export const buildingDocument = (parameters: SandboxParameters): ImportDocument => {
  const { seed, storeys, buildingType } = parameters;
  const place = placeNames[Math.floor(sourceOf(seed, 'name')() * placeNames.length)]!;
  const levels = Array.from({ length: storeys }, (_, level) => level);
  return {
    site: { code: 'SITE', name: `${place} Quarter` },
    building: {
      code: 'MAIN',
      name: `${place} ${buildingType === 'mall' ? 'Centre' : 'House'}`,
      ...identityOf(seed, 'building'),
      north: Math.floor(sourceOf(seed, 'north')() * 360),
      storeys: levels.map((level) => storeyOf(parameters, level)),
    },
  };
};

export interface BuildingContents {
  /** Nodes of the building's graph, points included. */
  readonly nodes: number;
  readonly points: number;
}

/** The size of the {@link buildingDocument} of these parameters, without building it. */
export const contentsOf = (parameters: SandboxParameters): BuildingContents => {
  let nodes = 1 + parameters.storeys;
  let points = 0;
  const add = (kind: EquipmentKind, count = 1) => {
    points += count * kind.points.length;
    nodes += count * (1 + kind.points.length);
  };
  for (const [kind, count] of plantCounts(parameters)) add(kind, count);
  for (let level = 0; level < parameters.storeys; level += 1) {
    const rooms = roomKindsOf(parameters, level);
    nodes += rooms.length;
    for (const [index, room] of rooms.entries())
      for (const kind of inRoom(parameters, room, index)) add(kind);
    for (const kind of onStorey(parameters, level)) add(kind);
  }
  return { nodes, points };
};

const STOREY_HEIGHT_METRES = { office: 3.6, mall: 5.4 } as const;

const storeyOf = (parameters: SandboxParameters, level: number): StoreyDocument => {
  const { seed } = parameters;
  const code = storeyCodeOf(level);
  const rooms = roomsOf(parameters, level);
  const height = STOREY_HEIGHT_METRES[parameters.buildingType];
  const layout = floorLayout(
    rooms.map(({ kind, areaSqm }) => ({ areaSqm, isCorridor: kind.slug.endsWith('corridor') })),
  );
  return {
    code,
    name: level === 0 ? 'Ground floor' : `Floor ${level}`,
    level,
    elevation: level * height,
    height,
    ...(layout && { outline: layout.outline, drawing: layout.drawing }),
    ...identityOf(seed, `storey/${code}`),
    spaces: rooms.map((room, index) => ({
      ...spaceOf(parameters, code, room, index),
      ...(layout && { outline: layout.outlines[index] }),
    })),
    elements: [
      ...onStorey(parameters, level).map((kind, index) => elementOf(seed, kind, code, index + 1)),
      ...(level === 0 ? plantOf(parameters) : []),
    ],
  };
};

const spaceOf = (
  parameters: SandboxParameters,
  storeyCode: string,
  { kind, areaSqm }: Room,
  index: number,
): SpaceDocument => {
  const code = `${storeyCode}-${String(index + 1).padStart(3, '0')}`;
  return {
    code,
    name: `${titled(kind.slug)} ${code}`,
    spaceTypeSlug: kind.slug,
    areaSqm,
    isLeasable: kind.isLeasable ?? false,
    ...identityOf(parameters.seed, `space/${code}`),
    elements: inRoom(parameters, kind, index).map((each) => elementOf(parameters.seed, each, code)),
  };
};

/** The equipment of one room by the equipment density. */
const inRoom = (
  { equipmentDensity }: SandboxParameters,
  { isConditioned, isLeasable, slug }: Room['kind'],
  index: number,
): readonly EquipmentKind[] => {
  const { sensor, simpleSensor, vav, meter, lighting, waterMeter } = equipment;
  const tempered = isConditioned === true;
  switch (equipmentDensity) {
    case 'sparse':
      return [...(tempered ? [simpleSensor] : []), ...(tempered && index % 5 === 0 ? [vav] : [])];
    case 'realistic':
      return [
        ...(tempered ? [sensor] : []),
        ...(tempered && index % 3 !== 2 ? [vav] : []),
        ...(isLeasable ? [meter] : []),
      ];
    case 'dense':
      return [
        ...(tempered ? [sensor, vav] : []),
        meter,
        lighting,
        ...(slug === 'toilet' || slug === 'kitchenette' ? [waterMeter] : []),
      ];
  }
};

const onStorey = (
  { equipmentDensity }: SandboxParameters,
  level: number,
): readonly EquipmentKind[] => {
  const { ahu, meter, lighting } = equipment;
  const airHandling = { sparse: level % 3 === 0 ? [ahu] : [], realistic: [ahu], dense: [ahu, ahu] };
  return [...airHandling[equipmentDensity], meter, lighting];
};

/** The code of the air handling unit that supplies a room. See {@link onStorey}. */
export const airHandlingUnitOf = (
  { equipmentDensity }: SandboxParameters,
  level: number,
  roomIndex: number,
): string => {
  const storey = equipmentDensity === 'sparse' ? level - (level % 3) : level;
  const number = equipmentDensity === 'dense' ? 1 + (roomIndex % 2) : 1;
  return `${equipment.ahu.code}-${storeyCodeOf(storey)}-${number}`;
};

/** Central equipment, by the size of the building, on the ground floor. */
const plantOf = (parameters: SandboxParameters): readonly ElementDocument[] =>
  plantCounts(parameters).flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, index) =>
      elementOf(parameters.seed, kind, 'PLANT', index + 1),
    ),
  );

const plantCounts = ({
  areaSqm,
  storeys,
}: SandboxParameters): readonly (readonly [EquipmentKind, number])[] => {
  const chillers = Math.max(1, Math.ceil(areaSqm / 8_000));
  return [
    [equipment.chiller, chillers],
    [equipment.pump, 2 * chillers],
    [equipment.boiler, Math.max(1, Math.ceil(areaSqm / 10_000))],
    [equipment.elevator, storeys === 1 ? 0 : Math.max(1, Math.ceil(areaSqm / 8_000))],
    [equipment.meter, 1],
    [equipment.waterMeter, 1],
    [equipment.weather, 1],
  ];
};

/** @param number Only if there are several in one location. */
const elementOf = (
  seed: string,
  kind: EquipmentKind,
  place: string,
  number?: number,
): ElementDocument => {
  const code = `${kind.code}-${place}${number === undefined ? '' : `-${number}`}`;
  return {
    code,
    name: `${kind.name} ${number === undefined ? place : `${place}-${number}`}`,
    elementTypeSlug: kind.slug,
    ...identityOf(seed, `element/${code}`),
    points: kind.points.map((reading) => pointOf(seed, code, reading)),
  };
};

const pointOf = (
  seed: string,
  element: string,
  [suffix, name, pointClass, unit]: Reading,
): PointDocument => ({
  code: `${element}.${suffix}`,
  name,
  pointClass,
  valueType: unit === undefined ? 'boolean' : 'number',
  unit: unit ?? null,
  ...identityOf(seed, `point/${element}.${suffix}`),
});

const identityOf = (seed: string, path: string) => ({
  externalId: globalIdOf(seed, path),
  sourceSystem: SOURCE_SYSTEM,
});

/** `meeting-room` is `Meeting room`. */
const titled = (slug: string): string =>
  `${slug[0]!.toUpperCase()}${slug.slice(1).replaceAll('-', ' ')}`;

const placeNames = [
  'Harbour',
  'Linden',
  'Station',
  'Market',
  'Riverside',
  'Cathedral',
  'Garden',
  'Mill',
] as const;
