/** The rows of outlines and drawings: written with imports, moved along with their nodes. */
import type { ClientBase } from 'pg';
import polylabel from 'polylabel';
import type { Shape } from '../../domain/buildings/nodes.ts';
import {
  boundsOf,
  drawingOf,
  outlineOf,
  wholeMillimetres,
  type Drawing,
  type Outline,
} from '../../domain/buildings/outline.ts';
import { inChunks } from './chunks.ts';
import type { FollowReplacedNodes } from './followers.ts';
import type { OutlineCounts } from './graph.ts';
import { LABEL_PRECISION_METRES, LABEL_SQUARES_MAX, SHAPES_AT_ONCE_MAX } from './limits.ts';

/**
 * @param shapes Must have been validated: an invalid shape is an error.
 * @param earlier Whether an existing shape is replaced or kept. Default `replaced`.
 */
export const putShapes = async (
  client: ClientBase,
  shapes: readonly (Shape & { readonly id: string })[],
  earlier: 'replaced' | 'kept' = 'replaced',
): Promise<void> => {
  const onConflict = (key: string, columns: readonly string[]) => {
    const assigned = columns.map((column) => `${column} = excluded.${column}`).join(', ');
    const action = earlier === 'kept' ? 'nothing' : `update set ${assigned}`;
    return `on conflict (${key}) do ${action}`;
  };
  const outlines = shapes.flatMap(({ id, outline }) => (outline ? [outlineRow(id, outline)] : []));
  const drawings = shapes.flatMap(({ id, drawing }) => (drawing ? [drawingRow(id, drawing)] : []));
  await inChunks(
    outlines,
    (rows) =>
      client.query(
        `insert into graph.outline (node_id, rings, label_at, bounds)
       select id, rings, label_at, bounds from json_to_recordset($1)
         as o(id uuid, rings json, label_at json, bounds double precision[])
       ${onConflict('node_id', ['rings', 'label_at', 'bounds'])}`,
        [JSON.stringify(rows)],
      ),
    SHAPES_AT_ONCE_MAX,
  );
  for (const { id, drawing, bounds } of drawings) {
    await client.query(
      `insert into graph.drawing (storey_id, drawing, bounds) values ($1, $2, $3)
       ${onConflict('storey_id', ['drawing', 'bounds'])}`,
      [id, JSON.stringify(drawing), bounds],
    );
  }
};

/** Moves shapes to the successors of their nodes; the others are removed with their nodes. */
export const followShapes: FollowReplacedNodes = async (client) => {
  await client.query(
    `update graph.outline o set node_id = r.successor_id
     from pg_temp.replaced_node r where r.id = o.node_id and r.successor_id is not null`,
  );
  await client.query(
    `update graph.drawing d set storey_id = r.successor_id
     from pg_temp.replaced_node r where r.id = d.storey_id and r.successor_id is not null`,
  );
  return {};
};

/**
 * Deletes all outlines and drawings.
 *
 * @returns The number of those that `shapes` does not draw again.
 */
export const forgetShapes = async (
  client: ClientBase,
  buildingId: string,
  shapes: readonly (Shape & { readonly id: string })[],
): Promise<number> => {
  const { rows: outlines } = await client.query<{ id: string }>(
    `delete from graph.outline o using graph.node n
     where n.id = o.node_id and n.building_id = $1 returning n.id`,
    [buildingId],
  );
  const { rows: drawings } = await client.query<{ id: string }>(
    `delete from graph.drawing d using graph.node n
     where n.id = d.storey_id and n.building_id = $1 returning n.id`,
    [buildingId],
  );
  const drawn = new Map(shapes.map((shape) => [shape.id, shape]));
  const lost = [
    ...outlines.filter(({ id }) => !drawn.get(id)?.outline),
    ...drawings.filter(({ id }) => !drawn.get(id)?.drawing),
  ];
  return lost.length;
};

export const outlineCounts = async (
  client: ClientBase,
  buildingId: string,
): Promise<OutlineCounts> => {
  const { rows } = await client.query<OutlineCounts>(
    `select count(o.node_id)::int as spaces, (count(*) - count(o.node_id))::int as without
     from graph.node n left join graph.outline o on o.node_id = n.id
     where n.building_id = $1 and n.kind = 'space'`,
    [buildingId],
  );
  return rows[0]!;
};

const outlineRow = (id: string, given: Outline) => {
  const outline = outlineOf(given);
  if (typeof outline === 'string') throw new Error(`the outline of ${id} ${outline}`);
  return { id, rings: outline, label_at: labelAt(outline), bounds: rectangle([outline]) };
};

const drawingRow = (id: string, given: Drawing) => {
  const drawing = drawingOf(given);
  if (typeof drawing === 'string') throw new Error(`the drawing of ${id} ${drawing}`);
  const { walls, doors, windows } = drawing;
  return { id, drawing, bounds: rectangle([...walls, ...doors, ...windows]) };
};

/** The position with the most space for a label. */
const labelAt = (outline: Outline): readonly [number, number] => {
  const { min, max } = boundsOf(outline.slice(0, 1).map((outer) => [outer]))!;
  const sides = [max[0] - min[0], max[1] - min[1]].toSorted((a, b) => a - b);
  const [short, long] = sides as [number, number];
  // The search divides the shape into squares of the shorter side, down to the precision.
  const precision = Math.max(LABEL_PRECISION_METRES, long / LABEL_SQUARES_MAX);
  const [x, y] =
    long / short > LABEL_SQUARES_MAX
      ? [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2]
      : polylabel(
          outline.map((ring) => ring.map(([x, y]): [number, number] => [x, y])),
          precision,
        );
  return [wholeMillimetres(x), wholeMillimetres(y)];
};

const rectangle = (outlines: readonly Outline[]): readonly number[] | null => {
  const bounds = boundsOf(outlines);
  return bounds && [...bounds.min, ...bounds.max];
};
