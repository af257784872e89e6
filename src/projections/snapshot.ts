import type { Pool, PoolClient } from 'pg';
import { TICKET_READ_MAX_MS } from './tickets/limits.ts';
import { isOutOfTime } from '../engine/postgres/errors.ts';

/** Adds a value of the statement and returns its placeholder. */
export type Bind = (value: unknown, type: string) => string;

/** A transaction with a consistent view of the tables. */
export interface Snapshot {
  /** The rows of one statement, whose text binds its values. */
  rows<Row>(textOf: (bind: Bind) => string): Promise<Row[]>;
  /**
   * As `rows`, or `null` after the statement's timeout; the transaction can continue.
   *
   * @param withinMs At most the snapshot's own timeout.
   */
  rowsInTime<Row>(textOf: (bind: Bind) => string, withinMs: number): Promise<Row[] | null>;
  /**
   * Makes later statements read rows in the order of an index and stop at their limit. Otherwise
   * the planner underestimates the rows of a join, and collects and sorts all of them.
   */
  inOrder(): Promise<void>;
}

/**
 * Settings for the planner. Index pages are in memory or on a disk with cheap seeks. A long
 * document costs more than its row suggests, so tables are not scanned sequentially. A reader has
 * one core: JIT compilation or a parallel worker costs other readers more than it gains.
 */
const begin = (maxMs: number) => `
  begin isolation level repeatable read read only;
  set local statement_timeout = ${maxMs};
  set local random_page_cost = 2;
  set local enable_seqscan = off;
  set local jit = off;
  set local max_parallel_workers_per_gather = 0`;

/**
 * Runs `read` in one snapshot.
 *
 * @param maxMs Timeout of each statement. Default {@link TICKET_READ_MAX_MS}.
 * @throws Errors of `read` or the database.
 */
export const reading = async <T>(
  pool: Pool,
  read: (snapshot: Snapshot) => Promise<T>,
  maxMs = TICKET_READ_MAX_MS,
): Promise<T> => {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(begin(maxMs));
    const result = await read(snapshotOf(client, maxMs));
    await client.query('commit');
    return result;
  } catch (error) {
    // The settings end with the transaction or, if the rollback fails, with the connection.
    await client.query('rollback').catch((lost: Error) => {
      broken = lost;
    });
    throw error;
  } finally {
    client.release(broken);
  }
};

const bindings = (): { readonly values: unknown[]; readonly bind: Bind } => {
  const values: unknown[] = [];
  return { values, bind: (value, type) => `$${values.push(value)}::${type}` };
};

const snapshotOf = (client: PoolClient, maxMs: number): Snapshot => {
  const rows: Snapshot['rows'] = async <Row>(textOf: (bind: Bind) => string) => {
    const { values, bind } = bindings();
    const result = await client.query({ text: textOf(bind), values });
    return result.rows as Row[];
  };
  return {
    rows,
    async rowsInTime<Row>(textOf: (bind: Bind) => string, withinMs: number) {
      const limitMs = Math.ceil(Math.max(1, Math.min(withinMs, maxMs)));
      await client.query(`savepoint in_time; set local statement_timeout = ${limitMs}`);
      try {
        const found = await rows<Row>(textOf);
        await client.query(`set local statement_timeout = ${maxMs}`);
        return found;
      } catch (error) {
        if (!isOutOfTime(error)) throw error;
        await client.query('rollback to in_time');
        return null;
      }
    },
    async inOrder() {
      await client.query(`set local enable_bitmapscan = off;
        set local enable_hashjoin = off; set local enable_sort = off`);
    },
  };
};
