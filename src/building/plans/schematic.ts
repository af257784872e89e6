/** The plan of rooms without outlines: rectangles by area, side by side. */
import { hierarchy, treemap, treemapSquarify } from 'd3-hierarchy';
import { wholeMillimetres, type Outline, type Position } from '../../domain/buildings/outline.ts';

export interface SchematicRoom {
  readonly areaSqm: number | null;
}

/** Area of every room if all areas are unknown; otherwise an unknown area is set to the mean. */
const UNKNOWN_SQM = 20;
const LENGTH_TO_WIDTH = 1.6;

/**
 * A treemap: one rectangle per room, in their order, proportional to its area; together they fill a
 * rectangle from `[0, 0]`. Deterministic.
 */
export const schematicOf = <Room extends SchematicRoom>(
  rooms: readonly Room[],
): readonly { readonly room: Room; readonly outline: Outline; readonly labelAt: Position }[] => {
  const stated = rooms.flatMap(({ areaSqm }) => (areaSqm ? [areaSqm] : []));
  const mean = stated.length === 0 ? UNKNOWN_SQM : sum(stated) / stated.length;
  const areas = rooms.map(({ areaSqm }) => areaSqm || mean);
  const width = Math.sqrt(sum(areas) / LENGTH_TO_WIDTH);
  interface Node {
    readonly area: number;
    readonly children?: readonly Node[];
  }
  const root = hierarchy<Node>({ area: 0, children: areas.map((area) => ({ area })) }).sum(
    ({ area }) => area,
  );
  const placed = treemap<Node>()
    .tile(treemapSquarify)
    .size([width * LENGTH_TO_WIDTH, width])(root);
  return rooms.map((room, index) => {
    const { x0, y0, x1, y1 } = placed.children![index]!;
    // The y axis points up in plans, and down in the library. The first room is at the top left.
    const [left, right, top, bottom] = [x0, x1, width - y0, width - y1].map(wholeMillimetres);
    const ring = [
      [left!, bottom!],
      [right!, bottom!],
      [right!, top!],
      [left!, top!],
    ] as const;
    const labelAt = [
      wholeMillimetres((x0 + x1) / 2),
      wholeMillimetres(width - (y0 + y1) / 2),
    ] as const;
    return { room, outline: [ring], labelAt };
  });
};

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);
