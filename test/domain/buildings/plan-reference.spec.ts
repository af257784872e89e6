import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  combined,
  motionBetween,
  movedDocument,
  movedPosition,
  withoutShapes,
  type Motion,
  type PlanReference,
} from '../../../src/domain/buildings/plan-reference.ts';
import type { Position } from '../../../src/domain/buildings/outline.ts';
import { buildingOf, element, space, storey } from '../../support/domain/building-documents.ts';

const still: Motion = { turn: 0, shift: [0, 0] };
const motion = (turn: number, x: number, y: number): Motion => ({ turn, shift: [x, y] });
const file = (project: Motion, more: Partial<PlanReference> = {}): PlanReference => ({
  project,
  site: still,
  crs: null,
  ...more,
});

const anyMotion = fc
  .tuple(fc.double({ min: -3, max: 3, noNaN: true }), fc.integer(), fc.integer())
  .map(([turn, x, y]) => motion(turn, x % 10_000, y % 10_000));

const near = ([x, y]: Position) => [expect.closeTo(x, 4), expect.closeTo(y, 4)];

describe('two files of one building', () => {
  it('line up by the coordinates of their project', () => {
    fc.assert(
      fc.property(anyMotion, anyMotion, anyMotion, (a, b, at) => {
        const found = motionBetween(file(a), file(b))!;
        const [x, y] = movedPosition(found, at.shift);
        expect(movedPosition(b, [x, y])).toEqual(near(movedPosition(a, at.shift)));
      }),
    );
  });

  it('line up by map coordinates, regardless of their project coordinates', () => {
    fc.assert(
      fc.property(anyMotion, anyMotion, anyMotion, anyMotion, (a, b, mapA, mapB) => {
        const system = 'EPSG:25832';
        const one = file(a, { site: motion(0, 9, 9), crs: { ...mapA, system } });
        const other = file(b, { crs: { ...mapB, system } });
        const found = motionBetween(one, other)!;
        const onMap = movedPosition(combined(mapA, a), [3, 4]);
        expect(movedPosition(combined(mapB, b), movedPosition(found, [3, 4]))).toEqual(near(onMap));
      }),
    );
  });

  it.each<[string, Partial<PlanReference>, Partial<PlanReference>]>([
    ['sites are elsewhere', { site: motion(0, 0.02, 0) }, {}],
    ['sites are turned', { site: motion(0.001, 0, 0) }, {}],
    ['site cannot be read', { site: null }, {}],
    [
      'maps are of two systems, and sites elsewhere',
      { site: motion(0, 1, 0), crs: { ...still, system: 'EPSG:1' } },
      { crs: { ...still, system: 'EPSG:2' } },
    ],
    ['map is known of one alone', { site: motion(0, 1, 0), crs: { ...still, system: 'X' } }, {}],
  ])('cannot be compared where the %s', (_, one, other) => {
    expect(motionBetween(file(still, one), file(still, other))).toBeNull();
    expect(motionBetween(file(still, other), file(still, one))).toBeNull();
  });

  it('count as one site within a centimetre', () => {
    expect(motionBetween(file(still, { site: motion(0, 0.009, 0) }), file(still))).toEqual(still);
  });
});

describe('a document in other coordinates', () => {
  const outline = [
    [
      [0, 0],
      [2, 0],
      [2, 1],
      [0, 1],
    ],
  ] satisfies [number, number][][];
  const document = buildingOf([
    storey('0', {
      outline,
      drawing: { walls: [outline], doors: [], windows: [] },
      spaces: [space('1', { outline, elements: [element('a', { x: 1, y: 0 })] })],
      elements: [element('b', { x: 0, y: 1 }), element('c')],
    }),
  ]);

  it('has converted outlines, drawings and positions, in whole millimetres', () => {
    const { document: moved, left } = movedDocument(document, motion(Math.PI / 2, 10, 0.00049));
    const [ground] = moved.building.storeys!;
    const turned = [
      [
        [10, 0],
        [10, 2],
        [9, 2],
        [9, 0],
      ],
    ];
    expect(left).toBe(0);
    expect([ground!.outline, ground!.spaces![0]!.outline]).toEqual([turned, turned]);
    expect(ground!.drawing!.walls).toEqual([turned]);
    expect(ground!.spaces![0]!.elements![0]).toMatchObject({ x: 10, y: 1 });
    expect(ground!.elements).toMatchObject([{ x: 9, y: 0 }, { code: 'c' }]);
    expect(ground!.elements![1]!.x).toBeUndefined();
  });

  it('has north turned clockwise by as much as they turn back', () => {
    const northOf = (north: number | null, turn: number) => {
      const given = { ...document, building: { ...document.building, north } };
      return movedDocument(given, motion(turn, 10, 0)).document.building.north;
    };
    // North is +y of the file, which is -x of the building.
    expect(northOf(0, Math.PI / 2)).toBe(270);
    expect(northOf(350, -Math.PI / 6)).toBe(20);
    expect(northOf(20, 0)).toBe(20);
    expect(northOf(null, 1)).toBeNull();
  });

  it('is unchanged in the same coordinates', () => {
    expect(movedDocument(document, motion(0, 0.0004, 0)).document).toBe(document);
  });

  it('is converted by half a turn about the origin', () => {
    const [ground] = movedDocument(document, motion(Math.PI, 0, 0)).document.building.storeys!;
    expect(ground!.elements![0]).toMatchObject({ x: 0, y: -1 });
  });

  it("omits shapes and positions outside of the building's coordinates, and counts them", () => {
    const { document: moved, left } = movedDocument(document, motion(0, 1e9, 0));
    expect(left).toBe(5);
    expect(JSON.stringify(moved)).not.toMatch(/outline|drawing|"x"/);
  });

  it('can be stripped of them', () => {
    const given = { ...document, building: { ...document.building, north: 20 } };
    const text = JSON.stringify(withoutShapes(given));
    expect(text).not.toMatch(/outline|drawing|"x"|20/);
    expect(text).toContain('"code":"b"');
  });
});
