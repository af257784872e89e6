import { describe, expect, it } from 'vitest';
import type { SpaceDocument } from '../../../../src/domain/buildings/document.ts';
import { outlineArea, type Outline } from '../../../../src/domain/buildings/outline.ts';
import { ifcReader } from '../../../../src/building/imports/ifc/ifc-reader.ts';
import { isRefusal } from '../../../../src/engine/aggregates/decider.ts';
import {
  containing,
  globalId,
  ifcBuilding,
  quoted,
  set,
  type IfcBuildingGiven,
  type IfcLines,
  type IfcShape,
} from '../../../support/domain/ifc-files.ts';
import {
  axes,
  bodyAt,
  closedProfile,
  curveProfile,
  direction,
  extrusion,
  mappedItem,
  placement,
  point,
  polyline,
  real,
  rectangle,
  representation,
  shapeOf,
} from '../../../support/domain/ifc-shapes.ts';

const read = async (file: string) => {
  const reader = ifcReader();
  const outcome = reader.take(Buffer.from(file)) ?? (await reader.end());
  if (isRefusal(outcome)) throw new Error(outcome.detail);
  return outcome;
};

const buildingOf = async (given: IfcBuildingGiven) =>
  (await read(ifcBuilding(given))).document.building;

/** One room on the ground floor. */
const roomOf = (shape: (file: IfcLines) => IfcShape): IfcBuildingGiven => ({
  storeys: [{ id: 'S', name: 'Ground', elevation: 0, spaces: [{ id: 'A', name: '1', shape }] }],
});

const spaceOf = async (given: IfcBuildingGiven): Promise<SpaceDocument> =>
  (await buildingOf(given)).storeys![0]!.spaces![0]!;

const outlineOf = async (shape: (file: IfcLines) => IfcShape): Promise<Outline | undefined> =>
  (await spaceOf(roomOf(shape))).outline;

const sqmOf = async (solid: (file: IfcLines) => string): Promise<number> => {
  const outline = await outlineOf((file) => bodyAt(file, placement(file, '$'), [solid(file)]));
  return outline ? outlineArea(outline) : Number.NaN;
};

const boundsOf = (outline: Outline | undefined) => {
  const xs = outline!.flat().map(([x]) => x);
  const ys = outline!.flat().map(([, y]) => y);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
};

const L = [
  [0, 0],
  [5, 0],
  [5, 2],
  [2, 2],
  [2, 4],
  [0, 4],
] as const;

