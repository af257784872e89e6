/** The lists of the building graph: one statement each, which also checks the building's owner. */
import type { ClientBase, Pool } from 'pg';
import { validate as isUuid } from 'uuid';
import { typeNameOf } from '../../domain/buildings/space-type.ts';
import type {
  BuildingRow,
  ElementRow,
  Graph,
  Page,
  PointRow,
  Range,
  SpaceRow,
  StoreyRow,
} from './graph.ts';

type Lists = Pick<
  Graph,
  | 'buildings'
  | 'buildingIds'
  | 'building'
  | 'storeys'
  | 'spaces'
  | 'space'
  | 'elements'
  | 'element'
  | 'points'
  | 'point'
>;

export const graphLists = (db: Pool): Lists => ({
  buildings: async (organisation, range) => {
    const { items, total } = await pageOf(db, buildingQuery, range, [organisation]);
    return { items, ...rangeOf(range), total };
  },

  buildingIds: async (organisation) => {
    const ofOrganisation = 'select id from graph.building where organisation = $1';
    const { rows } = await db.query<{ id: string }>(ofOrganisation, [organisation]);
    return new Set(rows.map(({ id }) => id));
  },

  building: async (organisation, buildingId) => {
    if (!isUuid(buildingId)) return null;
    const only: Query<BuildingRow> = {
      ...buildingQuery,
      where: `${buildingQuery.where} and b.id = $2`,
    };
    const one = { limit: 1, offset: 0 };
    const { items } = await pageOf(db, only, one, [organisation, buildingId]);
    return items[0] ?? null;
  },

  storeys: (organisation, buildingId, range) =>
    within(db, organisation, buildingId, storeyQuery, range),

  spaces: async (organisation, buildingId, range) => {
    const { storeyId = null, spaceTypeSlug = null, status = null, isLeasable = null } = range;
    const filter = [storeyId, spaceTypeSlug, status, isLeasable, range.model ?? null];
    const page = await within(db, organisation, buildingId, spaceQuery, range, filter);
    return page && { ...page, items: page.items.map(spaceRow) };
  },

  elements: (organisation, buildingId, range) =>
    within(db, organisation, buildingId, elementQuery, range, inSpaceOf(range)),

  points: (organisation, buildingId, range) =>
    within(db, organisation, buildingId, pointQuery, range, inSpaceOf(range)),

  space: async (organisation, buildingId, id) => {
    const row = await oneWithin(db, organisation, buildingId, spaceQuery, id);
    return row && spaceRow(row);
  },

  element: (organisation, buildingId, id) =>
    oneWithin(db, organisation, buildingId, elementQuery, id),

  point: (organisation, buildingId, id) => oneWithin(db, organisation, buildingId, pointQuery, id),
});

const inSpaceOf = ({ spaceId, model }: Parameters<Graph['elements']>[2]) => [
  spaceId ?? null,
  model ?? null,
];

export interface Query<Row> {
  /** Member of a row → expression. */
  readonly members: { readonly [Member in keyof Row]: string };
  readonly from: string;
  readonly where: string;
  /** A total order, so that pages do not overlap while the data is unchanged. */
  readonly order: string;
}

const labels = {
  id: 'n.id',
  externalId: 'n.external_id',
  sourceSystem: 'n.source_system',
  code: 'n.code',
  name: 'n.name',
};

const nodeMembers = { ...labels, model: 'n.model' };

const ofBuilding = (kind: string) => `n.building_id = $1 and n.kind = '${kind}'`;

const buildingQuery: Query<BuildingRow> = {
  members: {
    ...labels,
    models: 'b.models',
    site: `json_build_object('id', site.id, 'code', site.code, 'name', site.name)`,
  },
  from: `graph.building b
         join graph.node n on n.id = b.id
         join graph.site on site.id = b.site_id`,
  where: 'b.organisation = $1',
  // Two buildings of an organisation may have the same code.
  order: 'n.code, n.id',
};

const storeyQuery: Query<StoreyRow> = {
  members: { ...nodeMembers, level: 'storey.level' },
  from: 'graph.node n join graph.storey using (id)',
  where: ofBuilding('storey'),
  order: 'storey.level, n.code',
};

const spaceQuery: Query<StoredSpace> = {
  members: {
    ...nodeMembers,
    storey: `json_build_object('id', above.id, 'code', above.code, 'name', above.name)`,
    spaceTypeSlug: 'space.space_type_slug',
    areaSqm: 'space.area_sqm',
    status: 'space.status',
    isLeasable: 'space.is_leasable',
  },
  from: `graph.node n
         join graph.space using (id)
         join graph.node above on above.id = space.storey_id`,
  where: `${ofBuilding('space')}
          and ($2::uuid is null or space.storey_id = $2)
          and ($3::text is null or space.space_type_slug = $3)
          and ($4::text is null or space.status = $4)
          and ($5::boolean is null or space.is_leasable = $5)
          and ($6::text is null or n.model = $6)`,
  order: 'n.code',
};

