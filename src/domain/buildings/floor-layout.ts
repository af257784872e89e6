/**
 * A plausible plan for rooms of which only the areas are known: rooms along façades, corridors
 * between them, stairs at one end. For generated buildings: sandboxes and the demo.
 */
import { wholeMillimetres as round, type Drawing, type Outline, type Ring } from './outline.ts';

export interface LaidOutRoom {
  readonly areaSqm: number;
  /** Corridors are placed between the rows of rooms. */
  readonly isCorridor: boolean;
}

export interface FloorLayout {
  /**
   * In the order of the rooms; each encloses its area, up to rounding to millimetres. `undefined`
   * for a room without area.
   */
  readonly outlines: readonly (Outline | undefined)[];
  readonly outline: Outline;
  readonly drawing: Drawing;
}

/** A band is a row of rooms, a corridor, and another row. */
const LENGTH_TO_DEPTH = 2.2;
const ROW_DEPTH_MIN = 4;
const ROW_DEPTH_MAX = 30;
/** Width of a corridor for a storey without corridor rooms, in metres. */
const CORRIDOR_WIDTH = 2;
const CORRIDOR_WIDTH_MIN = 1.2;
/** Rooms that would be narrower, against their depth, share a column. */
const WIDTH_TO_DEPTH_MIN = 0.4;
/** Rooms of the last column, where it is joined with the one before. */
const STACKED_MAX = 3;
const STAIRS_WIDTH = 4.5;
const WALL = 0.3;
const DOOR_WIDTH = 0.9;
const WINDOW_SHARE = 0.6;

/** The same rooms always give the same plan. `null` without rooms beside corridors. */
export const floorLayout = (rooms: readonly LaidOutRoom[]): FloorLayout | null => {
  const numbered = rooms.map((room, at) => ({ ...room, at }));
  const others = numbered.filter(({ isCorridor, areaSqm }) => !isCorridor && areaSqm > 0);
  if (others.length === 0) return null;
  const netSqm = areaOf(others);
  const bandCount = bandCountOf(netSqm, netSqm / others.length);
  const rows = inParts(others, Math.min(2 * bandCount, others.length));
  const bands = Math.ceil(rows.length / 2);
  const corridors = inParts(
    numbered.filter(({ isCorridor, areaSqm }) => isCorridor && areaSqm > 0),
    bands,
  );
  const depth = rowDepthOf(netSqm / others.length);
  const length = netSqm / (rows.length * depth);

  const placed = new Map<number, Box>();
  const doors: Outline[] = [];
  const windows: Outline[] = [];
  let y = 0;
  const putRow = (row: readonly Numbered[], corridorIsAbove: boolean, isFacade: boolean) => {
    const rowDepth = areaOf(row) / length;
    for (const [at, box] of rowBoxes(row, length, rowDepth, y, corridorIsAbove)) {
      placed.set(at, box);
      const [bottom, top] = [round(y), round(y + rowDepth)];
      const inner = corridorIsAbove ? top : bottom;
      const outer = corridorIsAbove ? bottom : top;
      if (box.y0 === inner || box.y1 === inner) doors.push(doorAt(box, inner));
      if (isFacade && (box.y0 === outer || box.y1 === outer)) windows.push(windowAt(box, outer));
    }
    y += rowDepth;
  };
  for (let band = 0; band < bands; band += 1) {
    putRow(rows[2 * band]!, true, band === 0);
    const between = corridors[band] ?? [];
    const sqm = areaOf(between);
    const width = sqm === 0 ? CORRIDOR_WIDTH : Math.max(CORRIDOR_WIDTH_MIN, sqm / length);
    for (const [at, box] of alongX(between, sqm / width, y, y + width)) placed.set(at, box);
    y += width;
    const above = rows[2 * band + 1];
    if (above) putRow(above, false, band === bands - 1);
  }
  const whole = { x0: 0, y0: 0, x1: round(length + STAIRS_WIDTH), y1: round(y) };
  return {
    outlines: rooms.map((_, at) => {
      const box = placed.get(at);
      return box && [ringOf(box)];
    }),
    outline: [ringOf(grown(whole, WALL))],
    drawing: {
      walls: [[ringOf(grown(whole, WALL)), ringOf(whole)], ...stairs(round(length), round(y))],
      doors,
      windows,
    },
  };
};

interface Numbered extends LaidOutRoom {
  readonly at: number;
}

