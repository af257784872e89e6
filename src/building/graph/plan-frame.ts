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
  /** The file defines the building's coordinates from now on. */
  readonly isFrame: boolean;
  /** Positions of other models are no longer in the building's coordinates. */
  readonly othersAreStale: boolean;
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
  const asItIs = { document, isFrame: false, othersAreStale: false, warnings: [] };
  if (!reference) return asItIs;
  const stored = buildingId === undefined ? null : await storedFrame(client, buildingId, model);
  if (!stored?.frame) {
    return stored?.hasOthers ? unaligned(document, UNKNOWN) : { ...asItIs, isFrame: true };
  }
  const motion = motionBetween(reference, stored.frame);
  if (motion) {
    const { document: moved, left } = movedDocument(document, motion);
    const warnings =
      left === 0 ? [] : [`${left} outlines and drawings do not fit the building's coordinates`];
    return { ...asItIs, document: moved, warnings };
  }
  if (stored.model !== model) return unaligned(document, ELSEWHERE);
  return { ...asItIs, isFrame: true, othersAreStale: true, warnings: [MOVED] };
};

const unaligned = (document: ImportDocument, warning: string): AlignedDocument => ({
  document: withoutShapes(document),
  isFrame: false,
  othersAreStale: false,
  warnings: [warning],
});

const LEFT_OUT = 'its outlines and positions are left out, and no room is found by geometry';
const UNKNOWN =
  "the origin of the coordinates of the building's plans is unknown; import the file " +
  `that the plans came from again; ${LEFT_OUT}`;
const ELSEWHERE =
  'the file has another origin than the plans of the building, and no map conversion by which ' +
  `the two could be compared; ${LEFT_OUT}`;
const MOVED =
  'the file has a different origin than before; elements of other models keep their ' +
  'rooms until their model is imported again';

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
