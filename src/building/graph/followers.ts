/**
 * Moves data attached to the nodes of a building when an import recreates them. design.md decision
 * 10.
 */
import type { ClientBase } from 'pg';
import type { ReplacedNode } from '../../domain/buildings/plan.ts';
import type { Occasion } from '../../engine/aggregates/decider.ts';
import { inChunks } from './chunks.ts';

/**
 * Moves data of replaced nodes to their successors, and removes data of nodes without one. Called
 * in the import's transaction, where old and new nodes both exist and the building is locked
 * against other imports; an error undoes the import.
 *
 * `pg_temp.replaced_node (id uuid primary key, kind text, successor_id uuid)` lists every node
 * about to be removed; `successor_id` is null without a successor.
 *
 * @returns The number of removed items, such as `{ values: 3 }`, for the import's `gone`.
 */
export type FollowReplacedNodes = (
  client: ClientBase,
  buildingId: string,
) => Promise<Readonly<Record<string, number>>>;

/**
 * Adapts data to the nodes as they are after an import. Called at the end of each import into an
 * existing building, in its transaction.
 */
export type FollowChangedNodes = (
  client: ClientBase,
  buildingId: string,
  occasion: Occasion & { readonly organisation: string },
) => Promise<void>;

/** Keeps the data of a component that is attached to the nodes of a building. */
export interface Follower {
  /** The ids of points with samples. Called at the beginning of an import. */
  readonly observed: (client: ClientBase, buildingId: string) => Promise<readonly string[]>;
  readonly replaced: FollowReplacedNodes;
  readonly changed: FollowChangedNodes;
}

/** Calls all `followers` one after the other. */
export const followReplacedNodes = async (
  client: ClientBase,
  buildingId: string,
  replaced: readonly ReplacedNode[],
  followers: readonly FollowReplacedNodes[],
): Promise<Readonly<Record<string, number>>> => {
  if (replaced.length === 0) return {};
  await listReplaced(client, replaced);
  let gone = {};
  for (const follow of followers) gone = { ...gone, ...(await follow(client, buildingId)) };
  return gone;
};

const listReplaced = async (client: ClientBase, replaced: readonly ReplacedNode[]) => {
  await client.query(
    `create temporary table replaced_node (id uuid primary key, kind text, successor_id uuid)
     on commit drop`,
  );
  await inChunks(replaced, (rows) =>
    client.query(
      `insert into pg_temp.replaced_node
       select id, kind, "successorId"
       from json_to_recordset($1) as n(id uuid, kind text, "successorId" uuid)`,
      [JSON.stringify(rows)],
    ),
  );
  // Without statistics the planner would not know the size of the table.
  await client.query('analyze pg_temp.replaced_node');
};