interface Box {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

const areaOf = (rooms: readonly LaidOutRoom[]): number =>
  rooms.reduce((sum, { areaSqm }) => sum + areaSqm, 0);

/** Somewhat deeper than wide. */
const rowDepthOf = (meanSqm: number): number =>
  Math.min(ROW_DEPTH_MAX, Math.max(ROW_DEPTH_MIN, 1.2 * Math.sqrt(meanSqm)));

const bandCountOf = (netSqm: number, meanSqm: number): number => {
  const depth = 2 * rowDepthOf(meanSqm) + CORRIDOR_WIDTH;
  return Math.max(1, Math.round(Math.sqrt(netSqm / LENGTH_TO_DEPTH) / depth));
};

/** Keeps the order; the parts have about the same area, and none is empty if rooms suffice. */
const inParts = (rooms: readonly Numbered[], count: number): readonly (readonly Numbered[])[] => {
  const parts: Numbered[][] = Array.from({ length: count }, () => []);
  const share = areaOf(rooms) / count;
  let before = 0;
  let part = -1;
  for (const [index, room] of rooms.entries()) {
    const byArea = Math.floor((before + room.areaSqm / 2) / share);
    // Neither past an empty part nor with too few rooms left for the rest.
    const earliest = Math.max(part, 0, count - (rooms.length - index));
    part = Math.min(count - 1, part + 1, Math.max(earliest, byArea));
    parts[part]!.push(room);
    before += room.areaSqm;
  }
  return parts;
};

type Placed = readonly (readonly [at: number, box: Box])[];

/** Side by side from the left. */
const alongX = (rooms: readonly Numbered[], length: number, y0: number, y1: number): Placed => {
  const total = areaOf(rooms);
  let x = 0;
  return rooms.map(({ at, areaSqm }) => {
    const from = x;
    x += (areaSqm / total) * length;
    return [at, { x0: round(from), y0: round(y0), x1: round(x), y1: round(y1) }];
  });
};

/** Columns from the left; those of small rooms hold several, the first at the corridor. */
const rowBoxes = (
  row: readonly Numbered[],
  length: number,
  depth: number,
  y: number,
  corridorIsAbove: boolean,
): Placed => {
  let x = 0;
  return columnsOf(row, depth).flatMap((column) => {
    const from = x;
    const width = areaOf(column) / depth;
    x += width;
    const [x0, x1] = [round(from), round(Math.min(x, length))];
    let used = 0;
    return column.map(({ at, areaSqm }): readonly [number, Box] => {
      const [near, far] = [used, used + areaSqm / width];
      used = far;
      const [y0, y1] = corridorIsAbove ? [y + depth - far, y + depth - near] : [y + near, y + far];
      return [at, { x0, y0: round(y0), x1, y1: round(y1) }];
    });
  });
};

const columnsOf = (row: readonly Numbered[], depth: number): readonly (readonly Numbered[])[] => {
  const narrowest = WIDTH_TO_DEPTH_MIN * depth;
  const columns: Numbered[][] = [];
  for (const room of row) {
    const last = columns.at(-1);
    const isOpen = last !== undefined && areaOf(last) / depth < narrowest;
    if (isOpen) last.push(room);
    else columns.push([room]);
  }
  const last = columns.at(-1)!;
  const joined = [...(columns.at(-2) ?? []), ...last];
  const isNarrow = areaOf(last) / depth < narrowest;
  if (isNarrow && joined.length <= STACKED_MAX) columns.splice(-2, 2, joined);
  return columns;
};

const ringOf = ({ x0, y0, x1, y1 }: Box): Ring => [
  [x0, y0],
  [x1, y0],
  [x1, y1],
  [x0, y1],
];

const grown = ({ x0, y0, x1, y1 }: Box, by: number): Box => ({
  x0: round(x0 - by),
  y0: round(y0 - by),
  x1: round(x1 + by),
  y1: round(y1 + by),
});

const across = ({ x0, x1 }: Box, y: number, width: number, thickness: number): Outline => {
  const middle = (x0 + x1) / 2;
  return [
    ringOf({
      x0: round(middle - width / 2),
      y0: round(y - thickness),
      x1: round(middle + width / 2),
      y1: round(y + thickness),
    }),
  ];
};

const doorAt = (box: Box, y: number): Outline =>
  across(box, y, Math.min(DOOR_WIDTH, 0.8 * (box.x1 - box.x0)), 0.06);

const windowAt = (box: Box, y: number): Outline =>
  across(box, y, WINDOW_SHARE * (box.x1 - box.x0), 0.15);

/** Two flights at the end of the building, one above the other. */
const stairs = (x: number, depth: number): readonly Outline[] =>
  [depth / 4, (3 * depth) / 4].map((middle) => {
    const half = Math.min(2.5, depth / 6);
    const box = {
      x0: round(x + 0.5),
      y0: round(middle - half),
      x1: round(x + STAIRS_WIDTH - 0.5),
      y1: round(middle + half),
    };
    return [ringOf(box), ringOf(grown(box, -0.2))];
  });
