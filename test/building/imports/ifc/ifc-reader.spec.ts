import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ImportDocument } from '../../../../src/domain/buildings/document.ts';
import { BUILDINGS_NAMED_MAX } from '../../../../src/domain/buildings/limits.ts';
import { isRefusal } from '../../../../src/engine/aggregates/decider.ts';
import { POINT_CLASS_CHARACTERS_MAX } from '../../../../src/limits.ts';
import { placeOf } from '../../../../src/building/imports/ifc/ifc-relations.ts';
import { ifcReader } from '../../../../src/building/imports/ifc/ifc-reader.ts';
import type { ReadDocument } from '../../../../src/building/imports/reader.ts';
import {
  containing,
  globalId,
  ifcBuilding,
  quoted,
  stepFile,
  type IfcBuildingGiven,
  type IfcLines,
  type IfcSchema,
} from '../../../support/domain/ifc-files.ts';
import { refusalOf } from '../../../support/domain/building-documents.ts';
import { placement } from '../../../support/domain/ifc-shapes.ts';

const outcomeOf = async (file: string | Buffer, building?: string) => {
  const reader = ifcReader(building);
  return reader.take(Buffer.from(file)) ?? (await reader.end());
};

const read = async (file: string | Buffer, building?: string): Promise<ReadDocument> => {
  const outcome = await outcomeOf(file, building);
  if (isRefusal(outcome)) throw new Error(outcome.detail);
  return outcome;
};

const documentOf = async (given: IfcBuildingGiven): Promise<ImportDocument> =>
  (await read(ifcBuilding(given))).document;

const storeysOf = async (given: IfcBuildingGiven) => (await documentOf(given)).building.storeys!;

const rooms = (...spaces: NonNullable<IfcBuildingGiven['storeys'][number]['spaces']>) => ({
  storeys: [{ id: 'S0', name: 'Level 0', elevation: 0, spaces }],
});

const ifc = (id: string) => ({ externalId: globalId(id), sourceSystem: 'ifc' });

/** Owner history, name, …, tag: what elements begin with. */
const elementOf = (file: IfcLines, type: string, id: string, name: string, ...rest: string[]) =>
  file.add(type, quoted(globalId(id)), '$', quoted(name), '$,$,$,$', quoted(`tag-${id}`), ...rest);

const typedBy = (file: IfcLines, type: string, name: string, elements: readonly string[]) => {
  const object = file.add(
    type,
    quoted(globalId(name)),
    '$',
    quoted(name),
    '$,$,$,$,$,$,.NOTDEFINED.',
  );
  const related = `(${elements.join(',')})`;
  file.add('IFCRELDEFINESBYTYPE', quoted(globalId(`rt-${name}`)), '$,$,$', related, object);
};

describe.each<IfcSchema>(['IFC2X3', 'IFC4'])('a model of %s', (schema) => {
  it('has its building, site, storeys and spaces with their GlobalIds', async () => {
    const document = await documentOf({
      schema,
      storeys: [
        {
          id: 'G',
          name: 'Ground',
          elevation: 0,
          spaces: [
            { id: 'A', name: '001', longName: 'Loading bay', area: 150.25 },
            { id: 'B', name: '002' },
          ],
        },
      ],
    });
    expect(document).toEqual({
      site: { code: globalId('site'), name: 'Default' },
      building: {
        ...ifc('building'),
        code: 'H2',
        name: 'Warehouse',
        storeys: [
          {
            ...ifc('G'),
            code: 'Ground',
            name: 'Ground',
            level: 0,
            elevation: 0,
            spaces: [
              {
                ...ifc('A'),
                code: '001',
                name: 'Loading bay',
                spaceTypeSlug: 'loading-bay',
                areaSqm: 150.25,
                elements: [],
              },
              {
                ...ifc('B'),
                code: '002',
                name: '002',
                spaceTypeSlug: 'space',
                areaSqm: null,
                elements: [],
              },
            ],
            elements: [],
          },
        ],
      },
    });
  });

  it('has equipment and terminals in their spaces, and no ducts or walls', async () => {
    const [storey] = await storeysOf({
      schema,
      ...rooms({ id: 'A', name: '001' }),
      more(file, references) {
        const terminal = elementOf(file, 'IFCFLOWTERMINAL', 'T', 'Diffuser');
        const boiler = elementOf(file, 'IFCENERGYCONVERSIONDEVICE', 'E', 'Boiler');
        const duct = elementOf(file, 'IFCFLOWSEGMENT', 'D', 'Duct');
        const wall = elementOf(file, 'IFCWALL', 'W', 'Wall', ...(schema === 'IFC4' ? ['$'] : []));
        typedBy(file, 'IFCAIRTERMINALTYPE', 'Air terminal type', [terminal]);
        containing(file, 'in-room', references.get('A')!, [terminal, duct, wall]);
        containing(file, 'on-storey', references.get('S0')!, [boiler]);
      },
    });
    const shown = (elements: readonly { code: string; elementTypeSlug: string }[] = []) =>
      elements.map(({ code, elementTypeSlug }) => [code, elementTypeSlug]);
    expect(shown(storey!.spaces![0]!.elements)).toEqual([['Diffuser', 'air-terminal']]);
    expect(shown(storey!.elements)).toEqual([['Boiler', 'energy-conversion-device']]);
    expect(storey!.elements![0]).toMatchObject({ ...ifc('E'), name: 'Boiler' });
  });
});

