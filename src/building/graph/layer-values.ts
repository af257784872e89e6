/** The rows of data layers: written in batches, moved along with their rooms. */
import type { ClientBase } from 'pg';
import { v7 as newId } from 'uuid';
import type { FoundSpace, LayerValue } from '../../domain/buildings/layer-values.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { FollowReplacedNodes } from './followers.ts';

/**
 * The rooms that the keys name: at most two rows per key, however many rooms share it.
 *
 * @param sourceSystem Match only externalIds of this source system; `null`: of any.
 */
export const spacesOfKeys = async (
  client: ClientBase,
  buildingId: string,
  keys: readonly string[],
  sourceSystem: string | null,
): Promise<readonly FoundSpace[]> => {
  const { rows } = await client.query<FoundSpace>(
    `with space as (
       select id, external_id, source_system from graph.node
       where building_id = $1 and kind = 'space'
     ), asked as (select distinct key from unnest($2::text[]) as asked(key))
     select key, case when count(*) = 1 then (array_agg(id))[1] end as "spaceId",
       'externalId' as by
     from asked join space on external_id = key
     where $3::text is null or source_system = $3
     group by key
     union all
     select key, id, 'id' from asked join space on id::text = lower(key)`,
    [buildingId, keys, sourceSystem],
  );
  return rows;
};

/** The layer's id; the first upload creates the layer. */
export const keepLayer = async (
  client: ClientBase,
  buildingId: string,
  slug: string,
  at: Instant,
): Promise<string> => {
  await client.query(
    `insert into graph.data_layer (id, building_id, slug, created_at) values ($1, $2, $3, $4)
     on conflict do nothing`,
    [newId(), buildingId, slug, at],
  );
  const { rows } = await client.query<{ id: string }>(
    'select id from graph.data_layer where building_id = $1 and slug = $2',
    [buildingId, slug],
  );
  return rows[0]!.id;
};

/** Unchanged values keep their time. */
export const putValues = async (
  client: ClientBase,
  layerId: string,
  values: ReadonlyMap<string, LayerValue>,
  at: Instant,
): Promise<void> => {
  // All uploads write in the same order, so that concurrent ones cannot deadlock.
  const rows = [...values].toSorted(([a], [b]) => (a < b ? -1 : 1));
  await client.query(
    `insert into graph.layer_value (layer_id, space_id, value, updated_at)
     select $1, (row ->> 0)::uuid, row -> 1, $3
     from jsonb_array_elements($2::jsonb) as given(row)
     on conflict (layer_id, space_id)
     do update set value = excluded.value, updated_at = excluded.updated_at
     where layer_value.value is distinct from excluded.value`,
    [layerId, JSON.stringify(rows), at],
  );
};

/** Moves values to the successors of their rooms; the others are removed with their rooms. */
export const followSpaces: FollowReplacedNodes = async (client) => {
  await client.query(
    `update graph.layer_value v set space_id = r.successor_id
     from pg_temp.replaced_node r where r.id = v.space_id and r.successor_id is not null`,
  );
  const { rowCount } = await client.query(
    'delete from graph.layer_value v using pg_temp.replaced_node r where r.id = v.space_id',
  );
  return { values: rowCount ?? 0 };
};
