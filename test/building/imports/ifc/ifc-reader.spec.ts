import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ImportDocument } from '../../../../src/domain/buildings/document.ts';
import { isRefusal } from '../../../../src/engine/aggregates/decider.ts';
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

const outcomeOf = async (file: string | Buffer) => {
  const reader = ifcReader();
  return reader.take(Buffer.from(file)) ?? (await reader.end());
};

const read = async (file: string | Buffer): Promise<ReadDocument> => {
  const outcome = await outcomeOf(file);
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
  it('gives its building, site, storeys and spaces with their GlobalIds', async () => {
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

  it('gives equipment, sensors and terminals where they are, and no ducts or walls', async () => {
    const [storey] = await storeysOf({
      schema,
      ...rooms({ id: 'A', name: '001' }),
      more(file, references) {
        const terminal = elementOf(file, 'IFCFLOWTERMINAL', 'T', 'Diffuser');
        const sensor = elementOf(
          file,
          'IFCDISTRIBUTIONCONTROLELEMENT',
          'C',
          'CO2',
          ...(schema === 'IFC4' ? [] : ['$']),
        );
        const boiler = elementOf(file, 'IFCENERGYCONVERSIONDEVICE', 'E', 'Boiler');
        const duct = elementOf(file, 'IFCFLOWSEGMENT', 'D', 'Duct');
        const wall = elementOf(file, 'IFCWALL', 'W', 'Wall', ...(schema === 'IFC4' ? ['$'] : []));
        typedBy(file, 'IFCAIRTERMINALTYPE', 'Air terminal type', [terminal]);
        typedBy(file, 'IFCSENSORTYPE', 'Sensor type', [sensor]);
        containing(file, 'in-room', references.get('A')!, [terminal, sensor, duct, wall]);
        containing(file, 'on-storey', references.get('S0')!, [boiler]);
      },
    });
    const shown = (elements: readonly { code: string; elementTypeSlug: string }[] = []) =>
      elements.map(({ code, elementTypeSlug }) => [code, elementTypeSlug]);
    expect(shown(storey!.spaces![0]!.elements)).toEqual([
      ['Diffuser', 'air-terminal'],
      ['CO2', 'sensor'],
    ]);
    expect(shown(storey!.elements)).toEqual([['Boiler', 'energy-conversion-device']]);
    expect(storey!.elements![0]).toMatchObject({ ...ifc('E'), name: 'Boiler' });
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
  ])('have their type by %s', async (_, given, slug) => {
    const [storey] = await storeysOf(rooms({ id: 'A', name: '1', ...given }));
    expect(storey!.spaces![0]!.spaceTypeSlug).toBe(slug);
  });

  it.each([
    ['a SI unit with a prefix', 'IFCSIUNIT(*,.AREAUNIT.,.CENTI.,.SQUARE_METRE.)', 20_000, 2],
    ['a foot', 'IFCCONVERSIONBASEDUNIT($,.AREAUNIT.,$,#100)', 100, 9.2903],
  ])('have their area in square metres, where the file has %s', async (_, unit, area, sqm) => {
    const file = ifcBuilding(rooms({ id: 'A', name: '1', area })).replace(
      'IFCSIUNIT(*,.AREAUNIT.,$,.SQUARE_METRE.);',
      `${unit};\n#100=IFCMEASUREWITHUNIT(IFCAREAMEASURE(0.09290304),$);`,
    );
    const { document } = await read(file);
    expect(document.building.storeys![0]!.spaces![0]!.areaSqm).toBe(sqm);
  });

  it.each([
    ['millimetres', 'IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.)', 7_560_000, 7.56],
    ['metres', 'IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.)', 7.56, 7.56],
    ['feet', 'IFCCONVERSIONBASEDUNIT($,.LENGTHUNIT.,$,#100)', 100, 9.2903],
    ['feet of millimetres', 'IFCCONVERSIONBASEDUNIT($,.LENGTHUNIT.,$,#102)', 100, 9.2903],
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
        ].join('\n'),
      );
      const { document } = await read(file);
      expect(document.building.storeys![0]!.spaces![0]!.areaSqm).toBe(sqm);
    },
  );

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

describe('what exporters get wrong', () => {
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
      `line ${LINE}: a * where no value is derived; read as $`,
      `line ${LINE + 1}: a * where no value is derived; read as $`,
      `line ${LINE + 1}: a * where no value is derived; read as $`,
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
  it('that is part of another stands where that stands, and else on the ground floor', async () => {
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

  it('that is part of itself ends nobody', async () => {
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

  it('is a document or is refused, whatever stands in it', async () => {
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
    ['without a building', stepFile([]), /^0 buildings are in the file/],
    [
      'with two',
      small.replace('ENDSEC;\nEND', "#99=IFCBUILDING('x',$,$,$,$,$,$,$,$,$,$,$);\nENDSEC;\nEND"),
      /^2 buildings/,
    ],
    ['with a space on no storey', small.replace(/#\d+=IFCBUILDINGSTOREY.*\n/, ''), /and no storey/],
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