describe('a room has the area of its profile', () => {
  const indexed = (file: IfcLines, rows: readonly (readonly number[])[], ...runs: string[]) =>
    file.add(
      'IFCINDEXEDPOLYCURVE',
      file.add('IFCCARTESIANPOINTLIST2D', set(...rows.map((row) => set(...row.map(real))))),
      runs.length === 0 ? '$' : set(...runs),
      '$',
    );
  const arc = (file: IfcLines, radius: number, from: number, to: number, sense = '.T.') => {
    const circle = file.add('IFCCIRCLE', axes(file, [0, 0]), real(radius));
    const trim = (degrees: number) => `(IFCPARAMETERVALUE(${real(degrees)}))`;
    return file.add(
      'IFCTRIMMEDCURVE',
      circle,
      trim((from * Math.PI) / 180),
      trim((to * Math.PI) / 180),
      sense,
      '.PARAMETER.',
    );
  };
  const composite = (file: IfcLines, ...curves: readonly (readonly [string, string])[]) =>
    file.add(
      'IFCCOMPOSITECURVE',
      set(
        ...curves.map(([curve, sense]) =>
          file.add('IFCCOMPOSITECURVESEGMENT', '.CONTINUOUS.', sense, curve),
        ),
      ),
      '.F.',
    );

  it.each<[string, (file: IfcLines) => string, number]>([
    ['a rectangle', (file) => rectangle(file, 4, 3), 12],
    [
      'a rectangle that is turned',
      (file) => rectangle(file, 4, 3, axes(file, [9, 9], { x: [1, 1] })),
      12,
    ],
    ['a polyline', (file) => closedProfile(file, L), 14],
    ['a polyline that runs clockwise', (file) => closedProfile(file, L.toReversed()), 14],
    [
      'a profile with a hole',
      (file) =>
        file.add(
          'IFCARBITRARYPROFILEDEFWITHVOIDS',
          '.AREA.',
          '$',
          polyline(file, [
            [0, 0],
            [6, 0],
            [6, 5],
            [0, 5],
            [0, 0],
          ]),
          set(
            polyline(file, [
              [1, 1],
              [2, 1],
              [2, 3],
              [1, 3],
              [1, 1],
            ]),
          ),
        ),
      28,
    ],
    [
      'rounded corners',
      (file) => file.add('IFCROUNDEDRECTANGLEPROFILEDEF', '.AREA.', '$', '$', '4.', '3.', '0.5'),
      12 - (4 - Math.PI) * 0.25,
    ],
    [
      'a hollow rectangle',
      (file) =>
        file.add('IFCRECTANGLEHOLLOWPROFILEDEF', '.AREA.', '$', '$', '4.', '3.', '0.5', '$', '$'),
      12 - 3 * 2,
    ],
    ['a circle', (file) => file.add('IFCCIRCLEPROFILEDEF', '.AREA.', '$', '$', '2.'), 4 * Math.PI],
    [
      'a ring',
      (file) => file.add('IFCCIRCLEHOLLOWPROFILEDEF', '.AREA.', '$', '$', '2.', '1.'),
      3 * Math.PI,
    ],
    [
      'an ellipse',
      (file) => file.add('IFCELLIPSEPROFILEDEF', '.AREA.', '$', '$', '3.', '2.'),
      6 * Math.PI,
    ],
    ['indexed points', (file) => curveProfile(file, indexed(file, [...L, L[0]])), 14],
    [
      'indexed lines and an arc',
      (file) =>
        curveProfile(
          file,
          indexed(
            file,
            [
              [0, -2],
              [2, 0],
              [0, 2],
            ],
            'IFCARCINDEX((1,2,3))',
            'IFCLINEINDEX((3,1))',
          ),
        ),
      2 * Math.PI,
    ],
    [
      'an arc by parameters and a line',
      (file) =>
        curveProfile(
          file,
          composite(
            file,
            [arc(file, 2, 270, 90), '.T.'],
            [
              polyline(file, [
                [0, 2],
                [0, -2],
              ]),
              '.T.',
            ],
          ),
        ),
      2 * Math.PI,
    ],
    [
      'a segment that runs against its curve',
      (file) =>
        curveProfile(
          file,
          composite(
            file,
            [arc(file, 2, 0, 90), '.F.'],
            [
              polyline(file, [
                [2, 0],
                [0, 0],
                [0, 2],
              ]),
              '.T.',
            ],
          ),
        ),
      Math.PI,
    ],
    [
      'an arc that runs clockwise',
      (file) =>
        curveProfile(
          file,
          composite(
            file,
            [arc(file, 2, 0, 90, '.F.'), '.T.'],
            [
              polyline(file, [
                [0, 2],
                [0, 0],
                [2, 0],
              ]),
              '.T.',
            ],
          ),
        ),
      3 * Math.PI,
    ],
    [
      'a profile that is moved and mirrored',
      (file) =>
        file.add(
          'IFCDERIVEDPROFILEDEF',
          '.AREA.',
          '$',
          closedProfile(file, L),
          file.add(
            'IFCCARTESIANTRANSFORMATIONOPERATOR2D',
            direction(file, 1, 0),
            direction(file, 0, -1),
            point(file, 7, 7),
            '2.',
          ),
          '$',
        ),
      14 * 4,
    ],
    [
      'two profiles in one',
      (file) =>
        file.add(
          'IFCCOMPOSITEPROFILEDEF',
          '.AREA.',
          '$',
          set(rectangle(file, 4, 3), rectangle(file, 4, 3, axes(file, [4, 0]))),
          '$',
        ),
      24,
    ],
  ])('%s', async (_, profile, sqm) => {
    const found = await sqmOf((file) => extrusion(file, profile(file)));
    expect(found / sqm).toBeCloseTo(1, 2);
  });

  it('within 2 cm and 200 positions, however many its curve has', async () => {
    const wave = Array.from({ length: 3_000 }, (_, at) => {
      const angle = (2 * Math.PI * at) / 3_000;
      const radius = 10 + 0.004 * Math.cos(angle * 700);
      return [radius * Math.cos(angle), radius * Math.sin(angle)];
    });
    const outline = await outlineOf((file) =>
      bodyAt(file, placement(file, '$'), [extrusion(file, closedProfile(file, wave))]),
    );
    expect(outline!.flat().length).toBeLessThanOrEqual(200);
    for (const [x, y] of outline!.flat()) expect(Math.hypot(x, y)).toBeCloseTo(10, 1.5);
    expect(outlineArea(outline!) / (100 * Math.PI)).toBeCloseTo(1, 2);
  });
});

