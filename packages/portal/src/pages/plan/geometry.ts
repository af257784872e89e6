/** Outlines of a plan as SVG paths: metres, with y downwards as a screen has it. */

export type Position = [x: number, y: number];
export type Outline = Position[][];

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const metres = (value: number): string => value.toFixed(3).replace(/\.?0+$/, '');

const ringPath = (ring: readonly Position[]): string =>
  `M${ring.map(([x, y]) => `${metres(x)} ${metres(-y)}`).join('L')}Z`;

/** Holes have the opposite winding, so that they stay open where outlines in one path overlap. */
export const pathOf = ([outer = [], ...holes]: Outline): string =>
  ringPath(outer) + holes.map((hole) => ringPath(hole.toReversed())).join('');

export const pathsOf = (outlines: readonly Outline[]): string => outlines.map(pathOf).join('');

export const boxOf = ({
  min: [left, bottom],
  max: [right, top],
}: {
  readonly min: Position;
  readonly max: Position;
}): Box => ({ x: left, y: -top, width: right - left, height: top - bottom });

/** Width and height in metres of the space for a label around a position inside an outline. */
export interface Room {
  readonly width: number;
  readonly height: number;
}

const nearest = (crossings: readonly number[]): number =>
  crossings.length === 0 ? 0 : Math.min(...crossings.map(Math.abs));

/** Twice the distance from a position to the nearest edge along one axis. */
const reach = (outline: Outline, at: Position, axis: 0 | 1): number => {
  const across = axis === 0 ? 1 : 0;
  const crossings = outline.flatMap((ring) =>
    ring.flatMap((from, index) => {
      const to = ring[(index + 1) % ring.length]!;
      if (from[across] > at[across] === to[across] > at[across]) return [];
      const share = (at[across] - from[across]) / (to[across] - from[across]);
      return [from[axis] + share * (to[axis] - from[axis]) - at[axis]];
    }),
  );
  return 2 * nearest(crossings);
};

export const roomAround = (outline: Outline, at: Position): Room => ({
  width: reach(outline, at, 0),
  height: reach(outline, at, 1),
});

const STEPS = [1, 2, 5];

/** The longest round length that is at most `max`, for a scale bar. */
export const roundLength = (max: number): number => {
  const size = 10 ** Math.floor(Math.log10(max));
  return STEPS.findLast((step) => step * size <= max)! * size;
};
