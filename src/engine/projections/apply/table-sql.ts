import type { ConsumerId } from '../../consumers/consumer.ts';
import { noteShape } from './shape.ts';
import { snake, schemaOf, type AnyProjection, type ColumnType } from '../projection.ts';

/**
 * The statements that a projection's shape implies. The text of each is constant, so that Postgres
 * plans it once per connection.
 */
export interface Statements {
  readonly schema: string;
  /** Qualified names of the table and its tallies: the read model exists if all of them do. */
  readonly tables: readonly string[];
  /** Recreates the schema with its tables, keys and indexes. */
  readonly create: readonly string[];
  /** The schema and its tables, without keys and indexes. */
  readonly createTables: readonly string[];
  /** The keys that {@link Statements.write} needs. */
  readonly createKeys: readonly string[];
  readonly createIndexes: readonly string[];
  /** The table and then its tallies, as COPY fills them. */
  readonly copies: readonly CopyTarget[];
  /** The columns of a row under the names of its members. */
  readonly members: string;
  /** The rows with the keys `$1`, under the names of the row's members. */
  readonly load: string;
  /** Deletes the rows with the keys `$1`. */
  readonly remove: string;
  /** Adds up the counts of each tally that COPY has written in portions, before it has its key. */
  readonly sumTallies: readonly string[];
  /**
   * Everything a batch does, in one statement and so in one transaction, which no stopped process
   * can leave open. It begins with the compare-and-set of the checkpoint; where that does not
   * match, nothing is written and no row is returned. The last parameter decides whether its commit
   * returns before it is on disk.
   */
  readonly write: string;
}

/** A table that COPY fills, and the columns its lines have. */
export interface CopyTarget {
  readonly table: string;
  readonly columns: readonly CopyColumn[];
  readonly statement: string;
}

export interface CopyColumn {
  readonly member: string;
  readonly type: string;
  /** Default: the member of the row. */
  readonly of?: (row: object) => unknown;
}

/** The parameters of {@link Statements.write} that are not the projection's own. */
export interface Move {
  readonly consumer: ConsumerId;
  readonly epoch: number;
  readonly from: string | null;
  readonly to: string | null;
  readonly applied: number;
  readonly caughtUp: boolean;
  readonly at: string;
}

/** @param schema The schema of the tables. Default: that of the projection's version. */
export const statementsOf = (
  projection: AnyProjection,
  schema: string = schemaOf(projection),
): Statements => {
  const { table, tallies = [] } = projection;
  const { document } = table;
  const rows = shapeOf(schema, table.name, storedColumns(table));
  const key = snake(table.key);
  const counts = tallies.map((tally) => shapeOf(schema, tally.name, tally.columns));
  const { partitions } = table;
  if (partitions && (counts.length > 0 || table.storage !== undefined))
    throw new Error(`${rows.table} is partitioned: it can have no tallies and no storage`);
  if (partitions && projection.readsKeyOf)
    throw new Error(`${rows.table} is partitioned: its fold can read no second row`);
  const primaryKey = partitions ? `${key}, ${snake(partitions.by)}` : key;
  const kept = partitions ? 'nothing' : `update set ${rows.assignments}`;
  // Postgres freezes no rows on their way to a partition.
  const frozen = partitions ? '' : ' with (freeze)';
  const storage = table.storage === undefined ? '' : ` with (${table.storage})`;
  const divided = partitions ? ` partition by range (${snake(partitions.by)})` : storage;
  const createTables = [
    ...(table.extensions ?? []).map(
      (name) => `create extension if not exists ${name} with schema public`,
    ),
    `create schema ${schema}`,
    noteShape(projection, schema),
    `create table ${rows.table} (${rows.definitions})${divided}`,
    ...counts.map(
      (count) => `create table ${count.table} (${count.definitions}, n bigint not null)`,
    ),
  ];
  const createKeys = [
    `alter table ${rows.table} add primary key (${primaryKey})`,
    // Null is a key like any other: unassigned tickets are counted too.
    ...counts.map(
      (count) => `create unique index on ${count.table} (${count.names}) nulls not distinct`,
    ),
  ];
  const createIndexes = table.indexes.map((index) => index.replaceAll('$table', rows.table));

  return {
    schema,
    tables: [rows.table, ...counts.map((count) => count.table)],

    create: [
      `drop schema if exists ${schema} cascade`,
      ...createTables,
      ...createKeys,
      ...createIndexes,
    ],
    createTables,
    createKeys,
    createIndexes,

    copies: [
      {
        table: rows.table,
        columns: rows.columns.map((column) =>
          column.member === document?.column ? { ...column, of: document.of } : column,
        ),
        statement: `copy ${rows.table} (${rows.names}) from stdin${frozen}`,
      },
      ...counts.map((count) => ({
        table: count.table,
        columns: [...count.columns, { member: 'n', type: 'bigint' }],
        statement: `copy ${count.table} (${count.names}, n) from stdin with (freeze)`,
      })),
    ],

    members: rows.members,

    load: `select ${rows.members} from ${rows.table}
           where ${key} = any($1::${rows.typeOf(table.key)}[])`,

    remove: `delete from ${rows.table} where ${key} = any($1::${rows.typeOf(table.key)}[])`,

    // Without rows that are deleted, which would stay in the table.
    sumTallies: counts.flatMap((count) => [
      `create table ${count.table}_summed as
       select ${count.names}, sum(n)::bigint as n from ${count.table}
       group by ${count.names} having sum(n) <> 0`,
      `truncate ${count.table}`,
      `insert into ${count.table} (${count.names}, n)
       select ${count.names}, n from ${count.table}_summed`,
      `drop table ${count.table}_summed`,
    ]),

    write: `
      with moved as (
        update consumers.checkpoint
        set position = $4, events = events + $5, caught_up = caught_up or $6,
            updated_at = $7, last_error = null
        where consumer = $1 and epoch = $2 and position is not distinct from $3
        returning position
      ), parked as (
        insert into consumers.parked as p
          (consumer, lane, stream, event_id, revision, position, reason, parked_at, skipped)
        select $1, stream, stream, event_id, revision, position, reason, $7, skipped
        from json_to_recordset($8) as r (${PARKED_ROW})
        where exists (select from moved)
        on conflict (consumer, lane) do update set skipped = p.skipped + excluded.skipped
      ), kept as (
        insert into ${rows.table} (${rows.names})
        select ${rows.quoted} from json_to_recordset($9) as r (${rows.memberDefinitions})
        where exists (select from moved)
        on conflict (${primaryKey}) do ${kept}
      ), gone as (
        delete from ${rows.table}
        where ${key} = any($10::${rows.typeOf(table.key)}[]) and exists (select from moved)
      )${counts
        .map(
          (count, index) => `, delta_${index} as (
        select d.*, case when d.n < 0 then (
          select c.ctid from ${count.table} as c where ${count.matches} and c.n + d.n = 0
        ) end as emptied
        from json_to_recordset($${index + 11}) as d (${count.memberDefinitions}, n bigint)
        where exists (select from moved)
      ), emptied_${index} as (
        delete from ${count.table}
        where ctid = any(array(select emptied from delta_${index} where emptied is not null))
      ), counted_${index} as (
        insert into ${count.table} as c (${count.names}, n)
        select ${count.quoted}, n from delta_${index} where emptied is null
        on conflict (${count.names}) do update set n = c.n + excluded.n
      )`,
        )
        .join('')}
      select position,
        case when $${counts.length + 11}::boolean
          then set_config('synchronous_commit', 'off', true) end
      from moved`,
  };
};

