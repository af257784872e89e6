import type { Client } from 'pg';
import { forEachInSlices } from '../../concurrency/slices.ts';
import type { ConsumerId } from '../../consumers/consumer.ts';
import type { Instant } from '../../aggregates/decider.ts';
import type { Months } from '../apply/partitions.ts';
import { loadedRowOf, PARKED_ROW, type Statements } from '../apply/table-sql.ts';
import { count, deltasOf, parkedRow, type Counts } from '../apply/writer.ts';
import type { AnyProjection, Tally } from '../projection.ts';
import { copyInto } from './copy.ts';
import type { Folded, Overflow } from './fold-all.ts';

export interface BulkLoadParts {
  readonly projection: AnyProjection;
  readonly statements: Statements;
  /** A client in no transaction; a failure leaves one, which the caller rolls back. */
  readonly client: Client;
  readonly months: Months | null;
  readonly consumer: ConsumerId;
  readonly epoch: number;
  /** Rows of months that are too old at this time are not written. */
  readonly monthsAt: Instant;
  readonly now: () => Instant;
  readonly signal: AbortSignal;
}

export interface BulkLoad extends Overflow {
  /** Whether {@link Overflow.store} was called. */
  readonly isPartial: boolean;
  /** Writes the remaining rows, the checkpoint and the parked streams, and commits. */
  finish(folded: Folded, onRows: (rows: number) => void): Promise<void>;
}

/**
 * Fills new tables by COPY, in one or more portions. All of it is one transaction, so that FREEZE
 * holds and a failure leaves nothing.
 */
export const bulkLoad = (parts: BulkLoadParts): BulkLoad => {
  const { projection, statements, client, months, consumer, epoch, monthsAt, now, signal } = parts;
  const { createTables, createKeys, copies, load: loading } = statements;
  const [rowsInto, ...talliesInto] = copies;
  const [keyOfRows, ...keysOfTallies] = createKeys;
  const { key } = projection.table;
  const loadedRow = loadedRowOf(projection.table);
  const counter = tallyCounter(projection.tallies ?? []);
  let portions = 0;
  let loadedKeys: string[] = [];

  /** The tables' keys are made after the first portion, while its rows are counted. */
  const store = async (rows: ReadonlyMap<string, object>, onRows: (rows: number) => void) => {
    const isFirst = portions === 0;
    portions += 1;
    if (isFirst) {
      await client.query('begin');
      await client.query(`set local maintenance_work_mem = '256MB'`);
      for (const statement of createTables) await client.query(statement);
    }
    if (loadedKeys.length > 0) await client.query(statements.remove, [loadedKeys]);
    loadedKeys = [];
    const kept = months?.kept(rows.values(), monthsAt);
    if (kept) await months?.make(client, kept);
    await copyInto(client, rowsInto!, kept ?? rows.values(), { signal, onRows });
    await Promise.all([
      forEachInSlices(rows.values(), (row) => counter.count(row, 1)),
      isFirst && client.query(keyOfRows!),
    ]);
    const counted = counter.flush();
    for (const [index, into] of talliesInto.entries())
      await copyInto(client, into, counted[index]!, { signal, onRows: () => {} });
  };

  const load = async (keys: readonly string[]) => {
    const { rows } = await client.query<Record<string, unknown>>(loading, [keys]);
    const loaded = new Map(rows.map((row) => [String(row[key]), loadedRow(row)]));
    for (const [name, row] of loaded) {
      loadedKeys.push(name);
      counter.count(row, -1);
    }
    return loaded;
  };

  return {
    get isPartial() {
      return portions > 1;
    },
    store: (rows) => store(rows, () => {}),
    ...(months ? {} : { load }),

    async finish({ rows, parked, position, applied }, onRows) {
      await store(rows, onRows);
      if (portions > 1)
        for (const statement of statements.sumTallies) await client.query(statement);
      for (const statement of keysOfTallies) await client.query(statement);
      const at = now();
      await client.query(
        `insert into consumers.checkpoint (consumer, epoch, position, events, updated_at)
         values ($1, $2, $3, $4, $5)`,
        [consumer, epoch, position, applied, at],
      );
      await client.query(
        `insert into consumers.parked
           (consumer, lane, stream, event_id, revision, position, reason, parked_at, skipped)
         select $1, stream, stream, event_id, revision, position, reason, $2, skipped
         from json_to_recordset($3) as r (${PARKED_ROW})`,
        [
          consumer,
          at,
          JSON.stringify([...parked].map(([stream, found]) => parkedRow(stream, found))),
        ],
      );
      await client.query('commit');
    },
  };
};

/** Counts rows under the keys of each tally. */
export const tallyCounter = (tallies: readonly Tally<object>[]) => {
  const none = () => tallies.map((tally) => ({ tally, counts: new Map() as Counts }));
  let counted = none();
  return {
    count(row: object, by: number): void {
      for (const { tally, counts } of counted) count(counts, tally.keysOf(row), by);
    },
    /** Returns the counts since the last call, as rows of each tally. */
    flush(): readonly (readonly object[])[] {
      const deltas = counted.map(({ tally, counts }) => deltasOf(tally, counts));
      counted = none();
      return deltas;
    },
  };
};
