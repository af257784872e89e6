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
  readonly isInFeet?: boolean;
  readonly more?: (file: IfcLines) => void;
}

const read = async ({ storey = ['$'], lamp = [1, 2, 0], isInFeet = false, more }: Given) => {
  const text = ifcBuilding({
    units: (file) => {
      if (!isInFeet) return [];
      const metre = file.add('IFCSIUNIT', '*', '.LENGTHUNIT.', '$', '.METRE.');
      const foot = file.add('IFCMEASUREWITHUNIT', 'IFCLENGTHMEASURE(0.3048)', metre);
      const dimensions = file.add('IFCDIMENSIONALEXPONENTS', '1,0,0,0,0,0,0');
      const unit = [dimensions, '.LENGTHUNIT.', quoted('FOOT'), foot];
      return [file.add('IFCCONVERSIONBASEDUNIT', ...unit)];
    },
    storeys: [
      { id: 'S', name: '0', elevation: 0, placement: (file) => placement(file, ...storey) },
    ],
    more(file, references) {
      const made = file.add(
        'IFCLIGHTFIXTURE',
        quoted(globalId('L')),
        '$',
        quoted('Lamp'),
        '$,$',
        placement(file, '$', lamp),
        '$,$,$',
      );
      containing(file, 'in', references.get('S')!, [made]);
      more?.(file);
    },
  });
  const reader = ifcReader();
  const outcome = reader.take(Buffer.from(text)) ?? (await reader.end());
  if (isRefusal(outcome)) throw new Error(outcome.detail);
  const [element] = outcome.document.building.storeys![0]!.elements!;
  const { x, y } = element!;
  const at: Position | null = typeof x === 'number' ? [x, y!] : null;
  return { reference: outcome.reference!, at };
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

  it('beyond the reach of plans has no position', async () => {
    expect((await read({ lamp: [1e9, 1, 0] })).at).toBeNull();
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

  it('are those of the map where the file says, in the scale of the map', async () => {
    const onMap = (east: number, north: number, [x, y]: Position, scale: string) => {
      return (file: IfcLines) => {
        const system = file.add('IFCPROJECTEDCRS', quoted('EPSG:25832'), '$,$,$,$,$,$');
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
    // Turned by a quarter: what is 2 m along x here is 2 m along y there.
    const found = await meets(
      { lamp: [2, 1, 0], more: onMap(500_000, 4_000_000, [1, 0], '$') },
      {
        lamp: [1 / 0.3048, -2 / 0.3048, 0],
        isInFeet: true,
        more: onMap(500_000, 4_000_000, [0, 1], '0.3048'),
      },
    );
    expect(found.moved).toEqual(near(found.at));
  });
});
