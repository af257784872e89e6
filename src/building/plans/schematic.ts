/** The plan of rooms without outlines: rectangles by area, side by side. */
import { hierarchy, treemap, treemapSquarify } from 'd3-hierarchy';
import { wholeMillimetres, type Outline, type Position } from '../../domain/buildings/outline.ts';

export interface SchematicRoom {
  readonly areaSqm: number | null;
}

/** Of a room whose area is unknown, where all areas are; else it is as large as the mean. */
const UNKNOWN_SQM = 20;
const LENGTH_TO_WIDTH = 1.6;

/**
 * A rectangle for each room, in their order; together they fill one from `[0, 0]`, each as large as
 * its area says. The same rooms give the same plan.
 */
export const schematicOf = <Room extends SchematicRoom>(
  rooms: readonly Room[],
): readonly { readonly room: Room; readonly outline: Outline; readonly labelAt: Position }[] => {
  const known = rooms.flatMap(({ areaSqm }) => (areaSqm ? [areaSqm] : []));
  const mean = known.length === 0 ? UNKNOWN_SQM : sum(known) / known.length;
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
    // Plans have y upwards, the library downwards: the first room is at the top left.
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