describe('a solid covers', () => {
  it.each<[string, (file: IfcLines) => string, number]>([
    [
      'its profile, where it is moved and turned upside down',
      (file) =>
        extrusion(file, closedProfile(file, L), {
          position: axes(file, [1, 2, 3], { z: [0, 0, -1], x: [0, 1, 0] }),
        }),
      14,
    ],
    [
      'what a wall that lies on its side does',
      (file) =>
        extrusion(file, rectangle(file, 3, 0.5), {
          position: axes(file, [0, 0, 0], { z: [1, 0, 0], x: [0, 0, 1] }),
          depth: 8,
        }),
      4,
    ],
    [
      'the way that an oblique extrusion goes',
      (file) => extrusion(file, rectangle(file, 2, 2), { towards: [3, 0, 4], depth: 5 }),
      2 * (2 + 3),
    ],
    [
      'the first operand of a clipping',
      (file) => {
        const half = file.add(
          'IFCHALFSPACESOLID',
          file.add('IFCPLANE', axes(file, [0, 0, 2])),
          '.F.',
        );
        const solid = extrusion(file, rectangle(file, 4, 3));
        return file.add('IFCBOOLEANCLIPPINGRESULT', '.DIFFERENCE.', solid, half);
      },
      12,
    ],
    [
      'the first operand of a difference without the second',
      (file) => {
        const [room, shaft] = [10, 4].map((side) => extrusion(file, rectangle(file, side, side)));
        return file.add('IFCBOOLEANRESULT', '.DIFFERENCE.', room!, shaft!);
      },
      100 - 16,
    ],
    [
      'what it is mapped to',
      (file) =>
        mappedItem(
          file,
          [extrusion(file, rectangle(file, 4, 3))],
          file.add(
            'IFCCARTESIANTRANSFORMATIONOPERATOR3D',
            direction(file, 0, 1, 0),
            direction(file, -1, 0, 0),
            point(file, 1, 1, 0),
            '1.5',
            direction(file, 0, 0, 1),
          ),
        ),
      12 * 2.25,
    ],
  ])('%s', async (_, solid, sqm) => expect(await sqmOf(solid)).toBeCloseTo(sqm, 2));

  it('what several of them do together', async () => {
    const outline = await outlineOf((file) =>
      bodyAt(file, placement(file, '$'), [
        extrusion(file, rectangle(file, 4, 3)),
        extrusion(file, rectangle(file, 4, 3, axes(file, [2, 1]))),
      ]),
    );
    expect(outlineArea(outline!)).toBeCloseTo(12 + 12 - 4, 2);
  });

  it('what its mesh does, where it is of faces', async () => {
    const sqm = await sqmOf((file) => {
      const corners = [0, 3].flatMap((z) => L.map(([x, y]) => point(file, x, y, z)));
      const face = (...at: readonly number[]) =>
        file.add(
          'IFCFACE',
          set(
            file.add(
              'IFCFACEOUTERBOUND',
              file.add('IFCPOLYLOOP', set(...at.map((index) => corners[index]!))),
              '.T.',
            ),
          ),
        );
      const sides = L.map((_, at) => face(at, (at + 1) % 6, ((at + 1) % 6) + 6, at + 6));
      const faces = [face(5, 4, 3, 2, 1, 0), face(6, 7, 8, 9, 10, 11), ...sides];
      return file.add('IFCFACETEDBREP', file.add('IFCCLOSEDSHELL', set(...faces)));
    });
    expect(sqm).toBeCloseTo(14, 2);
  });
});

it('an operator with its second axis on the other side mirrors what is mapped', async () => {
  const outline = await outlineOf((file) => {
    const target = file.add(
      'IFCCARTESIANTRANSFORMATIONOPERATOR3D',
      direction(file, 1, 0, 0),
      direction(file, 0, -1, 0),
      point(file, 7, 7, 0),
      '$',
      direction(file, 0, 0, 1),
    );
    const items = [extrusion(file, closedProfile(file, L))];
    return bodyAt(file, placement(file, '$'), [mappedItem(file, items, target)]);
  });
  expect(boundsOf(outline)).toEqual([7, 3, 12, 7]);
});

