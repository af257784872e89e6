/** Spaces that integrations add to a building. contract.md section 6. */
import type { ClientBase, Pool } from 'pg';
import { v7 as newId } from 'uuid';
import { lockName } from '../../engine/postgres/advisory-lock.ts';
import { constraintOf, isUniqueViolation } from '../../engine/postgres/errors.ts';
import { transaction } from '../../engine/postgres/transaction.ts';
import type { NewSpace } from '../../domain/buildings/document.ts';
import type { NodeKind } from '../../domain/buildings/nodes.ts';
import { refuseGrowth } from '../../domain/buildings/plan.ts';
import { withArticle } from '../../domain/with-article.ts';
import { refuse, type Refusal } from '../../engine/aggregates/decider.ts';
import { once, type KeyedCommand } from './command-keys.ts';
import type { CreatedSpace, Graph, SpaceRow } from './graph.ts';
import { spaceById } from './lists.ts';
import { putShapes } from './shapes.ts';
import { placeWordsOf } from './place-words.ts';
import { holdBuilding } from './owned-building.ts';

export const graphSpaces = (db: Pool): Pick<Graph, 'createSpace'> => ({
  async createSpace(organisation, buildingId, space, command) {
    try {
      return await transaction<CreatedSpace | Refusal>(db, (client) =>
        once<SpaceRow>(client, { organisation, ...command }, async () => {
          const refusal = await holdBuilding(client, organisation, buildingId);
          return refusal ?? created(client, buildingId, space, command);
        }),
      );
    } catch (error) {
      if (isUniqueViolation(error)) return conflictOf(constraintOf(error));
      throw error;
    }
  },
});

const created = async (
  client: ClientBase,
  buildingId: string,
  space: NewSpace,
  { commandId }: Pick<KeyedCommand, 'commandId'>,
): Promise<SpaceRow | Refusal> => {
  const { storeyId, code, name, externalId = null, sourceSystem = null } = space;
  const { rowCount } = await client.query(
    `select from graph.node where id = $1 and building_id = $2 and kind = 'storey'`,
    [storeyId, buildingId],
  );
  if (rowCount === 0) {
    const message = 'is not the id of a storey of this building';
    return refuse('REFERENCE_NOT_FOUND', `storeyId ${message}.`, {
      errors: [{ path: 'storeyId', message }],
    });
  }
  await lockIdentifiers(client, buildingId, space);
  const refusal =
    refuseGrowth(await nodesIn(client, buildingId), 1) ??
    (await takenByOtherKind(client, buildingId, code));
  if (refusal) return refusal;
  const id = newId();
  await client.query(
    `insert into graph.node (id, building_id, kind, code, name, source_system, external_id, words)
     values ($1, $2, 'space', $3, $4, $5, $6, $7)`,
    [
      id,
      buildingId,
      code,
      name,
      sourceSystem,
      externalId,
      placeWordsOf({ kind: 'space', code, name }),
    ],
  );
  const { spaceTypeSlug, areaSqm = null, isLeasable } = space;
  await client.query(
    `insert into graph.space (id, storey_id, space_type_slug, area_sqm, is_leasable)
     values ($1, $2, $3, $4, $5)`,
    [id, storeyId, spaceTypeSlug, areaSqm, isLeasable ?? false],
  );
  if (space.outline) await putShapes(client, [{ id, outline: space.outline }]);
  const row = await spaceById(client, id);
  if (!row) throw new Error(`space ${id} of command ${commandId} is not there`);
  return row;
};

const nodesIn = async (client: ClientBase, buildingId: string): Promise<number> => {
  const { rows } = await client.query<{ nodes: number }>(
    'select count(*)::int as nodes from graph.node where building_id = $1',
    [buildingId],
  );
  return rows[0]!.nodes;
};

/** Within a kind, a constraint refuses the second node. */
const takenByOtherKind = async (
  client: ClientBase,
  buildingId: string,
  code: string,
): Promise<Refusal | null> => {
  const { rows } = await client.query<{ kind: NodeKind }>(
    `select kind from graph.node
     where building_id = $1 and kind in ('storey', 'element', 'point') and code = $2 limit 1`,
    [buildingId, code],
  );
  const [holder] = rows;
  return holder ? codeTaken(`${withArticle(holder.kind)} of this building`) : null;
};

/**
 * Locks the code and the external identifier until the transaction ends. Their constraints are
 * deferrable, so each of several inserts of one value would wait for the others: a deadlock.
 */
const lockIdentifiers = async (
  client: ClientBase,
  buildingId: string,
  { code, externalId, sourceSystem }: NewSpace,
): Promise<void> => {
  const lock = (...parts: string[]) => lockName(client, JSON.stringify([buildingId, ...parts]));
  // Always in this order, so that these locks cause no deadlock themselves.
  await lock(code);
  if (externalId && sourceSystem) await lock(sourceSystem, externalId);
};

const conflictOf = (constraint: string): Refusal =>
  constraint.includes('external_id')
    ? taken('externalId', 'is already used in this building, with the same sourceSystem')
    : codeTaken('another space of this building');

const codeTaken = (by: string) => taken('code', `is already used by ${by}`);

const taken = (path: string, message: string): Refusal =>
  refuse('CONFLICT', `${path} ${message}.`, { errors: [{ path, message }] });
