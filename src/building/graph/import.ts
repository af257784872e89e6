/**
 * Executes an import: a plan is made in memory, and written in batches. One statement has
 * {@link IMPORT_ROWS_AT_ONCE} rows as JSON, so that a large building needs few round trips.
 */
import type { ClientBase, Pool } from 'pg';
import { v5 as uuidFrom, v7 as newId, validate as isUuid } from 'uuid';
import type { ImportDocument } from '../../domain/buildings/document.ts';
import { MODELS_MAX, STOREYS_NAMED_MAX } from '../../domain/buildings/limits.ts';
import { countsOf, draftsOf, type ModelName } from '../../domain/buildings/nodes.ts';
import {
  planCounts,
  planImport,
  replacedNodes,
  type ImportPlan,
  type ReplacedNode,
} from '../../domain/buildings/plan.ts';
import { isRefusal, refuse, type Refusal } from '../../engine/aggregates/decider.ts';
import { once } from './command-keys.ts';
import { followSpaces } from './layer-values.ts';
import { followShapes, forgetShapes, outlineCounts, putShapes } from './shapes.ts';
import { announce } from './outbox.ts';
import { followReplacedNodes, type Follower } from './followers.ts';
import type { Gone, ImportOptions, ImportResult } from './graph.ts';
import { existingNodes, putNodes, removeNodes } from './nodes.ts';
import { elementPlaces, placeElements } from './place-elements.ts';
import {
  alignedDocument,
  forgetFrame,
  movedWarnings,
  putFrame,
  withoutPosition,
} from './plan-frame.ts';
import { transaction } from '../../engine/postgres/transaction.ts';

type Result = Omit<ImportResult, 'replayed'>;

/** The input of an import, and the followers of the nodes that it changes. */
export interface Import {
  readonly organisation: string;
  readonly document: ImportDocument;
  readonly options: ImportOptions;
  /** Warnings for the answer. */
  readonly warnings?: readonly string[];
  readonly followers: readonly Follower[];
  /** The caller rolls the import back, so that new ids are not returned. Default false. */
  readonly isDryRun?: boolean | undefined;
}

export const importInto = (db: Pool, given: Import): Promise<ImportResult | Refusal> =>
  transaction(db, (client) => importWithin(client, given));

/** Imports in the caller's transaction, which must be rolled back after a refusal. */
export const importWithin = async (
  client: ClientBase,
  given: Import,
): Promise<ImportResult | Refusal> => {
  const { organisation, options } = given;
  const { at, bodyHash, commandId = newId() } = options;
  const outcome = await once<Result>(client, { organisation, commandId, bodyHash, at }, () =>
    carryOut(client, { ...given, options: { ...options, commandId } }),
  );
  if (isRefusal(outcome)) return outcome;
  // Results stored by earlier releases lack some members.
  return { ...SILENT, ...outcome };
};

const SILENT = {
  warnings: [],
  outlines: { spaces: 0, without: 0 },
  storeys: [],
  elements: { contained: 0, byGeometry: 0, onStorey: 0 },
} as const;

const carryOut = async (
  client: ClientBase,
  {
    organisation,
    document,
    options,
    warnings = [],
    followers,
    isDryRun = false,
  }: Import & { options: { commandId: string } },
): Promise<Result | Refusal> => {
  const { replace = false, codes, at, model = null, storeys, reference } = options;
  const isNew = options.buildingId === undefined;
  const unknown = isNew ? null : await lockBuilding(client, organisation, options.buildingId);
  if (unknown) return unknown;
  const aligned = await alignedDocument(client, options.buildingId, document, reference, model);
  // Before the nodes are read, which have positions.
  const displaced = aligned.isMoved ? await forgetFrame(client, options.buildingId!) : [];

  const existing = isNew ? [] : await existingNodes(client, options.buildingId);
  const drafts = draftsOf(aligned.document);
  const freshIds = freshIdsOf(drafts.length, options);
  const observed = await observedBy(client, followers, options.buildingId);
  const rules = { replace, codes, model, storeys, observed };
  const plan = planImport({ drafts, existing, freshIds, ...rules });
  if (isRefusal(plan)) return plan;
  const buildingId = options.buildingId ?? plan.create[0]!.id;

  const { site, building } = aligned.document;
  await putBuilding(client, { buildingId, organisation, site, building, isNew, model });
  if (aligned.frame) await putFrame(client, buildingId, aligned.frame, model);
  const replaced = replacedNodes(plan);
  await putNodes(client, buildingId, plan);
  const lost = await followReplacedNodes(client, buildingId, replaced, [
    followSpaces,
    followShapes,
    ...followers.map((follower) => follower.replaced),
  ]);
  await removeNodes(client, buildingId, plan, at);
  // After the shapes of replaced nodes have been moved to their successors.
  const undrawn = aligned.isMoved ? await forgetShapes(client, buildingId, plan.shapes) : 0;
  const [shared, own] = [true, false].map((is) => plan.shapes.filter((s) => s.isShared === is));
  await putShapes(client, own!);
  await putShapes(client, shared!, 'kept');
  await placeElements(client, buildingId);
  const tooMany = await keepModels(client, buildingId);
  if (tooMany) return tooMany;
  const occasion = { at, by: options.by, origin: 'import', organisation } as const;
  if (!isNew) for (const { changed } of followers) await changed(client, buildingId, occasion);

  const counts = planCounts(plan);
  await announce(
    client,
    { type: 'BuildingImported', buildingId, organisation, replaced: replace, ...counts },
    { commandId: options.commandId, ...occasion },
  );
  return {
    buildingId,
    ...counts,
    gone: goneOf(replaced, lost),
    outlines: await outlineCounts(client, buildingId),
    storeys: namedStoreys(plan, isDryRun),
    elements: await elementPlaces(client, buildingId, model),
    warnings: [
      ...warnings,
      ...aligned.warnings,
      ...movedWarnings(undrawn, await withoutPosition(client, displaced)),
      ...plan.warnings,
    ],
  };
};