describe('a footprint', () => {
  const withFootprint = (
    curves: (file: IfcLines) => readonly string[],
    type = 'GeometricCurveSet',
  ) =>
    outlineOf((file) => {
      const items = curves(file);
      const set =
        type === 'GeometricCurveSet'
          ? [file.add('IFCGEOMETRICCURVESET', `(${items.join(',')})`)]
          : items;
      return {
        placement: placement(file, '$'),
        representation: shapeOf(
          file,
          representation(file, 'Body', 'SweptSolid', [extrusion(file, rectangle(file, 9, 9))]),
          representation(file, 'FootPrint', type, set),
        ),
      };
    });
  const square = (file: IfcLines, from: number, to: number) =>
    polyline(file, [
      [from, from],
      [to, from],
      [to, to],
      [from, to],
      [from, from],
    ]);

  it('is the outline of its room, before the body', async () => {
    expect(await withFootprint((file) => [square(file, 0, 4)])).toEqual([
      [
        [0, 4],
        [0, 0],
        [4, 0],
        [4, 4],
      ],
    ]);
  });

  it('has a hole where a curve is within another', async () => {
    const outline = await withFootprint(
      (file) => [square(file, 0, 4), square(file, 1, 2)],
      'Curve2D',
    );
    expect(outlineArea(outline!)).toBeCloseTo(15, 3);
  });

  it('of open curves is ignored in favour of the body', async () => {
    const outline = await withFootprint((file) => [
      polyline(file, [
        [0, 0],
        [4, 0],
        [4, 4],
      ]),
    ]);
    expect(outlineArea(outline!)).toBeCloseTo(81, 3);
  });
});

describe('plans have coordinates', () => {
  const square = (file: IfcLines, place: string) =>
    bodyAt(file, place, [extrusion(file, rectangle(file, 2, 2))]);

  it('of the ground floor, however far away and turned that is', async () => {
    let ground = '';
    const far = [3_512_000.5, 5_400_200.25, 12];
    const space = await spaceOf({
      storeys: [
        {
          id: 'S',
          name: 'Ground',
          elevation: 0,
          placement: (file) => {
            const site = placement(file, '$', far, { z: [0, 0, 1], x: [3, 4, 0] });
            ground = placement(file, site, [10, 0, 0]);
            return ground;
          },
          spaces: [
            {
              id: 'A',
              name: '1',
              shape: (file) => square(file, placement(file, ground, [5, 6, 0])),
            },
          ],
        },
      ],
    });
    expect(boundsOf(space.outline)).toEqual([4, 5, 6, 7]);
  });

  it('that are the same on all storeys, so that they stand above each other', async () => {
    let ground = '';
    const shape = (x: number) => (file: IfcLines) =>
      square(file, placement(file, ground, [x, 0, 0]));
    const { storeys } = await buildingOf({
      storeys: [
        {
          id: 'G',
          name: 'Ground',
          elevation: 0,
          placement: (file) => (ground = placement(file, '$', [100, 0, 0])),
          spaces: [{ id: 'A', name: '1', shape: shape(1) }],
        },
        {
          id: 'U',
          name: 'Upper',
          elevation: 3.5,
          placement: (file) => placement(file, '$', [140, 7, 3.5]),
          spaces: [{ id: 'B', name: '2', shape: shape(1) }],
        },
      ],
    });
    const [below, above] = storeys!.map(({ spaces }) => spaces![0]!.outline);
    expect(above).toEqual(below);
    expect(boundsOf(below)).toEqual([0, -1, 2, 1]);
  });

  it('of whole kilometres less, where a model has survey coordinates in its shapes', async () => {
    const outline = await outlineOf((file) =>
      bodyAt(file, placement(file, '$'), [
        extrusion(file, rectangle(file, 2, 2, axes(file, [512_340, 5_200_070]))),
      ]),
    );
    expect(boundsOf(outline)).toEqual([339, 69, 341, 71]);
  });

  it('in metres, whatever the unit of length', async () => {
    const space = await spaceOf({
      ...roomOf((file) =>
        bodyAt(file, placement(file, '$', [1_000, 0, 0]), [
          extrusion(file, rectangle(file, 200, 200)),
        ]),
      ),
      units: (file) => [file.add('IFCSIUNIT', '*', '.LENGTHUNIT.', '.CENTI.', '.METRE.')],
    });
    expect(boundsOf(space.outline)).toEqual([9, -1, 11, 1]);
  });

  it.each([
    ['the unit of angles', 'IFCPLANEANGLEMEASURE(0.0174532925199433)', 60],
    ['radians', null, Math.PI / 3],
  ])('of arcs by %s', async (_, degree, sixth) => {
    const space = await spaceOf({
      ...roomOf((file) => {
        const circle = file.add('IFCCIRCLE', axes(file, [0, 0]), '2.');
        const trim = (at: number) => `(IFCPARAMETERVALUE(${real(at)}))`;
        const arc = file.add('IFCTRIMMEDCURVE', circle, trim(0), trim(sixth), '.T.', '.PARAMETER.');
        const lines = polyline(file, [
          [1, Math.sqrt(3)],
          [0, 0],
          [2, 0],
        ]);
        const segments = [arc, lines].map((curve) =>
          file.add('IFCCOMPOSITECURVESEGMENT', '.CONTINUOUS.', '.T.', curve),
        );
        const curve = file.add('IFCCOMPOSITECURVE', set(...segments), '.F.');
        return bodyAt(file, placement(file, '$'), [extrusion(file, curveProfile(file, curve))]);
      }),
      units: (file) => {
        const radian = file.add('IFCSIUNIT', '*', '.PLANEANGLEUNIT.', '$', '.RADIAN.');
        if (degree === null) return [radian];
        const factor = file.add('IFCMEASUREWITHUNIT', degree, radian);
        return [file.add('IFCCONVERSIONBASEDUNIT', '$', '.PLANEANGLEUNIT.', "'DEGREE'", factor)];
      },
    });
    expect(outlineArea(space.outline!) / ((2 * Math.PI) / 3)).toBeCloseTo(1, 2);
  });

  it.each([
    [[0, 1], 0],
    [[1, 1], 45],
    [[1, 0], 90],
    [[-1, 0], 270],
  ])('whose north is to %j at %i degrees', async (towards, north) => {
    const context = (file: IfcLines) =>
      file.add(
        'IFCGEOMETRICREPRESENTATIONCONTEXT',
        '$',
        "'Model'",
        '3',
        '$',
        axes(file, [0, 0, 0]),
        direction(file, ...towards),
      );
    const building = await buildingOf({ storeys: [], more: context });
    expect(building.north).toBe(north);
    const turned = await buildingOf({
      storeys: [
        {
          id: 'S',
          name: 'Ground',
          elevation: 0,
          placement: (file) => placement(file, '$', [0, 0, 0], { z: [0, 0, 1], x: [0, 1, 0] }),
        },
      ],
      more: context,
    });
    // The plan's y axis is the project's -x axis.
    expect(turned.north).toBe((north + 90) % 360);
  });
});