export const moveValues = (move: Move): unknown[] => [
  move.consumer,
  move.epoch,
  move.from,
  move.to,
  move.applied,
  move.caughtUp,
  move.at,
];

/** The columns of the rows and that of their document. */
const storedColumns = ({ columns, document }: AnyTable): Columns =>
  // A column that a table lists has a type.
  ({ ...columns, ...(document && { [document.column]: 'text not null' }) }) as Columns;

/** A row as it is stored, for `json_to_recordset`. */
export const storedRowOf = ({ columns, document }: AnyTable): ((row: object) => object) => {
  if (!document) return (row) => row;
  const members = Object.keys(columns);
  const { column, of } = document;
  return (row) => {
    const stored: Record<string, unknown> = {};
    const values = row as StoredRow;
    for (const member of members) stored[member] = values[member];
    stored[column] = of(row);
    return stored;
  };
};

/** A row from its columns and its document. */
export const loadedRowOf = ({ document }: AnyTable): ((stored: StoredRow) => StoredRow) => {
  if (!document) return (stored) => stored;
  return ({ [document.column]: text, ...columns }) => ({
    ...(JSON.parse(text as string) as object),
    ...columns,
  });
};

type StoredRow = Readonly<Record<string, unknown>>;
type AnyTable = Pick<AnyProjection['table'], 'columns' | 'document'>;

/** The columns of a parked stream, as a batch hands them over. */
export const PARKED_ROW = `stream text, event_id uuid, revision bigint, position text,
  reason text, skipped bigint`;

type Columns = Readonly<Record<string, ColumnType>>;

const shapeOf = (schema: string, name: string, columns: Columns) => {
  const entries = Object.entries(columns).map(([member, type]) => ({
    member,
    column: snake(member),
    type,
    bare: bareTypeOf(type),
  }));
  if (entries.length === 0) throw new Error(`${schema}.${name} has no columns`);
  const listed = (of: (entry: (typeof entries)[number]) => string) => entries.map(of).join(', ');
  return {
    table: `${schema}.${name}`,
    columns: entries.map(({ member, bare }) => ({ member, type: bare })),
    names: listed(({ column }) => column),
    members: listed(({ member, column }) => `${column} as "${member}"`),
    definitions: listed(({ column, type }) => `${column} ${type}`),
    quoted: listed(({ member }) => `"${member}"`),
    /** For `json_to_recordset`: rows are passed with their members, not renamed one by one. */
    memberDefinitions: listed(({ member, bare }) => `"${member}" ${bare}`),
    assignments: listed(({ column }) => `${column} = excluded.${column}`),
    /** Whether line `c` has the key of `d`: no index serves `is not distinct from`. */
    matches: entries
      .map(({ column, member, type }) => {
        const isEqual = `c.${column} = d."${member}"`;
        const isNull = `c.${column} is null and d."${member}" is null`;
        return type.includes('not null') ? isEqual : `(${isEqual} or ${isNull})`;
      })
      .join(' and '),
    typeOf: (member: string) => bareTypeOf(columns[member] ?? ''),
  };
};

/** `text collate "C" not null default ''` is a `text`. */
const bareTypeOf = (type: ColumnType): string =>
  type.replace(/\s+(not null|null|default|collate|check|references|unique|generated)\b.*$/is, '');
