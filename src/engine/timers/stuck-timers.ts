import type { Pool } from 'pg';
import type { Instant } from '../aggregates/decider.ts';
import type { DueKey } from './timer-table.ts';

/** A timer whose effect neither removed nor moved its row. */
export interface StuckTimer extends DueKey {
  readonly timers: string;
  readonly attempts: number;
  /** Why, where the effect was ignored or failed. */
  readonly reason: string | null;
  readonly stuckAt: Instant;
  /** When it is retried automatically, in real time; `null`: never, an operator has skipped it. */
  readonly retryAt: Instant | null;
}

const COLUMNS = `timers, key, due_at as "dueAt", attempts, reason, stuck_at as "stuckAt",
  retry_at as "retryAt"`;

/**
 * Timers that are not retried at `now`: their pause is not over, or an operator has skipped them.
 */
export const restingTimers = (timers: Iterable<StuckTimer>, now: Instant): StuckTimer[] =>
  [...timers].filter(({ retryAt }) => retryAt === null || retryAt > now);

/**
 * Stuck timers in the database, so that every process can list them and the next owner finds them.
 */
export const stuckTimers = (db: Pool) => {
  const upsert = async (timer: StuckTimer, where = '') => {
    const { timers, key, dueAt, attempts, reason, stuckAt, retryAt } = timer;
    await db.query(
      `insert into consumers.stuck_timer (timers, key, due_at, attempts, reason, stuck_at, retry_at)
       values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (timers, key) do update
         set due_at = excluded.due_at, attempts = excluded.attempts, reason = excluded.reason,
             stuck_at = excluded.stuck_at, retry_at = excluded.retry_at
         ${where}`,
      [timers, key, dueAt, attempts, reason, stuckAt, retryAt],
    );
  };

  return {
    async list(timers: readonly string[]): Promise<readonly StuckTimer[]> {
      const { rows } = await db.query<StuckTimer>(
        `select ${COLUMNS} from consumers.stuck_timer
         where timers = any($1) order by timers, due_at, key`,
        [timers],
      );
      return rows;
    },

    put: (timer: StuckTimer) => upsert(timer),

    /** As `put`, but a due time that an operator has skipped stays skipped. */
    postpone: (timer: StuckTimer) =>
      upsert(
        timer,
        'where not (stuck_timer.due_at = excluded.due_at and stuck_timer.retry_at is null)',
      ),

    async forget(timers: string, keys: readonly string[]): Promise<void> {
      if (keys.length === 0) return;
      await db.query('delete from consumers.stuck_timer where timers = $1 and key = any($2)', [
        timers,
        keys,
      ]);
    },
  };
};

export type StuckTimers = ReturnType<typeof stuckTimers>;