describe('a file of several buildings', () => {
  /** A tower beside the warehouse, each with a storey, a room and a pump. */
  const two = ifcBuilding({
    ...rooms({ id: 'A', name: '1' }),
    more(file, references) {
      const tower = file.add(
        'IFCBUILDING',
        quoted(globalId('tower')),
        '$',
        quoted('T'),
        '$,$,$,$',
        quoted('Tower'),
        '.ELEMENT.,$,$,$',
      );
      const storey = file.add(
        'IFCBUILDINGSTOREY',
        quoted(globalId('T0')),
        '$',
        quoted('Level T'),
        '$,$,$,$,$,.ELEMENT.,0.',
      );
      const pumps = ['P1', 'P2'].map((id) => elementOf(file, 'IFCFLOWMOVINGDEVICE', id, id));
      file.add('IFCRELAGGREGATES', quoted(globalId('rel-tower')), '$,$,$', tower, `(${storey})`);
      containing(file, 'in-a', references.get('A')!, [pumps[0]!]);
      containing(file, 'in-t', storey, [pumps[1]!]);
    },
  });

  it('returns the chosen one, with its content', async () => {
    const tower = (await read(two, globalId('tower'))).document.building;
    expect([tower.name, tower.storeys!.map(({ code }) => code)]).toEqual(['Tower', ['Level T']]);
    expect(tower.storeys![0]!.elements!.map(({ code }) => code)).toEqual(['P2']);
    expect(tower.storeys![0]!.spaces).toEqual([]);
    const warehouse = (await read(two, globalId('building'))).document.building;
    expect(warehouse.storeys!.map(({ code }) => code)).toEqual(['Level 0']);
    expect(warehouse.storeys![0]!.spaces![0]!.elements!.map(({ code }) => code)).toEqual(['P1']);
  });

  it.each([
    [undefined, '2 buildings are in the file; it must have one, or one must be chosen'],
    ['none', 'is the GlobalId of no building of the file'],
  ])('is refused with their names where %s is chosen', async (building, message) => {
    expect(refusalOf(await outcomeOf(two, building))).toMatchObject({
      refused: 'VALIDATION_FAILED',
      extra: {
        errors: [{ path: 'building', message }],
        buildings: [
          { globalId: globalId('building'), name: 'Warehouse' },
          { globalId: globalId('tower'), name: 'Tower' },
        ],
      },
    });
  });

  it('is refused with a bounded list of short names', async () => {
    const many = Array.from(
      { length: BUILDINGS_NAMED_MAX + 1 },
      (_, n) => `#${n + 1}=IFCBUILDING('${n}',$,'${'x'.repeat(5_000)}',$,$,$,$,$,$,$,$,$);`,
    );
    const { extra } = refusalOf(await outcomeOf(stepFile(many)));
    const named = extra!['buildings'] as readonly { name: string }[];
    expect(named).toHaveLength(BUILDINGS_NAMED_MAX);
    expect(named[0]!.name.length).toBeLessThan(200);
  });
});

