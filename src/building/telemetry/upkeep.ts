import type { Pool } from 'pg';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { dropExpiredMonths, deleteOrphanedSeries } from './retention.ts';
import { sealFinishedDays } from './sealing.ts';

/** Periodic maintenance, which may be interrupted at any time. */
export type Upkeep = (now: Instant, signal: AbortSignal) => Promise<void>;

/** @param retentionDays `null`: unlimited retention. */
export const upkeepOf =
  (db: Pool, retentionDays: number | null): Upkeep =>
  async (now, signal) => {
    if (retentionDays !== null) await dropExpiredMonths(db, now, retentionDays);
    await sealFinishedDays(db, now, signal);
    await deleteOrphanedSeries(db, signal);
  };
