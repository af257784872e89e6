/** The rows of a building's nodes: read as a list, written according to a plan. */
import type { ClientBase } from 'pg';
import { tripleOf, type GraphNode, type NodeKind } from '../../domain/buildings/nodes.ts';
import type { ImportPlan } from '../../domain/buildings/plan.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { inChunks } from './chunks.ts';
import { placeWordsOf, writeWordsWithin } from './place-words.ts';

interface KindTable {
  /** Possible kinds of the parent; each has a column `<kind>_id`. */
  readonly parents: readonly NodeKind[];
  /** Member of `details` → column and its type. */
  readonly columns: Readonly<Record<string, readonly [column: string, type: string]>>;
}

/** Parents before children. */
const tables: Readonly<Record<Exclude<NodeKind, 'building'>, KindTable>> = {
  storey: {
    parents: [],
    columns: {
      level: ['level', 'double precision'],
      elevation: ['elevation', 'double precision'],
      height: ['height', 'double precision'],
    },
  },
  space: {
    parents: ['storey'],
    columns: {
      spaceTypeSlug: ['space_type_slug', 'text'],
      areaSqm: ['area_sqm', 'double precision'],
      isLeasable: ['is_leasable', 'boolean'],
    },
  },
  element: {
    parents: ['storey', 'space'],
    columns: {
      elementTypeSlug: ['element_type_slug', 'text'],
      x: ['x', 'double precision'],
      y: ['y', 'double precision'],
      isPlacedByGeometry: ['is_placed_by_geometry', 'boolean'],
    },
  },
  point: {
    parents: ['element'],
    columns: {
      pointClass: ['point_class', 'text'],
      valueType: ['value_type', 'text'],
      unit: ['unit', 'text'],
    },
  },
};

const tableList = Object.entries(tables);

const nodeColumns = [
  ['code', 'text'],
  ['name', 'text'],
  ['source_system', 'text'],
  ['external_id', 'text'],
  ['model', 'text'],
] as const;

/** All nodes of a building, including the building itself, unordered. */
export const existingNodes = async (
  client: ClientBase,
  buildingId: string,
): Promise<readonly GraphNode[]> => {
  const parents = tableList.flatMap(([kind, { parents }]) =>
    parents.map((parent) => {
      const column = `${kind}.${parent}_id`;
      return `when ${column} is not null
              then json_build_object('kind', '${parent}', 'id', ${column})`;
    }),
  );
  const detailsOf = tableList
    .map(([kind, { columns }]) => {
      const members = Object.entries(columns).map(([member, [c]]) => `'${member}', ${kind}.${c}`);
      return `when '${kind}' then json_build_object(${members.join(', ')})`;
    })
    .join('\n');
  const { rows } = await client.query<GraphNode>(
    `select n.id, n.kind, n.code, n.name,
            n.source_system as "sourceSystem", n.external_id as "externalId", n.model,
            case ${parents.join('\n')}
                 when n.id <> n.building_id
                 then json_build_object('kind', 'building', 'id', n.building_id) end as parent,
            case n.kind ${detailsOf} else '{}' end as details
     from graph.node n
     ${tableList.map(([kind]) => `left join graph.${kind} using (id)`).join('\n')}
     where n.building_id = $1`,
    [buildingId],
  );
  return rows;
};

/**
 * Executes the first half of a plan: new and changed nodes. The building's row exists already.
 * Until {@link removeNodes} is done, old and new nodes coexist.
 */
export const putNodes = async (
  client: ClientBase,
  buildingId: string,
  { create, update, moved }: ImportPlan,
): Promise<void> => {
  // Two nodes may swap codes in different statements, and a new node may have an old one's code.
  await client.query('set constraints all deferred');
  await insertNodes(client, buildingId, create);
  await updateNodes(client, update);
  await updateDetails(client, moved);
  // A trigger has cleared the words of renamed nodes.
  await writeWordsWithin(client, buildingId);
};

/** Executes the second half of a plan: removed nodes are remembered by their triple. */
export const removeNodes = async (
  client: ClientBase,
  buildingId: string,
  { remove }: ImportPlan,
  at: Instant,
): Promise<void> => {
  await rememberFormer(client, buildingId, remove, at);
  await deleteNodes(client, remove);
};