describe('a file without a storey', () => {
  const file = ifcBuilding(rooms({ id: 'A', name: '1' })).replace(/#\d+=IFCBUILDINGSTOREY.*\n/, '');

  it('gets one, the same in every reading, with a warning', async () => {
    const { document, warnings } = await read(file);
    expect(warnings).toEqual([expect.stringContaining('the file has no storey')]);
    expect(document.building.storeys).toMatchObject([
      {
        externalId: `${globalId('building')}.storey`,
        sourceSystem: 'ifc',
        spaces: [{ code: '1' }],
      },
    ]);
  });

  it('and without content gets none', async () => {
    const { document, warnings } = await read(ifcBuilding({ storeys: [] }));
    expect([document.building.storeys, warnings]).toEqual([[], []]);
  });
});

describe('a sensor', () => {
  const related = (file: IfcLines, type: string, id: string, ...args: readonly string[]) =>
    file.add(type, quoted(globalId(id)), '$,$,$', ...args);

  const sensorOf = (file: IfcLines, id: string, kind: string, objectType = '$') =>
    file.add(
      'IFCSENSOR',
      quoted(globalId(id)),
      '$',
      quoted(id),
      '$',
      objectType,
      '$,$',
      quoted(`tag-${id}`),
      kind,
    );

  const sensing = (more: NonNullable<IfcBuildingGiven['more']>) =>
    storeysOf({ ...rooms({ id: 'A', name: '1' }), more });

  it('is a point of what it is assigned to, controls, is part of or is connected to', async () => {
    const [storey] = await sensing((file, references) => {
      const of = (id: string) => sensorOf(file, id, '.TEMPERATURESENSOR.');
      const boilers = ['B1', 'B2', 'B3', 'B4', 'B5'].map((id) =>
        elementOf(file, 'IFCBOILER', id, id, '$'),
      );
      const sensors = ['S1', 'S2', 'S3', 'S4', 'S5'].map(of);
      const [b1, b2, b3, b4, b5] = boilers as [string, string, string, string, string];
      const [s1, s2, s3, s4, s5] = sensors as [string, string, string, string, string];
      containing(file, 'in', references.get('A')!, [...boilers, s1, s2, s4, s5]);
      related(file, 'IFCRELASSIGNSTOPRODUCT', 'r1', `(${s1})`, '$', b1);
      related(file, 'IFCRELFLOWCONTROLELEMENTS', 'r2', `(${s2})`, b2);
      related(file, 'IFCRELAGGREGATES', 'r3', b3, `(${s3})`);
      const port = (id: string) =>
        file.add('IFCDISTRIBUTIONPORT', quoted(globalId(id)), '$,$,$,$,$,$,$,$,$');
      const [p1, p2, p3, p4] = ['p1', 'p2', 'p3', 'p4'].map(port) as [
        string,
        string,
        string,
        string,
      ];
      related(file, 'IFCRELCONNECTSPORTTOELEMENT', 'r4', p1, s4);
      related(file, 'IFCRELCONNECTSPORTTOELEMENT', 'r5', p2, b4);
      related(file, 'IFCRELCONNECTSPORTS', 'r6', p1, p2, '$');
      related(file, 'IFCRELNESTS', 'r7', s5, `(${p3})`);
      related(file, 'IFCRELNESTS', 'r8', b5, `(${p4})`);
      related(file, 'IFCRELCONNECTSPORTS', 'r9', p4, p3, '$');
    });
    const found = storey!.spaces![0]!.elements!.map(({ code, points }) => [
      code,
      points!.map((each) => each.code),
    ]);
    expect(found).toEqual([
      ['B1', ['S1']],
      ['B2', ['S2']],
      ['B3', ['S3']],
      ['B4', ['S4']],
      ['B5', ['S5']],
    ]);
  });

  it('that is assigned to nothing is a point of the sensors of its room, or its own', async () => {
    const [storey] = await sensing((file, references) => {
      const [s1, s2, s3, s4] = ['S1', 'S2', 'S3', 'S4'].map((id) =>
        sensorOf(file, id, '.NOTDEFINED.'),
      ) as [string, string, string, string];
      containing(file, 'in', references.get('A')!, [s1, s2]);
      containing(file, 'on', references.get('S0')!, [s3]);
      related(file, 'IFCRELASSIGNSTOPRODUCT', 'r1', `(${s4})`, '$', references.get('A')!);
    });
    expect(storey!.spaces![0]!.elements).toMatchObject([
      {
        externalId: `${globalId('A')}.sensors`,
        sourceSystem: 'ifc',
        code: '1 sensors',
        elementTypeSlug: 'sensors',
        points: [
          { ...ifc('S1'), code: 'S1', pointClass: 'sensor' },
          { ...ifc('S2'), code: 'S2' },
          { ...ifc('S4'), code: 'S4' },
        ],
      },
    ]);
    expect(storey!.elements).toMatchObject([
      { externalId: `${globalId('S3')}.sensors`, code: 'S3 sensors', points: [{ code: 'S3' }] },
    ]);
  });

  it.each([
    [
      '.TEMPERATURESENSOR.',
      '$',
      { pointClass: 'temperaturesensor', valueType: 'number', unit: '°C' },
    ],
    ['.CO2SENSOR.', '$', { pointClass: 'co2sensor', valueType: 'number', unit: 'ppm' }],
    ['.MOVEMENTSENSOR.', '$', { pointClass: 'movementsensor', valueType: 'boolean' }],
    ['.FLOWSENSOR.', '$', { pointClass: 'flowsensor', valueType: 'number', unit: null }],
    [
      '.USERDEFINED.',
      "'Desk Booking'",
      { pointClass: 'desk booking', valueType: 'number', unit: null },
    ],
    ['$', '$', { pointClass: 'sensor', valueType: 'number', unit: null }],
    [
      '.USERDEFINED.',
      `'${'a'.repeat(POINT_CLASS_CHARACTERS_MAX - 1)} long'`,
      { pointClass: 'a'.repeat(POINT_CLASS_CHARACTERS_MAX - 1), valueType: 'number', unit: null },
    ],
  ])('of %s %s measures %o', async (kind, objectType, measure) => {
    const [storey] = await sensing((file, references) => {
      containing(file, 'in', references.get('A')!, [sensorOf(file, 'S1', kind, objectType)]);
    });
    const [point] = storey!.spaces![0]!.elements![0]!.points!;
    expect(point).toEqual({ ...ifc('S1'), code: 'S1', name: 'S1', ...measure });
  });

  it('of IFC2X3 is recognised by its type object, which has the measure', async () => {
    const [storey] = await storeysOf({
      schema: 'IFC2X3',
      ...rooms({ id: 'A', name: '1' }),
      more(file, references) {
        const sensor = elementOf(file, 'IFCDISTRIBUTIONCONTROLELEMENT', 'C', 'CO2', '$');
        const type = file.add(
          'IFCSENSORTYPE',
          quoted(globalId('type')),
          '$',
          quoted('CO2'),
          '$,$,$,$,$,$,.CO2SENSOR.',
        );
        related(file, 'IFCRELDEFINESBYTYPE', 'rt', `(${sensor})`, type);
        containing(file, 'in', references.get('A')!, [sensor]);
      },
    });
    expect(storey!.spaces![0]!.elements![0]!.points).toMatchObject([
      { ...ifc('C'), code: 'CO2', pointClass: 'co2sensor', unit: 'ppm' },
    ]);
  });
});

describe('storeys', () => {
  it('are counted from the one nearest to zero', async () => {
    const storeys = await storeysOf({
      storeys: [
        { id: 'R', name: 'Roof', elevation: 6 },
        { id: 'L1', name: 'Level 1', elevation: 0.05 },
        { id: 'F', name: 'Foundation', elevation: -1.25 },
        { id: 'L2', name: 'Level 2', elevation: 3.1 },
      ],
    });
    expect(storeys.map(({ code, level }) => [code, level])).toEqual([
      ['Foundation', -1],
      ['Level 1', 0],
      ['Level 2', 1],
      ['Roof', 2],
    ]);
  });

  it('without an elevation have that of their placement above the building', async () => {
    let building = '';
    const at = (z: number) => (file: IfcLines) => {
      building ||= placement(file, '$', [0, 0, 450_000]);
      return placement(file, building, [0, 0, z]);
    };
    const given: IfcBuildingGiven = {
      storeys: [
        { id: 'L2', name: 'Level 2', elevation: null, placement: at(6_000) },
        { id: 'L1', name: 'Level 1', elevation: 3_000, placement: at(0) },
        { id: 'L0', name: 'Level 0', elevation: null, placement: at(0) },
        { id: 'B', name: 'Basement', elevation: null, placement: at(-3_000) },
      ],
      units: (file) => [file.add('IFCSIUNIT', '*', '.LENGTHUNIT.', '.MILLI.', '.METRE.')],
    };
    const file = ifcBuilding(given).replace(/(=IFCBUILDING\(.*?,'H2',\$,\$),\$/, `$1,${building}`);
    const { document, warnings } = await read(file);
    const storeys = document.building.storeys!;
    expect(storeys.map(({ code, level, elevation }) => [code, level, elevation])).toEqual([
      ['Basement', -1, -3],
      ['Level 0', 0, 0],
      ['Level 1', 1, 3],
      ['Level 2', 2, 6],
    ]);
    expect(warnings).toEqual([]);
  });

  it('are sorted by elevations that are too large to be kept', async () => {
    // In millimetres, of which the file says nothing.
    const storeys = [14_000, 10_500, 7_000, 3_500, 0].map((elevation) => ({
      id: `S${elevation}`,
      name: `${elevation}`,
      elevation,
    }));
    const { document, warnings } = await read(ifcBuilding({ storeys }));
    const shown = document.building.storeys!.map(({ code, level, elevation }) => [
      code,
      level,
      elevation,
    ]);
    expect(shown).toEqual([
      ['0', 0, 0],
      ['3500', 1, 3_500],
      ['7000', 2, 7_000],
      ['10500', 3, undefined],
      ['14000', 4, undefined],
    ]);
    expect(warnings).toEqual([]);
  });

  it('with neither an elevation nor a placement are counted in a warning', async () => {
    const storeys = ['S', 'T'].map((id) => ({ id, name: id, elevation: null }));
    const { document, warnings } = await read(ifcBuilding({ storeys }));
    expect(document.building.storeys!.map(({ level }) => level)).toEqual([0, 1]);
    expect(warnings).toEqual([
      expect.stringMatching(/^2 storeys have neither an elevation nor a placement/),
    ]);
  });

  it('that are more than there are levels are refused before they are read further', async () => {
    const storeys = Array.from({ length: 2_002 }, (_, at) => ({
      id: `S${at}`,
      name: `${at}`,
      elevation: at,
    }));
    expect(await outcomeOf(ifcBuilding({ storeys }))).toMatchObject({
      refused: 'VALIDATION_FAILED',
      detail: 'the building has 2002 storeys, more than 2001.',
    });
  });
});

describe('spaces', () => {
  it('have their names for codes, from which the import generates unique ones', async () => {
    const file = ifcBuilding(rooms({ id: 'A', name: '1' }, { id: 'B', name: '1' }));
    const { document, codes } = await read(file);
    expect(document.building.storeys![0]!.spaces!.map(({ code }) => code)).toEqual(['1', '1']);
    expect(codes).toBe('suggested');
  });

  it.each([
    ['its classification', { classification: '13-85 11 11: Meeting Spaces' }, 'meeting-spaces'],
    ['its name, without the number behind it', { longName: 'Büro 2.04' }, 'buro'],
    ['nothing, where nothing is said', {}, 'space'],
    ['its classification before its name', { classification: 'WC', longName: 'Lobby' }, 'wc'],
    [
      'its name, where its class is of another script',
      { classification: '会議', longName: 'Lobby' },
      'lobby',
    ],
    ['the stored part of their name', { longName: `${'1'.repeat(65_000)}x` }, 'space'],
    ['the stored part of their class', { classification: `${' -'.repeat(200)}x` }, 'space'],
  ])('have their type by %s', async (_, given, slug) => {
    const [storey] = await storeysOf(rooms({ id: 'A', name: '1', ...given }));
    expect(storey!.spaces![0]!.spaceTypeSlug).toBe(slug);
  });

  it.each([
    ['a SI unit with a prefix', 'IFCSIUNIT(*,.AREAUNIT.,.CENTI.,.SQUARE_METRE.)', 20_000, 2],
    ['a foot', 'IFCCONVERSIONBASEDUNIT($,.AREAUNIT.,$,#100)', 100, 9.2903],
    ['a foot of millimetres', 'IFCCONVERSIONBASEDUNIT($,.AREAUNIT.,$,#101)', 1_000, 92.903],
  ])('have their area in square metres, where the file has %s', async (_, unit, area, sqm) => {
    const file = ifcBuilding(rooms({ id: 'A', name: '1', area })).replace(
      'IFCSIUNIT(*,.AREAUNIT.,$,.SQUARE_METRE.);',
      [
        `${unit};`,
        '#100=IFCMEASUREWITHUNIT(IFCAREAMEASURE(0.09290304),$);',
        '#101=IFCMEASUREWITHUNIT(IFCAREAMEASURE(92903.04),#102);',
        '#102=IFCSIUNIT(*,.AREAUNIT.,.MILLI.,.SQUARE_METRE.);',
      ].join('\n'),
    );
    const { document } = await read(file);
    expect(document.building.storeys![0]!.spaces![0]!.areaSqm).toBe(sqm);
  });

  it.each([
    ['millimetres', 'IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.)', 7_560_000, 7.56],
    ['metres', 'IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.)', 7.56, 7.56],
    ['feet', 'IFCCONVERSIONBASEDUNIT($,.LENGTHUNIT.,$,#100)', 100, 9.2903],
    ['feet of millimetres', 'IFCCONVERSIONBASEDUNIT($,.LENGTHUNIT.,$,#102)', 100, 9.2903],
    ['yards of feet', 'IFCCONVERSIONBASEDUNIT($,.LENGTHUNIT.,$,#104)', 1_000, 836.1274],
    ['itself', 'IFCCONVERSIONBASEDUNIT($,.LENGTHUNIT.,$,#106)', 7.56, 68.04],
    ['micrometres', 'IFCSIUNIT(*,.LENGTHUNIT.,.MICRO.,.METRE.)', 7.56e12, 7.56],
  ])(
    'have their area by the unit of length, %s, without one of area',
    async (_, unit, ...areas) => {
      const [area, sqm] = areas;
      const file = ifcBuilding(rooms({ id: 'A', name: '1', area })).replace(
        'IFCSIUNIT(*,.AREAUNIT.,$,.SQUARE_METRE.);',
        [
          `${unit};`,
          '#100=IFCMEASUREWITHUNIT(IFCLENGTHMEASURE(0.3048),#101);',
          '#101=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);',
          '#102=IFCMEASUREWITHUNIT(IFCLENGTHMEASURE(304.8),#103);',
          '#103=IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.);',
          '#104=IFCMEASUREWITHUNIT(IFCLENGTHMEASURE(3.),#105);',
          '#105=IFCCONVERSIONBASEDUNIT($,.LENGTHUNIT.,$,#100);',
          '#106=IFCMEASUREWITHUNIT(IFCLENGTHMEASURE(3.),#1);',
        ].join('\n'),
      );
      const { document } = await read(file);
      expect(document.building.storeys![0]!.spaces![0]!.areaSqm).toBe(sqm);
    },
  );

  it.each([
    ['a derived unit', '#101', '#101=IFCDERIVEDUNIT((#102),.USERDEFINED.,$);'],
    ['a unit of a context', '#101', "#101=IFCCONTEXTDEPENDENTUNIT($,.AREAUNIT.,'m2');"],
    ['itself', '#1', ''],
    ['a unit of length', '#101', '#101=IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.);'],
  ])('have their area in square metres, where a foot is stated in %s', async (_, base, line) => {
    const given = {
      ...rooms({ id: 'A', name: '1', area: 100 }),
      units: (file: IfcLines) => [file.add('IFCSIUNIT', '*', '.LENGTHUNIT.', '.MILLI.', '.METRE.')],
    };
    const file = ifcBuilding(given).replace(
      'IFCSIUNIT(*,.AREAUNIT.,$,.SQUARE_METRE.);',
      [
        'IFCCONVERSIONBASEDUNIT($,.AREAUNIT.,$,#100);',
        `#100=IFCMEASUREWITHUNIT(IFCAREAMEASURE(0.09290304),${base});`,
        line,
        '#102=IFCDERIVEDUNITELEMENT(#103,2);',
        '#103=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);',
      ].join('\n'),
    );
    const { document } = await read(file);
    expect(document.building.storeys![0]!.spaces![0]!.areaSqm).toBe(9.2903);
  });

  it.each([
    ['a quantity', 'IFCQUANTITYAREA', ['$', 'FOOT', '1000.', '$']],
    ['a property', 'IFCPROPERTYSINGLEVALUE', ['$', 'IFCAREAMEASURE(1000.)', 'FOOT']],
  ])('have their area in square metres, where %s has its own unit', async (_, type, values) => {
    const [storey] = await storeysOf({
      ...rooms({ id: 'A', name: '1' }),
      more(file, references) {
        const metre = file.add('IFCSIUNIT', '*', '.AREAUNIT.', '$', '.SQUARE_METRE.');
        const measure = file.add('IFCMEASUREWITHUNIT', 'IFCAREAMEASURE(0.09290304)', metre);
        const foot = file.add('IFCCONVERSIONBASEDUNIT', '$', '.AREAUNIT.', '$', measure);
        const stated = values.map((value) => (value === 'FOOT' ? foot : value));
        const area = file.add(type, quoted('Area'), ...stated);
        const definition =
          type === 'IFCQUANTITYAREA'
            ? file.add('IFCELEMENTQUANTITY', quoted('q'), '$,$,$,$', `(${area})`)
            : file.add('IFCPROPERTYSET', quoted('p'), '$,$,$', `(${area})`);
        const room = `(${references.get('A')!})`;
        file.add('IFCRELDEFINESBYPROPERTIES', quoted('r'), '$,$,$', room, definition);
      },
    });
    expect(storey!.spaces![0]!.areaSqm).toBe(92.903);
  });

  it('are read as their authors wrote them', async () => {
    const longName = "B\\X2\\00FC\\X0\\ro \\S\\d it's (a, b); ü";
    const [storey] = await storeysOf(rooms({ id: 'A', name: '1', longName }));
    expect(storey!.spaces![0]!.name).toBe("Büro ä it's (a, b); ü");
  });

  it('have names as long as names may be', async () => {
    const [storey] = await storeysOf(
      rooms({ id: 'A', name: 'n'.repeat(300), longName: 'l'.repeat(300) }),
    );
    const { code, name } = storey!.spaces![0]!;
    expect([code.length, name.length]).toEqual([90, 200]);
  });
});

describe('common errors of exporters', () => {
  const nameOf = (outcome: ReadDocument) => outcome.document.building.storeys![0]!.spaces![0]!.name;
  const withName = (longName: string) => ifcBuilding(rooms({ id: 'A', name: '1', longName }));
  /** The line of the space's entity. */
  const LINE = 16;

  it.each([
    ['a shifted quote', String.raw`\S\' 12`, '§ 12', []],
    ['a path', String.raw`C:\temp`, String.raw`C:\temp`, []],
    ['a directive without its end', String.raw`B\X2\00FCro`, 'Büro', [/a malformed \\X2\\$/]],
    ['half a directive', String.raw`B\X2\00F\X0\ro`, 'Bro', [/a malformed \\X2\\$/]],
    ['half a pair', String.raw`A\X2\D83D\X0\B`, 'A\ufffdB', [/half of a surrogate pair$/]],
  ])('in a name, %s, is decoded as far as it can be', async (_, encoded, name, warnings) => {
    // `quoted` doubles quotes; one that is shifted stands alone.
    const outcome = await read(withName(encoded).replace(String.raw`\S\''`, String.raw`\S\'`));
    expect(nameOf(outcome)).toBe(name);
    expect(outcome.warnings).toEqual(warnings.map((pattern) => expect.stringMatching(pattern)));
    for (const warning of outcome.warnings) expect(warning).toMatch(`line ${LINE}: a text has `);
  });

  it('bytes of Latin-1 are letters, and are reported', async () => {
    const outcome = await read(Buffer.from(withName('Büro Süd'), 'latin1'));
    expect(nameOf(outcome)).toBe('Büro Süd');
    expect(outcome.warnings).toEqual([
      `line ${LINE}: a text has bytes that are not UTF-8; read as Latin-1`,
    ]);
  });

  it('a * where no value is derived leaves the other attributes in their places', async () => {
    const file = withName('Lobby').replace(/(=IFCSPACE\('[^']+'),\$,/, '$1,*,');
    const rooms = file.replace(/(=IFCRELAGGREGATES\('rel-S0[^']*'),\$,\$/, '$1,*,*');
    expect(rooms.match(/\*,/g)).toHaveLength(4);
    const outcome = await read(rooms);
    expect(outcome.document).toEqual((await read(withName('Lobby'))).document);
    expect(outcome.warnings).toEqual([
      `line ${LINE}: a * for an attribute that is not derived; read as $`,
      `line ${LINE + 1}: a * for an attribute that is not derived; read as $`,
      `line ${LINE + 1}: a * for an attribute that is not derived; read as $`,
    ]);
  });

  it('a byte order mark is no letter', async () => {
    expect(nameOf(await read(`\ufeff${withName('Lobby')}`))).toBe('Lobby');
  });

  it('warnings are named up to a bound', async () => {
    const spaces = Array.from({ length: 30 }, (_, n) => ({
      id: `R${n}`,
      name: `${n}`,
      longName: String.raw`B\X2\00FCro`,
    }));
    const { warnings } = await read(ifcBuilding(rooms(...spaces)));
    expect(warnings).toHaveLength(21);
    expect(warnings.at(-1)).toBe('and 10 more');
  });
});

describe('equipment', () => {
  it('that is part of another is located with it, otherwise on the ground floor', async () => {
    const [storey] = await storeysOf({
      ...rooms({ id: 'A', name: '001' }),
      more(file, references) {
        const unit = elementOf(file, 'IFCUNITARYEQUIPMENT', 'U', 'AHU', '$');
        const fan = elementOf(file, 'IFCFAN', 'F', 'Fan', '$');
        elementOf(file, 'IFCPUMP', 'P', 'Pump', '$');
        const parts = `(${fan})`;
        file.add('IFCRELAGGREGATES', quoted(globalId('parts')), '$,$,$', unit, parts);
        containing(file, 'in-room', references.get('A')!, [unit]);
      },
    });
    const codes = (elements: readonly { code: string }[] = []) => elements.map(({ code }) => code);
    expect(codes(storey!.spaces![0]!.elements)).toEqual(['AHU', 'Fan']);
    expect(codes(storey!.elements)).toEqual(['Pump']);
  });

  it('that is part of itself causes no endless loop', async () => {
    const [storey] = await storeysOf({
      ...rooms(),
      more(file) {
        const one = elementOf(file, 'IFCFAN', 'F', 'Fan', '$');
        const other = elementOf(file, 'IFCFAN', 'G', 'Fan', '$');
        file.add('IFCRELAGGREGATES', quoted(globalId('r1')), '$,$,$', one, `(${other})`);
        file.add('IFCRELAGGREGATES', quoted(globalId('r2')), '$,$,$', other, `(${one})`);
      },
    });
    expect(storey!.elements!.map(({ code }) => code)).toEqual(['Fan', 'Fan']);
  });

  it('is located with the nearest of 100 wholes that contain each other', () => {
    const whole = new Map(Array.from({ length: 1_000 }, (_, id) => [id, id + 1]));
    expect(placeOf(0, { whole }, new Map([[100, 'room']]))).toBe('room');
    expect(placeOf(0, { whole }, new Map([[101, 'room']]))).toBeNull();
  });
});

describe('any file', () => {
  const whole = ifcBuilding({
    schema: 'IFC2X3',
    storeys: [
      {
        id: 'G',
        name: 'Ground',
        elevation: 0,
        spaces: [{ id: 'A', name: '1', longName: 'Lobby', area: 20, classification: 'Lobby' }],
      },
    ],
    more(file, references) {
      const terminal = elementOf(file, 'IFCFLOWTERMINAL', 'T', 'Diffuser');
      typedBy(file, 'IFCAIRTERMINALTYPE', 'Air terminal type', [terminal]);
      containing(file, 'in-room', references.get('A')!, [terminal]);
    },
  });
  const data = whole.indexOf('DATA;');
  const pieces = ['$', '*', "'x'", '#1', '#999', '()', '(#1)', '1.', '.T.', 'IFCLABEL(1)', '', ','];

  it('is read or refused, whatever its content', async () => {
    const change = fc.record({
      at: fc.integer({ min: data, max: whole.length }),
      length: fc.integer({ min: 0, max: 12 }),
      by: fc.constantFrom(...pieces),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        const file = changes.reduce(
          (text, { at, length, by }) => text.slice(0, at) + by + text.slice(at + length),
          whole,
        );
        const outcome = await outcomeOf(file);
        expect(isRefusal(outcome) ? outcome.refused : 'read').toMatch(/^(VALIDATION_FAILED|read)$/);
      }),
      { numRuns: 60 },
    );
  });

  it('that gives an instance the wrong attributes is refused or read, each in turn', async () => {
    const lines = whole.split('\n');
    for (const [index, line] of lines.entries()) {
      if (!line.startsWith('#')) continue;
      for (const args of ['', '1', '$,$,$,$,$,$,$,$,$,$,$,$,$,$,$,$,$', '((((#1))))']) {
        const file = lines.with(index, line.replace(/\(.*\)/, `(${args})`)).join('\n');
        const outcome = await outcomeOf(file);
        expect(isRefusal(outcome) ? outcome.refused : 'read').toMatch(/^(VALIDATION_FAILED|read)$/);
      }
    }
  });
});

describe('a file', () => {
  const small = ifcBuilding(rooms({ id: 'A', name: '1' }));

  it('has the same hash again, and another one changed', async () => {
    const { hash } = await read(small);
    expect((await read(small)).hash).toBe(hash);
    expect((await read(small.replace("'1'", "'2'"))).hash).not.toBe(hash);
  });

  it.each([
    ['without a building', stepFile([]), /^building: 0 buildings are in the file/],
    [
      'with two',
      small.replace('ENDSEC;\nEND', "#99=IFCBUILDING('x',$,$,$,$,$,$,$,$,$,$,$);\nENDSEC;\nEND"),
      /^building: 2 buildings are in the file; it must have one, or one must be chosen/,
    ],
    [
      'with a space without a GlobalId',
      small.replace(quoted(globalId('A')), '$'),
      /^#\d+ has no GlobalId/,
    ],
    [
      'with a GlobalId twice',
      small.replace(quoted(globalId('A')), quoted(globalId('S0'))),
      /have the same GlobalId S0/,
    ],
    ['that is cut off', small.slice(0, -30), /^line 18: the file ends before END-ISO-10303-21/],
  ])('%s is refused', async (_, file, says) => {
    expect(refusalOf(await outcomeOf(file)).detail).toMatch(says);
  });
});
