/**
 * Assigns elements to rooms by their position. An element that its document puts into a room stays
 * there; others are on a storey, or in the room whose outline contains their position. Every import
 * runs this, so that the order of importing models does not matter. contract.md section 6.
 */
import type { ClientBase } from 'pg';
import type { ModelName } from '../../domain/buildings/nodes.ts';
import { roomsByPosition, type DrawnRoom } from '../../domain/buildings/rooms-by-position.ts';
import { inChunks } from './chunks.ts';
import type { ElementPlaces } from './graph.ts';

interface LooseElement {
  readonly id: string;
  readonly storeyId: string;
  readonly spaceId: string | null;
  readonly x: number;
  readonly y: number;
}

export const placeElements = async (client: ClientBase, buildingId: string): Promise<void> => {
  const { rows: elements } = await client.query<LooseElement>(
    `select n.id, coalesce(element.storey_id, space.storey_id) as "storeyId",
            element.space_id as "spaceId", element.x, element.y
     from graph.node n join graph.element using (id)
     left join graph.space on space.id = element.space_id
     where n.building_id = $1 and n.kind = 'element' and element.x is not null
       and (element.storey_id is not null or element.is_placed_by_geometry)`,
    [buildingId],
  );
  if (elements.length === 0) return;
  const { rows: rooms } = await client.query<DrawnRoom & { readonly storeyId: string }>(
    `select space.id, space.storey_id as "storeyId", o.rings as outline
     from graph.node n join graph.space using (id) join graph.outline o on o.node_id = n.id
     where n.building_id = $1 and n.kind = 'space' and space.storey_id = any($2::uuid[])`,
    [buildingId, [...new Set(elements.map(({ storeyId }) => storeyId))]],
  );
  const ofStorey = new Map(
    [...Map.groupBy(rooms, ({ storeyId }) => storeyId)].map(([id, drawn]) => [
      id,
      roomsByPosition(drawn),
    ]),
  );
  const found = elements.flatMap(({ id, storeyId, spaceId, x, y }) => {
    const room = ofStorey.get(storeyId)?.([x, y]) ?? null;
    const place = room === null ? { storey_id: storeyId } : { space_id: room };
    return room === spaceId ? [] : [{ id, storey_id: null, space_id: null, ...place }];
  });
  await inChunks(found, (rows) =>
    client.query(
      `update graph.element set storey_id = n.storey_id, space_id = n.space_id,
         is_placed_by_geometry = n.space_id is not null
       from json_to_recordset($1) as n(id uuid, storey_id uuid, space_id uuid)
       where element.id = n.id`,
      [JSON.stringify(rows)],
    ),
  );
};

export const elementPlaces = async (
  client: ClientBase,
  buildingId: string,
  model: ModelName,
): Promise<ElementPlaces> => {
  const { rows } = await client.query<ElementPlaces>(
    `select count(*) filter (where space_id is not null and not is_placed_by_geometry)::int
              as contained,
            count(*) filter (where is_placed_by_geometry)::int as "byGeometry",
            count(*) filter (where storey_id is not null)::int as "onStorey"
     from graph.node n join graph.element using (id)
     where n.building_id = $1 and n.kind = 'element' and n.model is not distinct from $2`,
    [buildingId, model],
  );
  return rows[0]!;
};