describe('a storey', () => {
  it.each([
    ['the unit of the file', null, '410.'],
    ['a unit of their own', '.MILLI.', '4100.'],
  ])(
    'has its elevation and height in metres, the top one by quantities in %s',
    async (...given) => {
      const [, prefix, length] = given;
      const { storeys } = await buildingOf({
        storeys: [
          { id: 'B', name: 'Basement', elevation: -250 },
          { id: 'G', name: 'Ground', elevation: 0 },
          { id: 'T', name: 'Top', elevation: 320 },
        ],
        units: (file) => [file.add('IFCSIUNIT', '*', '.LENGTHUNIT.', '.CENTI.', '.METRE.')],
        more(file, references) {
          const unit = prefix ? file.add('IFCSIUNIT', '*', '.LENGTHUNIT.', prefix, '.METRE.') : '$';
          const height = file.add('IFCQUANTITYLENGTH', "'GrossHeight'", '$', unit, length, '$');
          const sets = file.add('IFCELEMENTQUANTITY', "'q'", '$', "'Qto'", '$,$', set(height));
          file.add('IFCRELDEFINESBYPROPERTIES', "'r'", '$,$,$', set(references.get('T')!), sets);
        },
      });
      expect(storeys!.map(({ elevation, height }) => [elevation, height])).toEqual([
        [-2.5, 2.5],
        [0, 3.2],
        [3.2, 4.1],
      ]);
    },
  );

  const product = (file: IfcLines, type: string, id: string, shape: IfcShape, ...rest: string[]) =>
    file.add(
      type,
      quoted(globalId(id)),
      '$,$,$,$',
      shape.placement,
      shape.representation,
      '$',
      ...rest,
    );
  const box = (file: IfcLines, at: readonly number[], x: number, y: number) =>
    bodyAt(file, placement(file, '$', at), [extrusion(file, rectangle(file, x, y))]);

  /** A wall with a door in it, a window in a curtain wall, and a room. */
  const drawn: IfcBuildingGiven = {
    storeys: [
      {
        id: 'S',
        name: 'Ground',
        elevation: 0,
        spaces: [{ id: 'A', name: '1', shape: (file) => box(file, [0, 2.6, 0], 6, 5) }],
      },
    ],
    more(file, references) {
      const wall = product(file, 'IFCWALL', 'W', box(file, [0, 0, 0], 6, 0.2), '$');
      const opening = product(file, 'IFCOPENINGELEMENT', 'O', box(file, [1, 0, 0], 0.9, 1), '$');
      const door = product(
        file,
        'IFCDOOR',
        'D',
        { placement: '$', representation: '$' },
        '$,$,$,$,$',
      );
      const curtain = product(
        file,
        'IFCCURTAINWALL',
        'C',
        { placement: '$', representation: '$' },
        '$',
      );
      const panes = [0, 2].map((x) =>
        product(file, 'IFCPLATE', `P${x}`, box(file, [x, 5.2, 0], 1.9, 0.1), '$'),
      );
      const turned = placement(file, '$', [3, 3, 0], { z: [0, 0, 1], x: [1, 1, 0] });
      const own = bodyAt(file, turned, [extrusion(file, closedProfile(file, L))]);
      const window = product(file, 'IFCWINDOW', 'N', own, '$,$,$,$,$');
      const column = product(file, 'IFCCOLUMN', 'K', box(file, [9, 9, 0], 0.3, 0.3), '$');
      const root = (id: string) => `${quoted(globalId(id))},$,$,$`;
      file.add('IFCRELVOIDSELEMENT', root('rv'), wall, opening);
      file.add('IFCRELFILLSELEMENT', root('rf'), opening, door);
      file.add('IFCRELAGGREGATES', root('ra'), curtain, set(...panes));
      containing(file, 'rc', references.get('S')!, [wall, door, curtain, window, column]);
    },
  };

  it('draws walls, parts of curtain walls and columns, doors where they cut, windows', async () => {
    const [storey] = (await buildingOf(drawn)).storeys!;
    const bounds = (outlines: readonly Outline[]) =>
      outlines.map(boundsOf).toSorted((a, b) => (String(a) < String(b) ? -1 : 1));
    expect(bounds(storey!.drawing!.doors)).toEqual([[0.55, -0.1, 1.45, 0.1]]);
    expect(bounds(storey!.drawing!.walls)).toEqual([
      [-0.95, 5.15, 0.95, 5.25],
      [-3, -0.1, 3, 0.1],
      [1.05, 5.15, 2.95, 5.25],
      [8.85, 8.85, 9.15, 9.15],
    ]);
    // A window that fills no opening is the rectangle around it along its own axes.
    expect(storey!.drawing!.windows.map(outlineArea)).toEqual([expect.closeTo(20, 2)]);
  });

  it('has an outline around its rooms and walls', async () => {
    const [storey] = (await buildingOf(drawn)).storeys!;
    expect(boundsOf(storey!.outline)).toEqual([-3, -0.1, 3, 5.25]);
  });
});

