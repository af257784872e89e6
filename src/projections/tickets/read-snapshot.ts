import type { Pool, PoolClient } from 'pg';
import { SEARCH_TOTAL_MAX } from '../../limits.ts';

/** A transaction in which a list is read, and where one way of reading gives way to another. */
export interface Reading {
  /** The rows of one statement, whose values are bound. */
  rows<Row>(text: string, values: readonly unknown[]): Promise<Row[]>;
  readonly tuning: Tuning;
}

/** Costs of reading. Which tickets are found, and in what order, never depends on them. */
export interface Tuning {
  /** Rows of an ordered index that are read in the time it takes to go to another cell. */
  readonly cellCostRows: number;
  /** Rows of an index that are read in the time it takes to read a row of the list itself. */
  readonly rowCostRows: number;
  /** So few tickets are looked through sooner than all those past due. */
  readonly cellsFirstRowsMax: number;
  /** A page that would take so many rows to get to is looked up by month. */
  readonly deepRows: number;
  /** Documents of so few tickets are read one by one, whatever the words are. */
  readonly listFirstRowsMax: number;
  /** Newest tickets that are looked at to see how common the words of a search are. */
  readonly sampleRows: number;
  /** Reading a document that the index has found, where reading one by its id costs 1. */
  readonly hitCost: number;
  /** Looking up the ticket of a document, likewise. */
  readonly ticketCost: number;
  /** Reading a document in the order they lie in, likewise. */
  readonly sequentialCost: number;
  /** Going through all months of the index, likewise. */
  readonly monthsCost: number;
  /** Beyond this a search is not counted. */
  readonly searchTotalMax: number;
}

/** Measured with bench/ticket-list.ts on a million tickets. */
const measured: Tuning = {
  cellCostRows: 10,
  rowCostRows: 25,
  cellsFirstRowsMax: 5_000,
  deepRows: 10_000,
  listFirstRowsMax: 2_000,
  sampleRows: 300,
  hitCost: 0.8,
  ticketCost: 0.4,
  sequentialCost: 0.3,
  monthsCost: 2_000,
  searchTotalMax: SEARCH_TOTAL_MAX,
};

export const tuned = (tuning: Partial<Tuning> = {}): Tuning => ({ ...measured, ...tuning });

/**
 * One snapshot for total and page, and a planner that has nothing left to decide: which index is
 * read is settled by ticket-plan.ts. Compiling a statement would take longer than running it.
 */
const BEGIN = `
  begin isolation level repeatable read read only;
  set local plan_cache_mode = force_custom_plan;
  set local jit = off;
  set local max_parallel_workers_per_gather = 0;
  set local enable_seqscan = off;
  set local enable_bitmapscan = off;
  set local enable_sort = off;
  set local enable_incremental_sort = off;
  set local enable_hashjoin = off;
  set local enable_mergejoin = off;
  set local work_mem = '32MB'`;

/** Runs `read` in one snapshot. @throws what `read` or the database throws. */
export const reading = async <T>(
  pool: Pool,
  tuning: Tuning,
  read: (reading: Reading) => Promise<T>,
): Promise<T> => {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(BEGIN);
    const result = await read({ rows: rowsBy(client), tuning });
    await client.query('commit');
    return result;
  } catch (error) {
    // What was set is gone with the transaction; where that cannot be had, with the connection.
    await client.query('rollback').catch((lost: Error) => {
      broken = lost;
    });
    throw error;
  } finally {
    client.release(broken);
  }
};

const rowsBy =
  (client: PoolClient): Reading['rows'] =>
  async <Row>(text: string, values: readonly unknown[]) => {
    const { rows } = await client.query({ text, values: [...values] });
    return rows as Row[];
  };
