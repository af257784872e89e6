import type { Pool } from 'pg';
import { ingest } from './ingest.ts';
import { sampleMonths } from './months.ts';
import { pointRegistry } from './points.ts';
import type { Telemetry } from './telemetry.ts';

/**
 * @param db A database that `migrate` has been run on.
 * @param announced Called after each commit that left an announcement to be moved to the log.
 */
export const postgresTelemetry = (db: Pool, announced: () => void = () => {}): Telemetry => {
  const points = pointRegistry(db);
  const months = sampleMonths(db);
  return { observe: ingest({ db, points, months, announced }) };
};