const inSpace = `and ($2::uuid is null or element.space_id = $2)
                 and ($3::text is null or n.model = $3)`;

/** An element in a room is on that room's storey. */
const elementPlace = {
  spaceId: 'element.space_id',
  storeyId: 'coalesce(element.storey_id, space.storey_id)',
};

const elementQuery: Query<ElementRow> = {
  members: {
    ...nodeMembers,
    elementTypeSlug: 'element.element_type_slug',
    ...elementPlace,
  },
  from: `graph.node n
         join graph.element using (id)
         left join graph.space on space.id = element.space_id`,
  where: `${ofBuilding('element')} ${inSpace}`,
  order: 'n.code',
};

const pointQuery: Query<PointRow> = {
  members: {
    ...nodeMembers,
    elementId: 'point.element_id',
    ...elementPlace,
    pointClass: 'point.point_class',
    valueType: 'point.value_type',
    unit: 'point.unit',
    latest: `case when latest.series_id is not null then json_build_object(
               'value', case point.value_type when 'boolean' then to_json(latest.value = 1)
                        else to_json(latest.value) end,
               'timestamp', to_char(latest.observed_at at time zone 'UTC',
                                    'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end`,
  },
  from: `graph.node n
         join graph.point using (id)
         join graph.element on element.id = point.element_id
         left join graph.space on space.id = element.space_id
         left join telemetry.series on series.point_id = n.id
         left join telemetry.latest on latest.series_id = series.id`,
  where: `${ofBuilding('point')} ${inSpace}`,
  order: 'n.code',
};

type StoredSpace = Omit<SpaceRow, 'spaceType'> & { readonly spaceTypeSlug: string };

const spaceRow = ({ spaceTypeSlug, ...row }: StoredSpace): SpaceRow => ({
  ...row,
  spaceType: { slug: spaceTypeSlug, name: typeNameOf(spaceTypeSlug) },
});

/** The row of the list of spaces. */
export const spaceById = async (client: ClientBase, id: string): Promise<SpaceRow | null> => {
  const only: Query<StoredSpace> = { ...spaceQuery, where: 'n.id = $1' };
  const { items } = await pageOf(client, only, { limit: 1, offset: 0 }, [id]);
  return items[0] ? spaceRow(items[0]) : null;
};

const rangeOf = ({ limit, offset }: Range): Range => ({ limit, offset });

/** A page of a building's nodes, or `null` if the organisation has no such building. */
export const within = async <Row>(
  db: Pool,
  organisation: string,
  buildingId: string,
  query: Query<Row>,
  range: Range,
  filter: readonly unknown[] = [],
): Promise<Page<Row> | null> => {
  if (!isUuid(buildingId)) return null;
  const values = [buildingId, ...filter, organisation];
  const owned = `select from graph.building where id = $1 and organisation = $${values.length}`;
  const { items, total, known } = await pageOf(db, query, range, values, owned);
  return known ? { items, ...rangeOf(range), total } : null;
};

/** The row of one node in its list. */
const oneWithin = async <Row>(
  db: Pool,
  organisation: string,
  buildingId: string,
  query: Query<Row>,
  id: string,
): Promise<Row | null> => {
  if (!isUuid(id)) return null;
  const only = { ...query, where: 'n.building_id = $1 and n.id = $2' };
  const one = { limit: 1, offset: 0 };
  const page = await within(db, organisation, buildingId, only, one, [id]);
  return page?.items[0] ?? null;
};

/** A consistent page and total. Beyond the end the page is empty, and the total still correct. */
const pageOf = async <Row>(
  db: Pool | ClientBase,
  { members, from, where, order }: Query<Row>,
  { limit, offset }: Range,
  values: readonly unknown[],
  known = 'select',
): Promise<{ items: readonly Row[]; total: number; known: boolean }> => {
  const item = Object.entries<string>(members).map(([member, value]) => `'${member}', ${value}`);
  const { rows } = await db.query<{ items: Row[]; total: number; known: boolean }>(
    `select exists (${known}) as known,
            (select count(*)::int from ${from} where ${where}) as total,
            (select coalesce(json_agg(item order by place), '[]') from (
               select json_build_object(${item.join(', ')}) as item,
                      row_number() over (order by ${order}) as place
               from ${from} where ${where}
               order by ${order} limit $${values.length + 1} offset $${values.length + 2}
             ) as page) as items`,
    [...values, limit, offset],
  );
  return rows[0]!;
};
