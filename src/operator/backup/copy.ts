/** Rows of a table by COPY, as a stream with backpressure in both directions. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { Chunks } from './encryption.ts';

export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** The text of all rows, and their number once all are read. */
export interface CopiedRows {
  readonly chunks: Chunks;
  rows(): number;
}

const columnsOf = ({ columns }: CopiedTable): string => columns.join(', ');

/** In storage order, which is the order in which a restore copied them in. */
export const tableRows = (client: Client, table: CopiedTable): CopiedRows =>
  rowsOf(client, `copy (select ${columnsOf(table)} from only ${table.name}) to stdout`);

export const EVENT_TABLE: CopiedTable = {
  name: '"es"."event"',
  columns: ['position', 'revision', 'created', 'id', 'stream', 'type', 'data', 'meta'],
};

/** The events after `after` up to and including `upTo`, in log order. */
export const eventRows = (client: Client, after: number, upTo: number): CopiedRows =>
  rowsOf(
    client,
    `copy (select ${columnsOf(EVENT_TABLE)} from ${EVENT_TABLE.name}
       where position > ${after} and position <= ${upTo} order by position) to stdout`,
  );

const rowsOf = (client: Client, statement: string): CopiedRows => {
  const out = client.query(copyTo(statement));
  async function* chunks(): AsyncGenerator<Buffer, void, undefined> {
    yield* out as AsyncIterable<Buffer>;
    // The server sends the row count after the last row, possibly in another packet.
    await client.query('select');
  }
  return { chunks: chunks(), rows: () => out.rowCount };
};

/** @throws The error of `chunks`, and Postgres's error for a row; no row was copied then. */
export const copyInto = async (
  client: Client,
  table: CopiedTable,
  chunks: Chunks,
  signal: AbortSignal,
): Promise<number> => {
  const into = client.query(copyFrom(`copy ${table.name} (${columnsOf(table)}) from stdin`));
  await pipeline(Readable.from(chunks, { objectMode: true, highWaterMark: 2 }), into, { signal });
  return into.rowCount;
};
