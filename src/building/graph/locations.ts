/** Resolves the ids in a request or an old ticket to locations in the building. */
import type { Pool } from 'pg';
import { validate as isUuid } from 'uuid';
import {
  locationAfterImport,
  locationMembers,
  locationWithin,
  unknownReference,
  type LocationNode,
  type RequestedLocation,
} from '../../domain/buildings/location.ts';
import type { LocationKind } from '../../domain/service-desk/location-references.ts';
import type { Graph } from './graph.ts';

export const graphLocations = (
  db: Pool,
): Pick<
  Graph,
  | 'resolveLocation'
  | 'resolveLocations'
  | 'placeKinds'
  | 'placeNames'
  | 'aliasesOf'
  | 'successorsOf'
> => ({
  resolveLocation: async (organisation, request) =>
    (await resolved(db, organisation, [request]))[0]!,

  resolveLocations: (organisation, requests) => resolved(db, organisation, requests),

  placeKinds: async (organisation, ids) => {
    if (ids.length === 0) return new Map();
    const { rows } = await db.query<{ id: string; kind: LocationKind }>(
      `select id, 'building' as kind from graph.building
       where id = any($2::uuid[]) and organisation = $1
       union all
       select n.id, n.kind from graph.node n join graph.building b on b.id = n.building_id
       where n.id = any($2::uuid[]) and n.kind in ('storey', 'space', 'element')
         and b.organisation = $1
       union all
       select f.id, f.kind from graph.former_node f
       join graph.node n using (building_id, kind, source_system, external_id)
       join graph.building b on b.id = f.building_id
       where f.id = any($2::uuid[]) and f.kind in ('storey', 'space', 'element')
         and b.organisation = $1`,
      [organisation, ids],
    );
    return new Map(rows.map(({ id, kind }) => [id, kind]));
  },

  aliasesOf: async (organisation, ids) => {
    if (ids.length === 0) return new Map();
    const { rows } = await db.query<{ alias: string; ids: readonly string[] }>({
      name: 'aliases of places',
      text: `with place as (
          select id, building_id, kind, source_system, external_id from graph.node
          where id = any($2::uuid[])
          union all
          select id, building_id, kind, source_system, external_id from graph.former_node
          where id = any($2::uuid[]))
        select alias.id as alias, array_agg(place.id::text) as ids
        from place
        join graph.building b on b.id = place.building_id and b.organisation = $1
        join lateral (
          select f.id from graph.former_node f
          where (f.building_id, f.kind, f.source_system, f.external_id)
              = (place.building_id, place.kind, place.source_system, place.external_id)
          union all
          select n.id from graph.node n
          where (n.building_id, n.kind, n.source_system, n.external_id)
              = (place.building_id, place.kind, place.source_system, place.external_id)
        ) as alias on alias.id <> place.id
        group by alias.id`,
      values: [organisation, ids],
    });
    return new Map(rows.map(({ alias, ids }) => [alias, ids]));
  },

  placeNames: async (organisation, ids) => {
    if (ids.length === 0) return new Map();
    const { rows } = await db.query<{ id: string; name: string }>(
      `select asked.id, n.name from unnest($2::uuid[]) as asked(id)
       left join graph.successor s on s.id = asked.id
       join graph.node n on n.id = coalesce(s.successor_id, asked.id)
       join graph.building b on b.id = n.building_id
       where n.kind in ('building', 'storey', 'space', 'element') and b.organisation = $1`,
      [organisation, ids],
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  },

  successorsOf: async (buildingId, locations) => {
    const ids = new Set(
      locations.flatMap((location) => locationMembers.map((member) => location[member])),
    );
    ids.delete(null);
    const { rows } = await db.query<Located & { asked: string }>(
      `select asked.id as asked, location.*
       from unnest($2::uuid[]) as asked(id)
       join lateral (
         select n.id from graph.node n where n.building_id = $1 and n.id = asked.id
         union
         select n.id from graph.former_node f
         join graph.node n using (building_id, kind, source_system, external_id)
         where f.building_id = $1 and f.id = asked.id
       ) as heir on true
       join (${located}) as location on location.id = heir.id`,
      [buildingId, [...ids]],
    );
    // An unknown building was lost with its database, not changed by an import: locations are kept.
    if (rows.length === 0 && !(await isThere(db, buildingId))) return locations;
    const successors = new Map(rows.map((row) => [row.asked, row]));
    return locations.map((location) => locationAfterImport(location, successors));
  },
});

const resolved: (
  db: Pool,
  ...of: Parameters<Graph['resolveLocations']>
) => ReturnType<Graph['resolveLocations']> = async (db, organisation, given) => {
  const all = given.map(inLowerCase);
  const named = (ids: readonly (string | null | undefined)[]) =>
    [...new Set(ids)].filter((id) => typeof id === 'string').filter(isUuid);
  const buildings = named(all.map(({ buildingId }) => buildingId));
  const ids = named(all.flatMap((request) => locationMembers.map((member) => request[member])));
  // A row also for a building without a matching node, to know that it is the organisation's.
  const { rows } =
    buildings.length === 0
      ? { rows: [] }
      : await db.query<Located & { readonly building: string }>({
          // A named prepared statement, because planning takes several times as long as executing.
          name: 'locations resolved',
          text: `select b.id as building, location.* from graph.building b
           left join (${located}) as location
             on location."buildingId" = b.id and location.id = any($3::uuid[])
           where b.id = any($1::uuid[]) and b.organisation = $2`,
          values: [buildings, organisation, ids],
        });
  const found = new Map(
    [...Map.groupBy(rows, ({ building }) => building)].map(([building, nodes]) => [
      building,
      new Map(nodes.map((node) => [node.id, node])),
    ]),
  );
  return all.map((request) => {
    const nodes = found.get(request.buildingId);
    return nodes ? locationWithin(request, nodes) : unknownReference(['buildingId']);
  });
};

const isThere = async (db: Pool, buildingId: string): Promise<boolean> => {
  const { rowCount } = await db.query('select from graph.building where id = $1', [buildingId]);
  return rowCount === 1;
};

/** Lower case, as Postgres writes ids, so that they can be compared as text. */
const inLowerCase = ({
  buildingId,
  storeyId,
  spaceId,
  elementId,
}: RequestedLocation): RequestedLocation => ({
  buildingId: buildingId.toLowerCase(),
  storeyId: storeyId?.toLowerCase(),
  spaceId: spaceId?.toLowerCase(),
  elementId: elementId?.toLowerCase(),
});

interface Located extends LocationNode {
  readonly id: string;
}

/** The possible locations of a ticket, with their ancestors. */
const located = `
  select n.id, n.building_id as "buildingId", n.kind,
         coalesce(storey.id, space.storey_id, element.storey_id, room.storey_id) as "storeyId",
         coalesce(space.id, element.space_id) as "spaceId"
  from graph.node n
  left join graph.storey on storey.id = n.id
  left join graph.space on space.id = n.id
  left join graph.element on element.id = n.id
  left join graph.space room on room.id = element.space_id
  where n.kind in ('storey', 'space', 'element')`;
