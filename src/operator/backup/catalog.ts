/** The tables of a backup: all durable ones, in any schema. */
import { escapeIdentifier, type ClientBase } from 'pg';
import type { Sequence } from './manifest.ts';

type Queryable = Pick<ClientBase, 'query'>;

export interface TableShape {
  /** Qualified and quoted. */
  readonly name: string;
  /** Quoted, without generated columns. */
  readonly columns: readonly string[];
  /** The partitioned table and the bound; `null` if the table is no partition. */
  readonly partition: { readonly of: string; readonly bound: string } | null;
}

/**
 * Left out: read models, which are rebuilt after `atrium log restored`; unlogged tables; the log,
 * which is copied in segments; the migration history, which the manifest has; browser sessions,
 * which may have ended since; heartbeats; and previews, which are drawn again.
 */
const LEFT_OUT = `n.nspname in ('information_schema', 'session')
  or n.nspname = 'migration' and c.relname <> 'release'
  or n.nspname ~ '^pg_'
  or n.nspname ~ '_v[0-9]+(_|$)'
  or (n.nspname, c.relname) in (
    ('es', 'event'), ('consumers', 'heartbeat'), ('files', 'preview'))`;

/**
 * Ordered by name.
 *
 * @param isLogInDatabase If false, schema `es` belongs to a log that was moved away, if it exists.
 */
export const lastingTables = async (
  db: Queryable,
  isLogInDatabase: boolean,
): Promise<readonly TableShape[]> => {
  const { rows } = await db.query<{
    schema: string;
    name: string;
    columns: string[];
    parent: string | null;
    parentSchema: string | null;
    bound: string | null;
  }>(
    `select n.nspname as schema, c.relname as name,
       pn.nspname as "parentSchema", p.relname as parent,
       pg_get_expr(c.relpartbound, c.oid) as bound,
       (select coalesce(array_agg(a.attname::text order by a.attnum), '{}') from pg_attribute as a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '')
         as columns
     from pg_class as c
     join pg_namespace as n on n.oid = c.relnamespace
     left join pg_inherits as i on i.inhrelid = c.oid and c.relispartition
     left join pg_class as p on p.oid = i.inhparent
     left join pg_namespace as pn on pn.oid = p.relnamespace
     where c.relkind = 'r' and c.relpersistence = 'p' and not (${LEFT_OUT})
       and ($1 or n.nspname <> 'es')
     order by n.nspname, c.relname`,
    [isLogInDatabase],
  );
  return rows.map(({ schema, name, columns, parent, parentSchema, bound }) => ({
    name: qualified(schema, name),
    columns: columns.map(escapeIdentifier),
    partition: parent === null ? null : { of: qualified(parentSchema!, parent), bound: bound! },
  }));
};

/** Next values of the sequences of columns, not lower than in the caller's snapshot. */
export const sequencesOf = async (
  db: Queryable,
  tables: readonly TableShape[],
): Promise<readonly Sequence[]> => {
  const { rows } = await db.query<{ table: string; column: string; sequence: string }>(
    `select t.name as table, a.attname::text as column,
       pg_get_serial_sequence(t.name, a.attname) as sequence
     from unnest($1::text[]) as t (name)
     join pg_attribute as a on a.attrelid = t.name::regclass
     where a.attnum > 0 and not a.attisdropped
       and pg_get_serial_sequence(t.name, a.attname) is not null
     order by 1, 2`,
    [tables.map(({ name }) => name)],
  );
  const sequences: Sequence[] = [];
  for (const { table, column, sequence } of rows) {
    const { rows: at } = await db.query<{ next: number }>(
      `select last_value + case when is_called then 1 else 0 end as next from ${sequence}`,
    );
    sequences.push({ table, column, next: at[0]!.next });
  }
  return sequences;
};

/** Referenced tables come before the tables that refer to them. */
export const inOrderOfReference = async <Table extends { readonly name: string }>(
  db: Queryable,
  tables: readonly Table[],
): Promise<readonly Table[]> => {
  const { rows } = await db.query<{ from: string; to: string }>(
    `select t.name as from, r.name as to
     from unnest($1::text[]) as t (name)
     join pg_constraint as c on c.conrelid = t.name::regclass and c.contype = 'f'
     join unnest($1::text[]) as r (name) on r.name::regclass = c.confrelid
     where t.name <> r.name`,
    [tables.map(({ name }) => name)],
  );
  const ordered = new Set<Table>();
  const byName = new Map(tables.map((table) => [table.name, table]));
  const visit = (table: Table, path: ReadonlySet<Table>): void => {
    if (ordered.has(table) || path.has(table)) return;
    const further = new Set(path).add(table);
    for (const { from, to } of rows) if (from === table.name) visit(byName.get(to)!, further);
    ordered.add(table);
  };
  for (const table of tables) visit(table, new Set());
  return [...ordered];
};

const qualified = (schema: string, name: string): string =>
  `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;
