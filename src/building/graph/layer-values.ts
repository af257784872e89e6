/** The rows of data layers: written set by set, moved along with their rooms. */
import type { ClientBase } from 'pg';
import { v7 as newId } from 'uuid';
import type { FoundSpace, LayerValue } from '../../domain/buildings/layer-values.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { FollowReplacedNodes } from './followers.ts';

/**
 * What the keys name in the building: at most two rows a key, however many rooms share it.
 *
 * @param sourceSystem Only externalIds that this system gave; `null`: of any system.
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

/** The layer's id. Its first upload makes it. */
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

/** What stays as it was keeps its time. */
export const putValues = async (
  client: ClientBase,
  layerId: string,
  values: ReadonlyMap<string, LayerValue>,
  at: Instant,
): Promise<void> => {
  // In one order in all uploads, so that two of them never wait for each other.
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

/** Values go with their rooms; those of rooms that are gone go with them. */
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
