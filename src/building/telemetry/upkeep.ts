import type { Pool } from 'pg';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { FAILURE_LINE_EVERY_MS } from '../../engine/limits.ts';
import { boundedLines } from '../../engine/observe/bounded-lines.ts';
import type { Logger } from '../../engine/observe/logging.ts';
import type { ClockCheck } from '../../engine/consumers/clock-check.ts';
import { deleteExpiredFaults, deleteOrphanedSeries, dropExpiredMonths } from './retention.ts';
import { sealFinishedDays } from './sealing.ts';

/** Periodic maintenance, which may be interrupted at any time. */
export type Upkeep = (now: Instant, signal: AbortSignal) => Promise<void>;

export const upkeepOf = (parts: {
  readonly db: Pool;
  /** `null`: unlimited retention. */
  readonly retentionDays: number | null;
  /** Nothing expires by a clock that is ahead. */
  readonly isTrusted: ClockCheck;
  readonly logger: Pick<Logger, 'warn'>;
}): Upkeep => {
  const { db, retentionDays, isTrusted, logger } = parts;
  const lines = boundedLines(FAILURE_LINE_EVERY_MS);
  const failed = (error: unknown, seriesId: number) =>
    lines((unlogged) =>
      logger.warn({ err: error, seriesId, unlogged }, 'a series cannot be sealed; skipped'),
    );
  return async (now, signal) => {
    if (retentionDays !== null && (await isTrusted(now))) {
      await dropExpiredMonths(db, now, retentionDays);
      await deleteExpiredFaults(db, now, retentionDays, signal);
    }
    await sealFinishedDays(db, now, signal, failed);
    await deleteOrphanedSeries(db, signal);
  };
};
