/**
 * The demo building of a development server: a small office of three storeys. Deterministic.
 */
import type {
  ElementDocument,
  ImportDocument,
  PointDocument,
  SpaceDocument,
  StoreyDocument,
} from '../domain/buildings/document.ts';
import { floorLayout } from '../domain/buildings/floor-layout.ts';

const SOURCE = 'demo';

export const demoBuilding = (): ImportDocument => ({
  site: { code: 'HARBOUR', name: 'Harbour Quarter' },
  building: {
    code: 'HQ',
    name: 'Harbour House',
    ...identity('HQ'),
    north: 20,
    storeys: storeys.map(storeyDocument),
  },
});

/** `[code, name, type, m², leasable?]` */
type Room = readonly [
  code: string,
  name: string,
  type: string,
  areaSqm: number,
  isLeasable?: boolean,
];

/** Equipment in the room with this code, or outside rooms. */
interface Equipment {
  readonly in?: string;
  readonly code: string;
  readonly name: string;
  readonly type: string;
  readonly points: readonly Reading[];
}

/** `[suffix of the code, name, Brick class, unit]`; without a unit the value is boolean. */
type Reading = readonly [suffix: string, name: string, pointClass: string, unit?: string];

interface Storey {
  readonly code: string;
  readonly name: string;
  readonly level: number;
  readonly rooms: readonly Room[];
  readonly equipment: readonly Equipment[];
}

const airHandling: readonly Reading[] = [
  ['SAT', 'Supply air temperature', 'Supply_Air_Temperature_Sensor', '°C'],
  ['RAT', 'Return air temperature', 'Return_Air_Temperature_Sensor', '°C'],
  ['FDP', 'Filter differential pressure', 'Filter_Differential_Pressure_Sensor', 'Pa'],
  ['RUN', 'Fan running', 'Fan_On_Off_Status'],
];
const metering: readonly Reading[] = [
  ['KW', 'Active power', 'Active_Power_Sensor', 'kW'],
  ['KWH', 'Energy', 'Electric_Energy_Sensor', 'kWh'],
];
const climate: readonly Reading[] = [
  ['T', 'Room temperature', 'Zone_Air_Temperature_Sensor', '°C'],
  ['CO2', 'Carbon dioxide', 'Zone_CO2_Level_Sensor', 'ppm'],
  ['OCC', 'Occupied', 'Occupancy_Status'],
];
const lift: readonly Reading[] = [
  ['TRIPS', 'Trips in five minutes', 'Elevator_Trip_Count', '1'],
  ['DOOR', 'Door fault', 'Door_Fault_Status'],
];
const flow: readonly Reading[] = [
  ['M3H', 'Water flow', 'Water_Flow_Sensor', 'm³/h'],
  ['LEAK', 'Leak detected', 'Leak_Alarm'],
];
const cooling: readonly Reading[] = [
  ['T', 'Rack inlet temperature', 'Zone_Air_Temperature_Sensor', '°C'],
  ['ALM', 'Unit alarm', 'Unit_Failure_Alarm'],
];

