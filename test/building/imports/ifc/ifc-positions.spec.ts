import { describe, expect, it } from 'vitest';
import { ifcReader } from '../../../../src/building/imports/ifc/ifc-reader.ts';
import { motionBetween, movedPosition } from '../../../../src/domain/buildings/plan-reference.ts';
import type { Position } from '../../../../src/domain/buildings/outline.ts';
import { isRefusal } from '../../../../src/engine/aggregates/decider.ts';
import {
  containing,
  globalId,
  ifcBuilding,
  quoted,
  type IfcLines,
} from '../../../support/domain/ifc-files.ts';
import { placement, real } from '../../../support/domain/ifc-shapes.ts';

interface Given {
  /** Placement of the storey. */
  readonly storey?: Parameters<typeof placement> extends [unknown, ...infer Rest] ? Rest : never;
  /** Where the lamp is; its placement is relative to `$`. */
  readonly lamp?: readonly number[];
  /** Where other lamps are. */
  readonly others?: readonly (readonly number[])[];
  readonly isInFeet?: boolean;
  readonly more?: (file: IfcLines) => void;
}

const metre = (file: IfcLines) => file.add('IFCSIUNIT', '*', '.LENGTHUNIT.', '$', '.METRE.');

const foot = (file: IfcLines) => {
  const measure = file.add('IFCMEASUREWITHUNIT', 'IFCLENGTHMEASURE(0.3048)', metre(file));
  const dimensions = file.add('IFCDIMENSIONALEXPONENTS', '1,0,0,0,0,0,0');
  const unit = [dimensions, '.LENGTHUNIT.', quoted('FOOT'), measure];
  return file.add('IFCCONVERSIONBASEDUNIT', ...unit);
};

const read = async ({
  storey = ['$'],
  lamp = [1, 2, 0],
  others = [],
  isInFeet = false,
  more,
}: Given) => {
  const text = ifcBuilding({
    units: (file) => (isInFeet ? [foot(file)] : []),
    storeys: [
      { id: 'S', name: '0', elevation: 0, placement: (file) => placement(file, ...storey) },
    ],
    more(file, references) {
      const made = [lamp, ...others].map((at, index) =>
        file.add(
          'IFCLIGHTFIXTURE',
          quoted(globalId(`L${index}`)),
          '$',
          quoted('Lamp'),
          '$,$',
          placement(file, '$', at),
          '$,$,$',
        ),
      );
      containing(file, 'in', references.get('S')!, made);
      more?.(file);
    },
  });
  const reader = ifcReader();
  const outcome = reader.take(Buffer.from(text)) ?? (await reader.end());
  if (isRefusal(outcome)) throw new Error(outcome.detail);
  const [element] = outcome.document.building.storeys![0]!.elements!;
  const { x, y } = element!;
  const at: Position | null = typeof x === 'number' ? [x, y!] : null;
  return { reference: outcome.reference!, warnings: outcome.warnings, at };
};

const near = ([x, y]: Position) => [expect.closeTo(x, 3), expect.closeTo(y, 3)];

describe('an element', () => {
  it('is where its placement is, in metres from the origin of the ground floor', async () => {
    const turned = { x: [0, 1, 0] };
    expect((await read({ storey: ['$', [10, 0, 0]], lamp: [11, 2, 1] })).at).toEqual([1, 2]);
    expect((await read({ storey: ['$', [10, 0, 0], turned], lamp: [10, 5, 0] })).at).toEqual([
      5, 0,
    ]);
    expect((await read({ lamp: [10, 20, 0], isInFeet: true })).at).toEqual([3.048, 6.096]);
  });

  it.each<[string, Given]>([
    ['its storey', { storey: ['$', [10, 0, 3]], lamp: [10, 0, 3] }],
    ['the project', { storey: ['$', [10, 0, 3]], lamp: [0, 0, 0] }],
  ])('that is placed where %s begins has no position', async (_, given) => {
    expect((await read(given)).at).toBeNull();
  });

  it('beyond the reach of plans has no position, with a warning', async () => {
    const { at, warnings } = await read({
      lamp: [1e9, 1, 0],
      others: [
        [1, 1, 0],
        [2, 1, 0],
      ],
    });
    expect(at).toBeNull();
    expect(warnings).toEqual(['1 elements are more than 100 km away and have no position']);
  });

  it('of a file in survey coordinates without shapes is whole kilometres nearer', async () => {
    const { at, warnings, reference } = await read({ lamp: [3_500_012, 5_800_034, 0] });
    expect([at, warnings]).toEqual([[12, 34], []]);
    expect(reference.project.shift).toEqual([3_500_000, 5_800_000]);
  });
});

describe('the coordinates of a file', () => {
  /** The lamp of both files is at one place. */
  const meets = async (one: Given, other: Given) => {
    const [a, b] = [await read(one), await read(other)];
    const motion = motionBetween(a.reference, b.reference);
    return { moved: movedPosition(motion!, a.at!), at: b.at! };
  };

  it('are those of the project, whatever the ground floor and the unit', async () => {
    const found = await meets(
      { storey: ['$', [10, -4, 0], { x: [0, 1, 0] }], lamp: [3.048, 6.096, 0] },
      { lamp: [10, 20, 0], isInFeet: true },
    );
    expect(found.moved).toEqual(near(found.at));
  });

  describe('are those of the map where the file says', () => {
    const onMap = (
      [east, north]: Position,
      [x, y]: Position,
      scale: string,
      unit?: (file: IfcLines) => string,
    ) => {
      return (file: IfcLines) => {
        const mapUnit = unit?.(file) ?? '$';
        const system = file.add('IFCPROJECTEDCRS', quoted('EPSG:25832'), '$,$,$,$,$', mapUnit);
        const context = file.add(
          'IFCGEOMETRICREPRESENTATIONCONTEXT',
          '$',
          quoted('Model'),
          '3,$',
          file.add('IFCAXIS2PLACEMENT3D', file.add('IFCCARTESIANPOINT', '(0.,0.,0.)'), '$,$'),
          '$',
        );
        const numbers = [east, north, 0, x, y].map(real);
        file.add('IFCMAPCONVERSION', context, system, ...numbers, scale);
      };
    };
    const inMetres: Position = [500_000, 4_000_000];
    const inFeet: Position = [500_000 / 0.3048, 4_000_000 / 0.3048];

    // Turned by a quarter: what is 2 m along x here is 2 m along y there.
    it.each([
      ['a scale between units', true, onMap(inMetres, [0, 1], '0.3048')],
      ['a scale between units and of the grid', true, onMap(inMetres, [0, 1], '0.30467808')],
      ['a scale of the grid', false, onMap(inMetres, [0, 1], '0.9996')],
      ['a unit of the map', true, onMap(inMetres, [0, 1], '$', metre)],
      ['a unit of the map and a scale', false, onMap(inFeet, [0, 1], '3.2795', foot)],
      ['the unit of the project', true, onMap(inFeet, [0, 1], '$')],
    ])('with %s', async (_, isInFeet, more) => {
      const lamp = [1, -2, 0].map((metres) => (isInFeet ? metres / 0.3048 : metres));
      const found = await meets(
        { lamp: [2, 1, 0], more: onMap(inMetres, [1, 0], '$') },
        { lamp, isInFeet, more },
      );
      expect(found.moved).toEqual(near(found.at));
    });
  });
});
