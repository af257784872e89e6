/**
 * The coordinates of a building's plans: those of the first file with coordinates. A later file is
 * transformed into them if the two can be compared; else it is imported without its shapes, with a
 * warning. contract.md section 6 «model».
 */
import type { ClientBase } from 'pg';
import type { ImportDocument } from '../../domain/buildings/document.ts';
import type { ModelName } from '../../domain/buildings/nodes.ts';
import {
  motionBetween,
  movedDocument,
  withoutShapes,
  type PlanReference,
} from '../../domain/buildings/plan-reference.ts';

export interface AlignedDocument {
  readonly document: ImportDocument;
  /** The building's frame from now on; `null`: as before. */
  readonly frame: PlanReference | null;
  /** North, outlines, drawings and positions of the building are in former coordinates. */
  readonly isMoved: boolean;
  readonly warnings: readonly string[];
}

interface StoredFrame {
  readonly frame: PlanReference | null;
  readonly model: ModelName;
  /** Whether other models have outlines. */
  readonly hasOthers: boolean;
}

/** @param reference The file's reference; absent for JSON, which has the building's coordinates. */
export const alignedDocument = async (
  client: ClientBase,
  buildingId: string | undefined,
  document: ImportDocument,
  reference: PlanReference | undefined,
  model: ModelName,
): Promise<AlignedDocument> => {
  const asItIs = { document, frame: null, isMoved: false, warnings: [] };
  if (!reference) return asItIs;
  const stored = buildingId === undefined ? null : await storedFrame(client, buildingId, model);
  if (!stored?.frame) {
    return stored?.hasOthers ? unaligned(document, UNKNOWN) : { ...asItIs, frame: reference };
  }
  const isOwn = stored.model === model;
  const motion = motionBetween(reference, stored.frame);
  const aligned = motion && movedDocument(document, motion);
  const isSame = aligned?.document === document;
  if (!isSame && !(await isInUse(client, buildingId!, stored.model))) {
    return { ...asItIs, frame: reference, isMoved: true };
  }
  if (aligned) {
    // Compared by the sites, so both have the coordinates of one project.
    const lacksSystem = isOwn && !stored.frame.crs && reference.crs !== null;
    const frame = lacksSystem ? { ...stored.frame, crs: reference.crs } : null;
    const warnings = aligned.left === 0 ? [] : [`${aligned.left} ${UNFIT}`];
    return { ...asItIs, document: aligned.document, frame, warnings };
  }
  return isOwn ? { ...asItIs, frame: reference, isMoved: true } : unaligned(document, ELSEWHERE);
};

const unaligned = (document: ImportDocument, warning: string): AlignedDocument => ({
  document: withoutShapes(document),
  frame: null,
  isMoved: false,
  warnings: [warning],
});

const UNFIT = "outlines, drawings and positions do not fit the building's coordinates";
const LEFT_OUT = 'its outlines and positions are left out, and no room is found by geometry';
const UNKNOWN =
  "the origin of the coordinates of the building's plans is unknown; import the file " +
  `that the plans came from again; ${LEFT_OUT}`;
const ELSEWHERE =
  'the file has another origin than the plans of the building, and no map conversion by which ' +
  `the two could be compared; ${LEFT_OUT}`;

/** The numbers of shapes and positions in former coordinates that the file does not replace. */
export const movedWarnings = (shapes: number, positions: number): readonly string[] =>
  shapes + positions === 0
    ? []
    : [
        `the file has a different origin than before; ${shapes} outlines and drawings that it ` +
          `does not draw are deleted, and ${positions} elements without a position in it keep ` +
          'their rooms until their model is imported again',
      ];

const storedFrame = async (
  client: ClientBase,
  buildingId: string,
  model: ModelName,
): Promise<StoredFrame | null> => {
  const { rows } = await client.query<StoredFrame>(
    `select plan_frame as frame, plan_frame_model as model,
            exists (
              select from graph.outline o join graph.node n on n.id = o.node_id
              where n.building_id = b.id and n.model is distinct from $2
            ) as "hasOthers"
     from graph.building b where id = $1`,
    [buildingId, model],
  );
  return rows[0] ?? null;
};

/**
 * Whether a room has an outline, an element a position, or, while the frame's model has nodes, any
 * storey a shape. A removed model may have left shapes on the storeys of others.
 */
const isInUse = async (
  client: ClientBase,
  buildingId: string,
  model: ModelName,
): Promise<boolean> => {
  const { rowCount } = await client.query(
    `with present as (
       select from graph.node
       where building_id = $1 and kind <> 'building' and model is not distinct from $2 limit 1
     )
     select from graph.node n join graph.outline o on o.node_id = n.id
     where n.building_id = $1 and (n.kind = 'space' or exists (select from present))
     union all
     select from graph.node n join graph.drawing d on d.storey_id = n.id
     where n.building_id = $1 and exists (select from present)
     union all
     select from graph.node n join graph.element e using (id)
     where n.building_id = $1 and e.x is not null
     limit 1`,
    [buildingId, model],
  );
  return rowCount === 1;
};

/**
 * Deletes north and all positions, which are in former coordinates.
 *
 * @returns The ids of the elements that had a position.
 */
export const forgetFrame = async (
  client: ClientBase,
  buildingId: string,
): Promise<readonly string[]> => {
  await client.query('update graph.building set north = null where id = $1', [buildingId]);
  const { rows } = await client.query<{ id: string }>(
    `update graph.element set x = null, y = null from graph.node n
     where n.id = element.id and n.building_id = $1 and element.x is not null
     returning n.id`,
    [buildingId],
  );
  return rows.map(({ id }) => id);
};

/** The number of `elements` that exist and have no position. */
export const withoutPosition = async (
  client: ClientBase,
  elements: readonly string[],
): Promise<number> => {
  const { rowCount } = await client.query(
    'select from graph.element where id = any($1::uuid[]) and x is null',
    [elements],
  );
  return rowCount!;
};

export const putFrame = (
  client: ClientBase,
  buildingId: string,
  frame: PlanReference,
  model: ModelName,
) =>
  client.query('update graph.building set plan_frame = $2, plan_frame_model = $3 where id = $1', [
    buildingId,
    JSON.stringify(frame),
    model,
  ]);