/** The points with samples. */
const observedBy = async (
  client: ClientBase,
  followers: readonly Follower[],
  buildingId: string | undefined,
): Promise<ReadonlySet<string>> => {
  const observed = new Set<string>();
  if (buildingId === undefined) return observed;
  for (const follower of followers)
    for (const id of await follower.observed(client, buildingId)) observed.add(id);
  return observed;
};

const namedStoreys = ({ create, storeys }: ImportPlan, isDryRun: boolean) => {
  const made = new Set(isDryRun ? create.map(({ id }) => id) : []);
  return storeys
    .slice(0, STOREYS_NAMED_MAX)
    .map((storey) =>
      made.has(storey.to.id!) ? { ...storey, to: { ...storey.to, id: null } } : storey,
    );
};

const goneOf = (
  replaced: readonly ReplacedNode[],
  lost: Readonly<Record<string, number>>,
): Gone => ({
  ...lost,
  ...countsOf(replaced.filter(({ successorId }) => successorId === null)),
});

/** A named import has deterministic ids: those of the demo are the same in all installations. */
const freshIdsOf = (
  count: number,
  { commandId, bodyHash }: { readonly commandId: string; readonly bodyHash?: string | undefined },
): readonly string[] =>
  Array.from({ length: count }, (_, index) =>
    bodyHash === undefined ? newId() : uuidFrom(String(index), commandId),
  );

/** Locks the building until the transaction ends: imports into it are serialised. */
const lockBuilding = async (
  client: ClientBase,
  organisation: string,
  buildingId: string,
): Promise<Refusal | null> => {
  const { rowCount } = isUuid(buildingId)
    ? await client.query(
        'select from graph.building where id = $1 and organisation = $2 for update',
        [buildingId, organisation],
      )
    : { rowCount: 0 };
  return rowCount === 0 ? refuse('NOT_FOUND', 'No building has this id.') : null;
};

interface ImportedBuilding {
  readonly buildingId: string;
  readonly organisation: string;
  readonly site: ImportDocument['site'];
  readonly building: Pick<ImportDocument['building'], 'north'>;
  readonly isNew: boolean;
  readonly model: ModelName;
}

/** The site is that of the building's unnamed model; north may be known only to another model. */
const putBuilding = async (
  client: ClientBase,
  { buildingId, organisation, site, building: { north = null }, isNew, model }: ImportedBuilding,
): Promise<void> => {
  if (!isNew && model !== null) {
    await client.query(
      `update graph.building set revision = revision + 1, north = coalesce(north, $2)
       where id = $1`,
      [buildingId, north],
    );
    return;
  }
  const siteId = await keepSite(client, organisation, site);
  await client.query(
    `insert into graph.building (id, organisation, site_id, north) values ($1, $2, $3, $4)
     on conflict (id) do update
       set site_id = excluded.site_id, revision = building.revision + 1,
           north = coalesce(excluded.north, building.north)`,
    [buildingId, organisation, siteId, north],
  );
};

/** Updates the building's list of models: those with nodes. */
const keepModels = async (client: ClientBase, buildingId: string): Promise<Refusal | null> => {
  const { rows } = await client.query<{ models: readonly string[] }>(
    `update graph.building set models = array(
       select distinct model from graph.node
       where building_id = $1 and model is not null order by model
     ) where id = $1 returning models`,
    [buildingId],
  );
  if (rows[0]!.models.length <= MODELS_MAX) return null;
  const message = `exceeds the limit of ${MODELS_MAX} models per building`;
  return refuse('CONFLICT', `model ${message}.`, { errors: [{ path: 'model', message }] });
};

/**
 * The organisation's site with this code, created or renamed. It is locked only if it changes, so
 * that imports into its buildings do not wait for each other.
 */
const keepSite = async (
  client: ClientBase,
  organisation: string,
  { code, name }: ImportDocument['site'],
): Promise<string> => {
  const { rows: known } = await client.query<{ id: string; name: string }>(
    'select id, name from graph.site where organisation = $1 and code = $2',
    [organisation, code],
  );
  if (known[0]?.name === name) return known[0].id;
  const { rows } = await client.query<{ id: string }>(
    `insert into graph.site (id, organisation, code, name) values ($1, $2, $3, $4)
     on conflict (organisation, code) do update set name = excluded.name
     returning id`,
    [newId(), organisation, code, name],
  );
  return rows[0]!.id;
};
