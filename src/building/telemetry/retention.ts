/** Deletes expired months and faults, and samples of removed points. */
import type { Pool } from 'pg';
import type { Clock } from '../../engine/time/clock.ts';
import { daysAfter, startOfMonth } from '../../engine/time/calendar.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { isBusy } from '../../engine/postgres/errors.ts';
import { transaction } from '../../engine/postgres/transaction.ts';
import { EXPIRED_FAULTS_AT_ONCE, SEALED_SAMPLES_AT_ONCE_MAX } from './limits.ts';
import { SWAP_LOCK_MAX_MS } from '../../engine/limits.ts';
import { monthlyTables, monthTable } from './months.ts';

/** The first instant of retained telemetry at `now`. */
export const retainedFrom = (now: Instant, retentionDays: number): Instant =>
  daysAfter(now, -retentionDays);

/**
 * The first retained time in milliseconds, at each call.
 *
 * @param retentionDays `null`: unlimited retention.
 */
export const keptFrom =
  (clock: Pick<Clock, 'now'>, retentionDays: number | null): (() => number) =>
  () =>
    retentionDays === null ? -Infinity : Date.parse(retainedFrom(clock.now(), retentionDays));

/**
 * Drops the months that end before the retention time. The oldest retained month may still have
 * expired rows, which readers filter by time.
 *
 * @returns False if a reader held a month for too long, which therefore was not dropped.
 */
export const dropExpiredMonths = async (
  db: Pool,
  now: Instant,
  retentionDays: number,
): Promise<boolean> => {
  const from = retainedFrom(now, retentionDays);
  await db.query('delete from telemetry.latest where observed_at < $1', [from]);
  let all = true;
  for (const table of monthlyTables) {
    const { rows } = await db.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits
       where inhparent = $1::regclass order by name`,
      [`telemetry.${table}`],
    );
    const oldest = monthTable(table, startOfMonth(from));
    for (const { name } of rows) if (name < oldest) all = (await dropMonth(db, name)) && all;
  }
  return all;
};

/** Deletes, in batches, faults that closed before the retention time; one with a ticket stays. */
export const deleteExpiredFaults = async (
  db: Pool,
  now: Instant,
  retentionDays: number,
  signal: AbortSignal,
): Promise<void> => {
  const from = retainedFrom(now, retentionDays);
  for (let deleted = EXPIRED_FAULTS_AT_ONCE; deleted === EXPIRED_FAULTS_AT_ONCE;) {
    if (signal.aborted) return;
    const { rowCount } = await db.query(
      `delete from telemetry.fault where id in (
         select id from telemetry.fault
         where closed_at < $1 and ticket_at is null order by closed_at limit $2)
         and ticket_at is null`,
      [from, EXPIRED_FAULTS_AT_ONCE],
    );
    deleted = rowCount ?? 0;
  }
};

const dropMonth = async (db: Pool, name: string): Promise<boolean> => {
  try {
    await transaction(db, (client) =>
      client.query(`set local lock_timeout = ${SWAP_LOCK_MAX_MS}; drop table if exists ${name}`),
    );
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
};

/** Deletes, in batches, the samples of points that imports have removed. */
export const deleteOrphanedSeries = async (db: Pool, signal: AbortSignal): Promise<void> => {
  for (;;) {
    const { rows } = await db.query<{ id: number }>('select id from telemetry.gone_series limit 1');
    const [gone] = rows;
    if (!gone || signal.aborted) return;
    await forgetLive(db, gone.id, signal);
    if (signal.aborted) return;
    await db.query('delete from telemetry.sealed_day where series_id = $1', [gone.id]);
    await db.query('delete from telemetry.gone_series where id = $1', [gone.id]);
  }
};

const forgetLive = async (db: Pool, id: number, signal: AbortSignal) => {
  for (let deleted = 1; deleted > 0 && !signal.aborted;) {
    const { rowCount } = await db.query(
      `delete from telemetry.observation o
       using (
         select series_id, observed_at from telemetry.observation
         where series_id = $1 order by observed_at limit $2
       ) as old
       where o.series_id = old.series_id and o.observed_at = old.observed_at`,
      [id, SEALED_SAMPLES_AT_ONCE_MAX],
    );
    deleted = rowCount ?? 0;
  }
};
