import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  COORDINATE_METRES_MAX,
  DRAWING_POINTS_MAX,
  OUTLINE_HOLES_MAX,
  OUTLINE_POINTS_MAX,
} from '../../../src/domain/buildings/limits.ts';
import {
  boundsOf,
  drawingOf,
  outlineArea,
  outlineOf,
  type Outline,
  type Ring,
} from '../../../src/domain/buildings/outline.ts';

const rectangle = (x: number, y: number, width: number, depth: number): Ring => [
  [x, y],
  [x + width, y],
  [x + width, y + depth],
  [x, y + depth],
];

const whole = (rings: unknown): Outline => {
  const outline = outlineOf(rings);
  if (typeof outline === 'string') throw new Error(outline);
  return outline;
};

/** A star around the origin: it never crosses itself. */
const anyStar = fc
  .array(fc.double({ min: 1, max: 50, noNaN: true }), { minLength: 3, maxLength: 60 })
  .map((radii) =>
    radii.map((radius, at): readonly [number, number] => {
      const angle = (2 * Math.PI * at) / radii.length;
      return [radius * Math.cos(angle), radius * Math.sin(angle)];
    }),
  );

describe('an outline', () => {
  it('is stored counter-clockwise in millimetres, without repeated positions', () => {
    const clockwise = rectangle(0, 0, 4.00049, 3).toReversed();
    expect(whole([[...clockwise, clockwise[0], clockwise[0]]])).toEqual([
      [
        [0, 3],
        [0, 0],
        [4, 0],
        [4, 3],
      ],
    ]);
  });

  it('is unchanged when it is stored again', () => {
    fc.assert(
      fc.property(anyStar, (ring) => {
        const once = whole([ring]);
        expect(outlineOf(once)).toEqual(once);
        expect(outlineOf([ring.toReversed()])).not.toBeTypeOf('string');
      }),
    );
  });

  it('has the area of its outer ring without the holes', () => {
    const outline = whole([
      rectangle(0, 0, 10, 8),
      rectangle(1, 1, 2, 2).toReversed(),
      rectangle(5, 1, 3, 2),
    ]);
    expect(outlineArea(outline)).toBeCloseTo(80 - 4 - 6, 9);
    expect(boundsOf([outline])).toEqual({ min: [0, 0], max: [10, 8] });
    expect(boundsOf([])).toBeNull();
  });

  it('is equally exact far from the origin', () => {
    const far = COORDINATE_METRES_MAX - 10;
    expect(outlineArea(whole([rectangle(far, -far, 3.217, 4.105)]))).toBeCloseTo(3.217 * 4.105, 2);
  });

  it.each<[string, unknown, RegExp]>([
    ['no list', 'round', /list of rings/],
    ['no ring', [], /list of rings/],
    ['a ring that is none', [7], /list of rings/],
    ['two positions', [rectangle(0, 0, 1, 1).slice(0, 2)], /three positions/],
    [
      'no area',
      [
        [
          [0, 0],
          [5, 0],
          [9, 0],
        ],
      ],
      /three positions/,
    ],
    [
      'NaN',
      [
        [
          [0, 0],
          [Number.NaN, 0],
          [1, 1],
        ],
      ],
      /two numbers/,
    ],
    [
      'infinity',
      [
        [
          [0, 0],
          [Infinity, 0],
          [1, 1],
        ],
      ],
      /two numbers/,
    ],
    [
      'texts',
      [
        [
          ['0', '0'],
          ['1', '0'],
          ['1', '1'],
        ],
      ],
      /two numbers/,
    ],
    [
      'a height',
      [
        [
          [0, 0, 2],
          [1, 0, 2],
          [1, 1, 2],
        ],
      ],
      /two numbers/,
    ],
    ['a place too far away', [rectangle(1e9, 0, 1, 1)], /100 km/],
    [
      'a figure of eight',
      [
        [
          [0, 0],
          [4, 4],
          [4, 0],
          [0, 2],
        ],
      ],
      /cross or touch itself/,
    ],
    [
      'a ring that touches itself',
      [
        [
          [0, 0],
          [4, 0],
          [4, 4],
          [2, 0],
          [0, 4],
        ],
      ],
      /touch itself/,
    ],
    [
      'a spike',
      [
        [
          [0, 0],
          [4, 0],
          [4, 4],
          [4, 6],
          [4, 4],
          [0, 4],
        ],
      ],
      /touch itself/,
    ],
    ['a hole across the edge', [rectangle(0, 0, 4, 4), rectangle(3, 1, 2, 2)], /two meet/],
    ['a hole on the edge', [rectangle(0, 0, 4, 4), rectangle(0, 1, 2, 2)], /two meet/],
    ['a hole outside', [rectangle(0, 0, 4, 4), rectangle(6, 1, 2, 2)], /holes inside/],
    ['a hole around it', [rectangle(0, 0, 4, 4), rectangle(-1, -1, 9, 9)], /holes inside/],
    [
      'a hole in a hole',
      [rectangle(0, 0, 9, 9), rectangle(1, 1, 6, 6), rectangle(2, 2, 1, 1)],
      /hole within a hole/,
    ],
    [
      'too many holes',
      [rectangle(0, 0, 99, 9), ...holes(OUTLINE_HOLES_MAX + 1)],
      new RegExp(`at most ${OUTLINE_HOLES_MAX} holes`),
    ],
    [
      'too many positions',
      [Array.from({ length: OUTLINE_POINTS_MAX + 1 }, (_, at) => [at, at * at])],
      new RegExp(`at most ${OUTLINE_POINTS_MAX} positions`),
    ],
  ])('is not %s', (_, rings, says) => {
    expect(outlineOf(rings)).toMatch(says);
  });

  it('may have as many holes and positions as are allowed', () => {
    expect(outlineArea(whole([rectangle(0, 0, 99, 9), ...holes(OUTLINE_HOLES_MAX)]))).toBe(
      99 * 9 - OUTLINE_HOLES_MAX,
    );
    const round = Array.from({ length: OUTLINE_POINTS_MAX }, (_, at) => {
      const angle = (2 * Math.PI * at) / OUTLINE_POINTS_MAX;
      return [9 * Math.cos(angle), 9 * Math.sin(angle)];
    });
    expect(whole([round])[0]).toHaveLength(OUTLINE_POINTS_MAX);
  });

  it('is refused by its length before validation', () => {
    const huge = new Proxy(Array.from({ length: OUTLINE_POINTS_MAX + 1 }), {
      get(target, member) {
        if (member !== 'length') throw new Error(`its ${String(member)} was looked at`);
        return target.length;
      },
    });
    expect(outlineOf([huge])).toMatch(/at most/);
  });
});

describe('a drawing', () => {
  it('may cross itself, and has no other lists', () => {
    const wall = [rectangle(0, 0, 5, 0.2), rectangle(1, 0, 1, 1)];
    expect(drawingOf({ walls: [wall] })).toEqual({ walls: [wall], doors: [], windows: [] });
    expect(drawingOf({ ceilings: [wall] })).toMatch(/walls, doors and windows/);
    expect(drawingOf({ walls: [[[[0, Number.NaN]]]] })).toMatch(/two numbers/);
    expect(drawingOf(null)).toMatch(/object/);
  });

  it('is bounded by its positions in all', () => {
    const ring = Array.from({ length: DRAWING_POINTS_MAX / 2 }, (_, at) => [at % 100, at % 7]);
    expect(drawingOf({ walls: [[ring]], doors: [[ring]] })).not.toBeTypeOf('string');
    expect(drawingOf({ walls: [[ring]], doors: [[ring]], windows: [[[[0, 0]]]] })).toMatch(/most/);
  });
});

/** Side by side, one square metre each. */
function holes(count: number): readonly Ring[] {
  return Array.from({ length: count }, (_, at) => rectangle(1 + 2 * at, 1, 1, 1));
}