const rememberFormer = (
  client: ClientBase,
  buildingId: string,
  removed: readonly GraphNode[],
  at: Instant,
) =>
  inChunks(
    removed.filter((node) => tripleOf(node) !== null),
    (nodes) =>
      client.query(
        `insert into graph.former_node
           (id, building_id, kind, source_system, external_id, replaced_at)
         select id, $2, kind, source_system, external_id, $3
         from json_to_recordset($1)
           as n(id uuid, kind text, source_system text, external_id text)`,
        [JSON.stringify(nodes.map(nodeRow)), buildingId, at],
      ),
  );

/** Children before parents. */
const deleteNodes = async (client: ClientBase, removed: readonly GraphNode[]) => {
  for (const [kind] of tableList.toReversed()) {
    await deleteRows(client, kind, ofKind(removed, kind));
  }
  await deleteRows(client, 'node', removed);
};

const deleteRows = (client: ClientBase, table: string, removed: readonly GraphNode[]) =>
  inChunks(removed, (nodes) =>
    client.query(`delete from graph.${table} where id = any($1::uuid[])`, [
      nodes.map(({ id }) => id),
    ]),
  );

const insertNodes = async (
  client: ClientBase,
  buildingId: string,
  created: readonly GraphNode[],
) => {
  const shared = nodeColumns.map(([column]) => column).join(', ');
  await inChunks(created, (nodes) =>
    client.query(
      `insert into graph.node (id, building_id, kind, words, ${shared})
       select id, $2, kind, words, ${shared}
       from json_to_recordset($1) as n(id uuid, kind text, words text, ${typed(nodeColumns)})`,
      [
        JSON.stringify(nodes.map((node) => ({ ...nodeRow(node), words: placeWordsOf(node) }))),
        buildingId,
      ],
    ),
  );
  for (const [kind, table] of tableList) {
    const columns = columnsOf(table);
    const names = columns.map(([column]) => column).join(', ');
    await inChunks(ofKind(created, kind), (nodes) =>
      client.query(
        `insert into graph.${kind} (id, ${names})
         select id, ${names} from json_to_recordset($1) as n(id uuid, ${typed(columns)})`,
        [JSON.stringify(nodes.map((node) => detailRow(node, table)))],
      ),
    );
  }
};

const updateNodes = async (client: ClientBase, updated: readonly GraphNode[]) => {
  await inChunks(updated, (nodes) =>
    client.query(
      `update graph.node set ${assigned(nodeColumns)}
       from json_to_recordset($1) as n(id uuid, ${typed(nodeColumns)})
       where node.id = n.id`,
      [JSON.stringify(nodes.map(nodeRow))],
    ),
  );
  await updateDetails(client, updated);
};

/** Updates details and parents. */
const updateDetails = async (client: ClientBase, updated: readonly GraphNode[]) => {
  for (const [kind, table] of tableList) {
    const columns = columnsOf(table);
    await inChunks(ofKind(updated, kind), (nodes) =>
      client.query(
        `update graph.${kind} set ${assigned(columns)}
         from json_to_recordset($1) as n(id uuid, ${typed(columns)})
         where ${kind}.id = n.id`,
        [JSON.stringify(nodes.map((node) => detailRow(node, table)))],
      ),
    );
  }
};

type Column = readonly [column: string, type: string];

const columnsOf = ({ parents, columns }: KindTable): readonly Column[] => [
  ...parents.map((kind) => [`${kind}_id`, 'uuid'] as const),
  ...Object.values(columns),
];

const typed = (columns: readonly Column[]) => columns.map((each) => each.join(' ')).join(', ');
const assigned = (columns: readonly Column[]) =>
  columns.map(([column]) => `${column} = n.${column}`).join(', ');

const ofKind = (nodes: readonly GraphNode[], kind: string) =>
  nodes.filter((node) => node.kind === kind);

const nodeRow = ({ id, kind, code, name, sourceSystem, externalId, model }: GraphNode) => ({
  id,
  kind,
  code,
  name,
  source_system: sourceSystem,
  external_id: externalId,
  model,
});

const detailRow = ({ id, parent, details }: GraphNode, { parents, columns }: KindTable) => ({
  id,
  ...Object.fromEntries(
    parents.map((kind) => [`${kind}_id`, parent?.kind === kind ? parent.id : null]),
  ),
  ...Object.fromEntries(Object.entries(columns).map(([member, [c]]) => [c, details[member]])),
});
