/**
 * What hangs on the nodes of a building, and what becomes of it when an import makes them anew.
 * design.md decision 10.
 */
import type { ClientBase } from 'pg';
import type { ReplacedNode } from '../../domain/buildings/plan.ts';
import { IMPORT_ROWS_AT_ONCE } from './limits.ts';

/**
 * Moves what hangs on replaced nodes to their successors, and takes away what has none. Called in
 * the import's transaction, where the old nodes and the new ones both exist and the building is
 * locked against other imports; what it throws undoes the import.
 *
 * `pg_temp.replaced_node (id uuid primary key, kind text, successor_id uuid)` lists every node that
 * is about to be taken away; `successor_id` is null where nothing stands for the same thing.
 *
 * @returns How many of what went away, such as `{ values: 3 }`; it stands in the import's `gone`.
 */
export type FollowReplacedNodes = (
  client: ClientBase,
  buildingId: string,
) => Promise<Readonly<Record<string, number>>>;

/** Has all of `followers` move what is theirs, one after the other. */
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
  for (let from = 0; from < replaced.length; from += IMPORT_ROWS_AT_ONCE) {
    const rows = replaced.slice(from, from + IMPORT_ROWS_AT_ONCE);
    await client.query(
      `insert into pg_temp.replaced_node
       select id, kind, "successorId"
       from json_to_recordset($1) as n(id uuid, kind text, "successorId" uuid)`,
      [JSON.stringify(rows)],
    );
  }
  // Without statistics the joins with it are planned for a table of any size.
  await client.query('analyze pg_temp.replaced_node');
};
