import type { Pool } from 'pg';
import { isMissingTable } from '../postgres/errors.ts';
import type { Instant, Origin } from '../aggregates/decider.ts';
import { schemaOf, snake, type AnyProjection } from '../projections/projection.ts';
import { statementsOf } from '../projections/apply/table-sql.ts';
import type { AnyEffect, EffectHandlers } from '../processes/process.ts';

/**
 * Timers are rows of a read model that have a due time: a function of facts, and so as durable as
 * the log. Firing one has an effect, and the fact that follows removes the row or moves it.
 */
export interface TimerTable<
  Row extends object,
  Effect extends AnyEffect = AnyEffect,
> extends DueTable {
  readonly dueAt: keyof Row & string;
  /** The origin of the facts that its effects cause. Default `system`. */
  readonly origin?: Origin;
  /** Pure. The aggregate decides whether it is due; the row only triggers the question. */
  readonly fire: (row: Row) => Effect;
  readonly effects: EffectHandlers<Effect>;
  /** Whether its effects may trust this reading of the clock. Default: always. */
  readonly isTrusted?: (now: Instant) => Promise<boolean>;
}

/** The due table of timers: usable without a platform. */
export interface DueTable {
  /** kebab-case. Names its effects and its lease: never changed. */
  readonly name: string;
  /** Its rows carry the due times. An index on that column is the projection's business. */
  readonly projection: AnyProjection;
  /** The member with the due time, a `timestamptz`; `null` in a row that is never due. */
  readonly dueAt: string;
}

// oxlint-disable-next-line typescript/no-explicit-any -- a list of timer tables is of many rows
export type AnyTimerTable = TimerTable<any, any>;

export interface DueRow {
  readonly key: string;
  readonly dueAt: Instant;
  readonly row: Readonly<Record<string, unknown>>;
}

/** A row with its due time: with another one, it is another timer. */
export type DueKey = Pick<DueRow, 'key' | 'dueAt'>;

/** The queries of a waker on a timer table. None of them uses the database's clock. */
export const dueRowsOf = ({ projection, dueAt }: DueTable, db: Pool) => {
  const table = `${schemaOf(projection)}.${projection.table.name}`;
  const key = snake(projection.table.key);
  const due = snake(dueAt);
  const { members } = statementsOf(projection);
  const isNot = (from: number) => `
    (${key}::text, ${due}) not in (
      select aside.key, aside.due
      from unnest($${from}::text[], $${from + 1}::timestamptz[]) as aside (key, due))`;
  const columns = (rows: readonly DueKey[]) => [
    rows.map(({ key }) => key),
    rows.map(({ dueAt }) => dueAt),
  ];

  return {
    /** Rows that are due at `now`, the longest overdue first, without `aside`. */
    async due(now: Instant, aside: readonly DueKey[], limit: number): Promise<readonly DueRow[]> {
      const { rows } = await db.query<Record<string, unknown>>(
        `select ${members} from ${table} where ${due} <= $1 and ${isNot(3)}
         order by ${due}, ${key} limit $2`,
        [now, limit, ...columns(aside)],
      );
      return rows.map((row) => ({
        key: String(row[projection.table.key]),
        dueAt: String(row[dueAt]),
        row,
      }));
    },

    /** The next due time, without `aside`; `null` if there is none, or no table yet. */
    async next(aside: readonly DueKey[]): Promise<Instant | null> {
      try {
        // By the index, up to the first row that is not aside: `min` would read the whole table.
        const { rows } = await db.query<{ due: Instant }>({
          name: `${table} next`,
          text: `select ${due} as due from ${table} where ${due} is not null and ${isNot(1)}
                 order by ${due} limit 1`,
          values: columns(aside),
        });
        return rows[0]?.due ?? null;
      } catch (error) {
        // It is being created; waiting callers are notified of its first rows.
        if (isMissingTable(error)) return null;
        throw error;
      }
    },

    /** Those of `rows` that still exist with the same due time. */
    async unmoved(rows: readonly DueKey[]): Promise<ReadonlySet<string>> {
      if (rows.length === 0) return new Set();
      const found = await db.query<{ key: string }>(
        `select ${key}::text as key
         from unnest($1::text[], $2::timestamptz[]) as asked (key, due)
         join ${table} on ${table}.${key}::text = asked.key and ${table}.${due} = asked.due`,
        columns(rows),
      );
      return new Set(found.rows.map(({ key }) => key));
    },
  };
};