const storeys: readonly Storey[] = [
  {
    code: '00',
    name: 'Ground floor',
    level: 0,
    rooms: [
      ['00-001', 'Main entrance', 'lobby', 64],
      ['00-002', 'Reception', 'reception', 28],
      ['00-003', 'Café Anker', 'food-unit', 92, true],
      ['00-004', 'Café kitchen', 'kitchen', 31, true],
      ['00-005', 'Meeting room Elbe', 'meeting-room', 26],
      ['00-006', 'Meeting room Weser', 'meeting-room', 22],
      ['00-007', 'Post room', 'storage', 14],
      ['00-008', 'Toilets east', 'toilet', 18],
      ['00-009', 'Plant room', 'technical', 46],
      ['00-010', 'Electrical room', 'technical', 12],
      ['00-011', 'Bicycle store', 'storage', 40],
    ],
    equipment: [
      {
        code: 'AHU-1',
        name: 'Air handling unit 1',
        type: 'ahu',
        in: '00-009',
        points: airHandling,
      },
      {
        code: 'EM-0',
        name: 'Main meter',
        type: 'electrical-meter',
        in: '00-010',
        points: metering,
      },
      { code: 'WM-0', name: 'Water meter', type: 'water-meter', in: '00-009', points: flow },
      { code: 'LIFT-1', name: 'Passenger lift', type: 'elevator', points: lift },
      {
        code: 'RC-00-005',
        name: 'Room sensor Elbe',
        type: 'sensor',
        in: '00-005',
        points: climate,
      },
    ],
  },
  {
    code: '01',
    name: 'First floor',
    level: 1,
    rooms: [
      ['01-001', 'Open office north', 'open-office', 148, true],
      ['01-002', 'Open office south', 'open-office', 132, true],
      ['01-003', 'Office of the facility team', 'office', 24, true],
      ['01-004', 'Office of the finance team', 'office', 22, true],
      ['01-005', 'Meeting room Oder', 'meeting-room', 30],
      ['01-006', 'Phone booth 1', 'phone-booth', 4],
      ['01-007', 'Phone booth 2', 'phone-booth', 4],
      ['01-008', 'Tea kitchen', 'kitchenette', 13],
      ['01-009', 'Toilets east', 'toilet', 18],
      ['01-010', 'Corridor', 'corridor', 55],
    ],
    equipment: [
      { code: 'AHU-2', name: 'Air handling unit 2', type: 'ahu', points: airHandling },
      { code: 'EM-1', name: 'Meter first floor', type: 'electrical-meter', points: metering },
      {
        code: 'RC-01-001',
        name: 'Room sensor north',
        type: 'sensor',
        in: '01-001',
        points: climate,
      },
      {
        code: 'RC-01-005',
        name: 'Room sensor Oder',
        type: 'sensor',
        in: '01-005',
        points: climate,
      },
    ],
  },
  {
    code: '02',
    name: 'Second floor',
    level: 2,
    rooms: [
      ['02-001', 'Open office west', 'open-office', 156, true],
      ['02-002', 'Office of the management', 'office', 32, true],
      ['02-003', 'Office of the legal team', 'office', 20, true],
      ['02-004', 'Board room Spree', 'meeting-room', 48],
      ['02-005', 'Quiet room', 'office', 16],
      ['02-006', 'Tea kitchen', 'kitchenette', 12],
      ['02-007', 'Server room', 'server-room', 19],
      ['02-008', 'Toilets west', 'toilet', 18],
      ['02-009', 'Corridor', 'corridor', 52],
    ],
    equipment: [
      { code: 'EM-2', name: 'Meter second floor', type: 'electrical-meter', points: metering },
      { code: 'CRAC-1', name: 'Server cooling', type: 'crac', in: '02-007', points: cooling },
      {
        code: 'RC-02-004',
        name: 'Room sensor Spree',
        type: 'sensor',
        in: '02-004',
        points: climate,
      },
    ],
  },
];

const identity = (externalId: string) => ({ externalId, sourceSystem: SOURCE });

const storeyDocument = ({ code, name, level, rooms, equipment }: Storey): StoreyDocument => {
  const layout = floorLayout(
    rooms.map(([, , type, areaSqm]) => ({ areaSqm, isCorridor: type === 'corridor' })),
  )!;
  return {
    code,
    name,
    level,
    elevation: level * STOREY_HEIGHT_METRES,
    height: STOREY_HEIGHT_METRES,
    outline: layout.outline,
    drawing: layout.drawing,
    ...identity(`storey-${code}`),
    spaces: rooms.map((room, at) => ({
      ...spaceDocument(room, equipment),
      outline: layout.outlines[at],
    })),
    elements: equipment.filter((each) => each.in === undefined).map(elementDocument),
  };
};

const STOREY_HEIGHT_METRES = 3.6;

const spaceDocument = (
  [code, name, spaceTypeSlug, areaSqm, isLeasable = false]: Room,
  equipment: readonly Equipment[],
): SpaceDocument => ({
  code,
  name,
  spaceTypeSlug,
  areaSqm,
  isLeasable,
  ...identity(`space-${code}`),
  elements: equipment.filter((each) => each.in === code).map(elementDocument),
});

const elementDocument = ({ code, name, type, points }: Equipment): ElementDocument => ({
  code,
  name,
  elementTypeSlug: type,
  ...identity(`element-${code}`),
  points: points.map((reading) => pointDocument(code, reading)),
});

const pointDocument = (
  element: string,
  [suffix, name, pointClass, unit]: Reading,
): PointDocument => ({
  code: `${element}.${suffix}`,
  name,
  pointClass,
  valueType: unit === undefined ? 'boolean' : 'number',
  unit: unit ?? null,
  ...identity(`point-${element}.${suffix}`),
});