describe('hostile geometry has no outline, and its file is imported', () => {
  const none = (shape: (file: IfcLines) => IfcShape) =>
    expect(outlineOf(shape)).resolves.toBeUndefined();
  const solid = (profile: (file: IfcLines) => string) => (file: IfcLines) =>
    bodyAt(file, placement(file, '$'), [extrusion(file, profile(file))]);
  /** Of the instance that is `ahead` after the next one. */
  const coming = (file: IfcLines, ahead: number) => `#${file.lines.length + 1 + ahead}`;

  it.each<[string, (file: IfcLines) => IfcShape]>([
    [
      'is a star of 3,001 corners',
      solid((file) =>
        closedProfile(
          file,
          Array.from({ length: 3_001 }, (_, at) => {
            const angle = (2 * Math.PI * 1_500 * at) / 3_001;
            return [10 * Math.cos(angle), 10 * Math.sin(angle)];
          }),
        ),
      ),
    ],
    [
      'crosses itself',
      solid((file) =>
        closedProfile(file, [
          [0, 0],
          [4, 4],
          [4, 0],
          [0, 4],
        ]),
      ),
    ],
    [
      'is a line',
      solid((file) =>
        closedProfile(file, [
          [0, 0],
          [4, 0],
          [2, 0],
        ]),
      ),
    ],
    [
      'has an infinite coordinate',
      solid((file) =>
        curveProfile(
          file,
          file.add(
            'IFCPOLYLINE',
            set(
              point(file, 0, 0),
              point(file, 4, 0),
              file.add('IFCCARTESIANPOINT', '(1.E999,4.)'),
              point(file, 0, 0),
            ),
          ),
        ),
      ),
    ],
    ['has a negative measure', solid((file) => rectangle(file, -4, 3))],
    ['is 1,000,000 km wide', solid((file) => rectangle(file, 1e9, 3))],
    [
      'is within its own placement',
      (file) => {
        const place = axes(file, [0, 0, 0]);
        const cycle = file.add('IFCLOCALPLACEMENT', coming(file, 0), place);
        return bodyAt(file, cycle, [extrusion(file, rectangle(file, 4, 3))]);
      },
    ],
    [
      'is cut from itself',
      (file) =>
        bodyAt(file, placement(file, '$'), [
          file.add('IFCBOOLEANRESULT', '.DIFFERENCE.', coming(file, 0), coming(file, 0)),
        ]),
    ],
    [
      'is mapped to itself',
      (file) => {
        const target = file.add(
          'IFCCARTESIANTRANSFORMATIONOPERATOR3D',
          '$,$',
          point(file, 0, 0, 0),
          '$,$',
        );
        const origin = axes(file, [0, 0, 0]);
        const items = `(${coming(file, 2)})`;
        const shape = file.add(
          'IFCSHAPEREPRESENTATION',
          '$',
          "'Body'",
          "'MappedRepresentation'",
          items,
        );
        const map = file.add('IFCREPRESENTATIONMAP', origin, shape);
        return bodyAt(file, placement(file, '$'), [file.add('IFCMAPPEDITEM', map, target)]);
      },
    ],
    [
      'doubles at each of many levels',
      (file) => {
        let curve = polyline(file, [
          [0, 0],
          [1, 0],
          [1, 1],
        ]);
        for (let level = 0; level < 22; level += 1) {
          const segment = file.add('IFCCOMPOSITECURVESEGMENT', '.CONTINUOUS.', '.T.', curve);
          curve = file.add('IFCCOMPOSITECURVE', set(segment, segment), '.F.');
        }
        return bodyAt(file, placement(file, '$'), [extrusion(file, curveProfile(file, curve))]);
      },
    ],
    [
      'has a million points',
      solid((file) => {
        const corners = [point(file, 0, 0), point(file, 4, 0), point(file, 4, 4)];
        const points = Array.from({ length: 1_000_000 }, (_, at) => corners[at % 3]!);
        return curveProfile(file, file.add('IFCPOLYLINE', `(${points.join(',')})`));
      }),
    ],
    [
      'has 12,000 points in several curves',
      solid((file) => {
        const circle = Array.from({ length: 3_001 }, (_, at) => {
          const angle = (2 * Math.PI * at) / 3_000;
          return [10 * Math.cos(angle), 10 * Math.sin(angle)];
        });
        const curve = polyline(file, circle);
        const rings = Array.from({ length: 4 }, () => curveProfile(file, curve));
        return file.add('IFCCOMPOSITEPROFILEDEF', '.AREA.', '$', set(...rings), '$');
      }),
    ],
    ['lacks what it is made of', solid(() => '#999')],
    ['is no shape', (file) => bodyAt(file, placement(file, '$'), [placement(file, '$')])],
  ])('that %s', async (_, shape) => none(shape));

  it('beside rooms that are well', async () => {
    const shape = (side: number) => (file: IfcLines) =>
      bodyAt(file, placement(file, '$'), [extrusion(file, rectangle(file, side, 3))]);
    const { storeys } = await buildingOf({
      storeys: [
        {
          id: 'S',
          name: 'Ground',
          elevation: 0,
          spaces: [
            { id: 'A', name: '1', shape: shape(1e9) },
            { id: 'B', name: '2', shape: shape(4) },
            { id: 'C', name: '3' },
          ],
        },
      ],
    });
    const areas = storeys![0]!.spaces!.map(({ outline }) => outline && outlineArea(outline));
    expect(areas).toEqual([undefined, 12, undefined]);
    expect(outlineArea(storeys![0]!.outline!)).toBe(12);
  });
});
