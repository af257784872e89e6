/** Warnings of geometry that plans of an IFC file omit or simplify. docs/decisions/0091. */
import { describe, expect, it } from 'vitest';
import {
  DRAWING_POINTS_MAX,
  OUTLINE_HOLES_MAX,
  OUTLINE_POINTS_MAX,
} from '../../../../src/domain/buildings/limits.ts';
import { outlineArea, type Outline } from '../../../../src/domain/buildings/outline.ts';
import { ifcReader } from '../../../../src/building/imports/ifc/ifc-reader.ts';
import { boundedDrawing } from '../../../../src/building/imports/ifc/storey-plan.ts';
import { isRefusal } from '../../../../src/engine/aggregates/decider.ts';
import {
  containing,
  globalId,
  ifcBuilding,
  quoted,
  set,
  type IfcLines,
} from '../../../support/domain/ifc-files.ts';
import {
  bodyAt,
  closedProfile,
  extrusion,
  placement,
  polyline,
  rectangle,
  representation,
  shapeOf,
} from '../../../support/domain/ifc-shapes.ts';

type Points = readonly (readonly [number, number])[];

const read = async (file: string) => {
  const reader = ifcReader();
  const outcome = reader.take(Buffer.from(file)) ?? (await reader.end());
  if (isRefusal(outcome)) throw new Error(outcome.detail);
  return outcome;
};

/** A room of these solids, and the warnings. */
const roomOf = async (solids: (file: IfcLines) => readonly string[]) => {
  const { document, warnings } = await read(
    ifcBuilding({
      storeys: [
        {
          id: 'G',
          name: 'Ground',
          elevation: 0,
          spaces: [
            {
              id: 'A',
              name: '1',
              shape: (file) => bodyAt(file, placement(file, '$'), solids(file)),
            },
          ],
        },
      ],
    }),
  );
  return { outline: document.building.storeys![0]!.spaces![0]!.outline, warnings };
};

const pointsIn = (outline: Outline | undefined): number =>
  outline!.reduce((sum, { length }) => sum + length, 0);

const square = (x: number, y: number, side: number): Points => [
  [x, y],
  [x + side, y],
  [x + side, y + side],
  [x, y + side],
];

/** A room of 50 m by 5 m with this many teeth along a side. */
const comb = (teeth: number, deep: number): Points => [
  [50, -5],
  [0, -5],
  ...Array.from(
    { length: teeth * 2 + 1 },
    (_, at) => [(50 * at) / (teeth * 2), at % 2 === 0 ? 0 : deep] as const,
  ),
];

const holed = (file: IfcLines, holes: number): string =>
  file.add(
    'IFCARBITRARYPROFILEDEFWITHVOIDS',
    '.AREA.',
    '$',
    polyline(file, [...square(0, 0, 40), [0, 0]]),
    set(
      ...Array.from({ length: holes }, (_, at) => {
        const corners = square(1 + (at % 10) * 3, 1 + Math.floor(at / 10) * 3, 1);
        return polyline(file, [...corners, corners[0]!]);
      }),
    ),
  );

describe('a room', () => {
  const COARSE = '1 spaces have a contour too fine for a plan; it was simplified by more than 2 cm';

  it('of parts that are apart is drawn by the largest, with a warning', async () => {
    const { outline, warnings } = await roomOf((file) => [
      extrusion(file, closedProfile(file, square(0, 0, 2))),
      extrusion(file, closedProfile(file, square(10, 0, 3))),
    ]);
    expect(outlineArea(outline!)).toBeCloseTo(9, 2);
    expect(warnings).toEqual(['1 spaces consist of several parts; the largest of each is drawn']);
  });

  it('of parts that touch is whole, without a warning', async () => {
    const { outline, warnings } = await roomOf((file) => [
      extrusion(file, closedProfile(file, square(0, 0, 2))),
      extrusion(file, closedProfile(file, square(2, 0, 2))),
    ]);
    expect([outlineArea(outline!).toFixed(2), warnings]).toEqual(['8.00', []]);
  });

  it('of a fine contour is simplified by more than 2 cm only where it must be', async () => {
    const few = await roomOf((file) => [extrusion(file, closedProfile(file, comb(80, 0.1)))]);
    expect([pointsIn(few.outline) > 150, few.warnings]).toEqual([true, []]);
    const many = await roomOf((file) => [extrusion(file, closedProfile(file, comb(300, 0.1)))]);
    expect(many.warnings).toEqual([COARSE]);
    expect(pointsIn(many.outline)).toBeLessThanOrEqual(OUTLINE_POINTS_MAX);
    expect(outlineArea(many.outline!)).toBeCloseTo(250, -1);
  });

  it('with more holes than an outline may have keeps the largest, with a warning', async () => {
    const most = await roomOf((file) => [extrusion(file, holed(file, OUTLINE_HOLES_MAX))]);
    expect([most.outline!.length - 1, most.warnings]).toEqual([OUTLINE_HOLES_MAX, []]);
    const more = await roomOf((file) => [extrusion(file, holed(file, OUTLINE_HOLES_MAX + 1))]);
    expect([more.outline!.length - 1, more.warnings]).toEqual([OUTLINE_HOLES_MAX, [COARSE]]);
  });
});

it('omits the smallest parts of a drawing that would be too large', () => {
  const parts = DRAWING_POINTS_MAX / 4;
  const walls: readonly Outline[] = Array.from({ length: parts }, (_, at) => [
    square(at * 3, 0, 1 + at / parts),
  ]);
  const whole = boundedDrawing({ walls, doors: [], windows: [] });
  expect([whole.drawing.walls.length, whole.left]).toEqual([parts, 0]);
  const door: Outline = [square(0, 9, 0.5)];
  const cut = boundedDrawing({ walls, doors: [door], windows: [] });
  expect([cut.drawing.walls.length, cut.drawing.doors, cut.left]).toEqual([parts, [], 1]);
});

describe('a wall', () => {
  const wallWith = async (shape: (file: IfcLines) => string) => {
    const { document } = await read(
      ifcBuilding({
        storeys: [{ id: 'G', name: 'Ground', elevation: 0 }],
        more(file, references) {
          const wall = file.add(
            'IFCWALL',
            quoted(globalId('W')),
            '$,$,$,$',
            placement(file, '$'),
            shape(file),
            '$,$',
          );
          containing(file, 'in', references.get('G')!, [wall]);
        },
      }),
    );
    return document.building.storeys![0]!.drawing?.walls;
  };
  const axis = (file: IfcLines) =>
    representation(file, 'Axis', 'Curve2D', [
      polyline(file, [
        [0, 0],
        [6, 0],
      ]),
    ]);

  it('is drawn by its body, whatever its axis', async () => {
    const body = (file: IfcLines) =>
      representation(file, 'Body', 'SweptSolid', [extrusion(file, rectangle(file, 4, 0.2))]);
    const both = await wallWith((file) => shapeOf(file, axis(file), body(file)));
    expect(both!.map(outlineArea)).toEqual([expect.closeTo(0.8, 3)]);
  });

  it('with only an axis is not drawn, because its thickness is unknown', async () => {
    expect(await wallWith((file) => shapeOf(file, axis(file)))).toBeUndefined();
  });
});
