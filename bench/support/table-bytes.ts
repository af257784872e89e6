import type { Pool } from 'pg';

/** Bytes of tables on disk: rows including TOAST, and indexes. */
export interface TableBytes {
  readonly rows: number;
  readonly indexes: number;
}

/** Bytes by schema, after a vacuum, as with a running autovacuum. */
export const bytesBySchema = async (db: Pool): Promise<ReadonlyMap<string, TableBytes>> => {
  await db.query('vacuum analyze');
  const { rows } = await db.query<{ schema: string; rows: string; indexes: string }>(
    `select nspname as schema, sum(pg_table_size(c.oid)) as rows,
       sum(pg_indexes_size(c.oid)) as indexes
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'm') and nspname !~ '^pg_|^information_schema$'
     group by 1 order by 1`,
  );
  return new Map(
    rows.map((row) => [row.schema, { rows: Number(row.rows), indexes: Number(row.indexes) }]),
  );
};

export interface CategoryBytes extends TableBytes {
  readonly events: number;
}

/**
 * Bytes of the log by category of stream. The table's bytes are divided by the length of the rows,
 * those of its indexes by the number of rows: it has three, one of them with the stream's name.
 */
export const bytesByCategory = async (db: Pool): Promise<ReadonlyMap<string, CategoryBytes>> => {
  const whole = (await bytesBySchema(db)).get('es')!;
  const { rows } = await db.query<{ category: string; events: string; bytes: string }>(
    `select split_part(stream, '-', 1) as category, count(*) as events,
       sum(pg_column_size(e.*)) as bytes
     from es.event as e group by 1`,
  );
  const [events, bytes] = (['events', 'bytes'] as const).map((key) =>
    rows.reduce((sum, row) => sum + Number(row[key]), 0),
  ) as [number, number];
  return new Map(
    rows.map((row) => [
      row.category,
      {
        events: Number(row.events),
        rows: (whole.rows * Number(row.bytes)) / bytes,
        indexes: (whole.indexes * Number(row.events)) / events,
      },
    ]),
  );
};
