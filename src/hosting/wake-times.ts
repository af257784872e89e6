import type { Database } from '../engine/postgres/pool.ts';
import type { Instant } from '../engine/aggregates/decider.ts';
import type { Hosted } from './claims.ts';

/** When sandboxes must be opened, in rows shared by all hosting processes. */
export interface WakeTimes {
  /** @param at `null`: never. For an active sandbox a time in the past: see `0005-hosting`. */
  put(sandbox: Hosted, at: Instant | null): Promise<void>;
  forget(sandboxId: string): Promise<void>;
  /** By sandbox. A sandbox without a row was never active. */
  all(): Promise<ReadonlyMap<string, WakeTime>>;
}

export interface WakeTime {
  readonly generation: number;
  readonly wakesAt: Instant | null;
}

export const wakeTimesIn = ({ pool }: Pick<Database, 'pool'>): WakeTimes => ({
  async put({ sandboxId, generation }, at) {
    await pool.query(
      `insert into hosting.wake as w (sandbox_id, generation, wakes_at) values ($1, $2, $3)
       on conflict (sandbox_id) do update
       set generation = excluded.generation, wakes_at = excluded.wakes_at
       where w.generation <= excluded.generation`,
      [sandboxId, generation, at],
    );
  },

  async forget(sandboxId) {
    await pool.query('delete from hosting.wake where sandbox_id = $1', [sandboxId]);
  },

  async all() {
    const { rows } = await pool.query<WakeTime & { readonly sandboxId: string }>(
      `select sandbox_id as "sandboxId", generation, wakes_at as "wakesAt" from hosting.wake`,
    );
    return new Map(rows.map(({ sandboxId, ...time }) => [sandboxId, time]));
  },
});

/** Whether the sandbox is due, or its due time is unknown. */
export const isToBeWoken = (
  stored: WakeTime | undefined,
  generation: number,
  now: Instant,
): boolean =>
  stored?.generation !== generation || (stored.wakesAt !== null && stored.wakesAt <= now);
