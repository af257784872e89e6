import type { ClientBase, Pool } from 'pg';
import { monthsBefore, startOfMonth } from '../../time/calendar.ts';
import type { Instant } from '../../aggregates/decider.ts';
import { isBusy } from '../../postgres/errors.ts';
import { CONSUMERS_WATCH_MS, RETRY_MAX_MS, SWAP_LOCK_MAX_MS } from '../../limits.ts';
import { pause } from '../../concurrency/backoff.ts';
import { trustedNow } from '../../consumers/clock-check.ts';
import type { Clock } from '../../time/clock.ts';
import type { AnyProjection } from '../projection.ts';
import { UnwritableRow } from './unwritable-row.ts';

type Queryable = Pick<ClientBase, 'query'>;

/**
 * The monthly partitions of an append-only table, and which rows are recent enough to store. A
 * month is named by its first instant.
 */
export interface Months {
  /**
   * The rows that are not of a month that is wholly too old at `now`.
   *
   * @throws {@link UnwritableRow} for a row without a time.
   */
  kept(rows: Iterable<object>, now: Instant): readonly object[];
  /**
   * Makes the partitions that `rows` need and that are not there. Readers and writers of the table
   * are not blocked: a partition is created separately and then attached.
   */
  make(db: Queryable, rows: readonly object[]): Promise<void>;
  /**
   * Drops the partitions of the months that are wholly too old at `now`.
   *
   * @returns False where a reader held the table for too long: nothing was dropped.
   */
  dropOld(db: Queryable, now: Instant): Promise<boolean>;
  /** Whether a month has become wholly too old between the two. */
  isMonthChanged(since: Instant, now: Instant): boolean;
}

/**
 * @param schema The table's schema.
 * @returns `null` for a table that is not partitioned.
 */
export const monthsOf = ({ table }: AnyProjection, schema: string): Months | null => {
  const { partitions } = table;
  if (!partitions) return null;
  const parent = `${schema}.${table.name}`;
  const partitionOf = (month: Instant) => `${parent}_${month.slice(0, 4)}${month.slice(5, 7)}`;
  const monthIn = (row: object): Instant =>
    monthAt((row as Readonly<Record<string, unknown>>)[partitions.by]);

  return {
    kept(rows, now) {
      const oldest = oldestMonth(now, partitions.keptMonths);
      return [...rows].filter((row) => monthIn(row) >= oldest);
    },

    async make(db, rows) {
      const months = [...new Set(rows.map(monthIn))].sort();
      if (months.length === 0) return;
      const { rows: missing } = await db.query<{ month: Instant }>(
        `select month from unnest($1::text[], $2::text[]) as wanted (month, name)
         where to_regclass(name) is null`,
        [months, months.map(partitionOf)],
      );
      for (const { month } of missing) {
        const partition = partitionOf(month);
        // Without parameters both are sent as one query, and so in one transaction.
        await db.query(
          `create table ${partition} (like ${parent});
           alter table ${parent} attach partition ${partition}
             for values from ('${month}') to ('${startOfMonth(month, 1)}')`,
        );
      }
    },

    async dropOld(db, now) {
      const oldest = partitionOf(oldestMonth(now, partitions.keptMonths));
      const { rows } = await db.query<{ name: string }>(
        `select inhrelid::regclass::text as name from pg_inherits
         where inhparent = to_regclass($1) order by name`,
        [parent],
      );
      const old = rows.map(({ name }) => name).filter((name) => name < oldest);
      if (old.length === 0) return true;
      try {
        await db.query(
          `set local lock_timeout = ${SWAP_LOCK_MAX_MS}; drop table ${old.join(', ')}`,
        );
      } catch (error) {
        if (isBusy(error)) return false;
        throw error;
      }
      return true;
    },

    isMonthChanged: (since, now) =>
      oldestMonth(since, partitions.keptMonths) !== oldestMonth(now, partitions.keptMonths),
  };
};

interface TendingParts {
  readonly months: Months | null;
  readonly pool: Pick<Pool, 'query'>;
  readonly clock: Clock;
  /** Months that are too old at this time are dropped: of {@link trustedNow}. */
  readonly since: Instant;
  readonly signal: AbortSignal;
  /** Called once, when another month is too old, or a failed drop is to be repeated. */
  readonly due: () => void;
}

/** Drops the months that are too old, and then watches the clocks until `end` is called. */
export const tendMonths = async (parts: TendingParts): Promise<{ end: () => void }> => {
  const { months, pool, clock, since, due } = parts;
  const ended = new AbortController();
  if (months === null) return { end: () => {} };
  const signal = AbortSignal.any([parts.signal, ended.signal]);
  const dropped = await months.dropOld(pool, since);
  const isOver = async () =>
    signal.aborted ||
    (months.isMonthChanged(since, clock.now()) &&
      months.isMonthChanged(since, await trustedNow({ pool, clock }).catch(() => since)));
  const watch = async () => {
    if (!dropped) await pause(RETRY_MAX_MS, signal);
    else while (!(await isOver())) await pause(CONSUMERS_WATCH_MS, signal);
    if (!signal.aborted) due();
  };
  void watch();
  return { end: () => ended.abort() };
};

/** The oldest month with an instant that is recent enough at `now`. */
const oldestMonth = (now: Instant, keptMonths: number): Instant =>
  startOfMonth(monthsBefore(now, keptMonths));

/** A value without a month fits no partition: the row's fact is at fault. */
const monthAt = (at: unknown): Instant => {
  if (typeof at === 'string' && INSTANT.test(at)) return startOfMonth(at);
  throw new UnwritableRow(new TypeError(`${JSON.stringify(at)} is no time`));
};

const INSTANT = /^\d{4}-(0[1-9]|1[0-2])-\d\dT/;
