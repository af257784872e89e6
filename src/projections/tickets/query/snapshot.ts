import type { Pool, PoolClient } from 'pg';
import { TICKET_READ_MAX_MS } from '../limits.ts';
import { isOutOfTime } from '../../../engine/postgres/errors.ts';
import { bindings, type Bind } from './filter.ts';

/** A transaction that sees one state of the tables. */
export interface Snapshot {
  /** The rows of one statement, whose values are bound as its text is made. */
  rows<Row>(textOf: (bind: Bind) => string): Promise<Row[]>;
  /**
   * The same, or `null` where the statement's time is up; others can follow it.
   *
   * @param withinMs At most {@link TICKET_READ_MAX_MS}.
   */
  rowsInTime<Row>(textOf: (bind: Bind) => string, withinMs: number): Promise<Row[] | null>;
}

/**
 * The planner finds the way, once it knows three things. Pages of an index are in memory or on a
 * disk that seeks for nothing. A long document costs more than its row tells, so that no table is
 * read whole. And a reader has one core: compiling a statement, or a second process for it, takes
 * from the others more than it gives.
 */
const BEGIN = `
  begin isolation level repeatable read read only;
  set local statement_timeout = ${TICKET_READ_MAX_MS};
  set local random_page_cost = 2;
  set local enable_seqscan = off;
  set local jit = off;
  set local max_parallel_workers_per_gather = 0`;

/** Runs `read` in one snapshot. @throws what `read` or the database throws. */
export const reading = async <T>(
  pool: Pool,
  read: (snapshot: Snapshot) => Promise<T>,
): Promise<T> => {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(BEGIN);
    const result = await read(snapshotOf(client));
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

const snapshotOf = (client: PoolClient): Snapshot => {
  const rows: Snapshot['rows'] = async <Row>(textOf: (bind: Bind) => string) => {
    const { values, bind } = bindings();
    const result = await client.query({ text: textOf(bind), values });
    return result.rows as Row[];
  };
  return {
    rows,
    async rowsInTime<Row>(textOf: (bind: Bind) => string, withinMs: number) {
      const limitMs = Math.ceil(Math.max(1, Math.min(withinMs, TICKET_READ_MAX_MS)));
      await client.query(`savepoint in_time; set local statement_timeout = ${limitMs}`);
      try {
        const found = await rows<Row>(textOf);
        await client.query(`set local statement_timeout = ${TICKET_READ_MAX_MS}`);
        return found;
      } catch (error) {
        if (!isOutOfTime(error)) throw error;
        await client.query('rollback to in_time');
        return null;
      }
    },
  };
};
