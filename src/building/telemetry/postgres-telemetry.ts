import type { Pool } from 'pg';
import type { Clock } from '../../engine/time/clock.ts';
import type { Tracing } from '../../engine/observe/tracing.ts';
import { keptFrom } from './retention.ts';
import { ingest } from './ingest.ts';
import { sampleMonths } from './months.ts';
import { pointRegistry } from './points.ts';
import { telemetryReads } from './reads.ts';
import type { Telemetry } from './telemetry.ts';

export interface PostgresTelemetryParts {
  /** A migrated database. */
  readonly db: Pool;
  readonly clock: Clock;
  /** Called after each commit that left an announcement to be moved to the log. */
  readonly announced: () => void;
  /** Older samples are not returned. `null`: unlimited retention. */
  readonly retentionDays: number | null;
  /** Default: no tracing. */
  readonly tracing?: Tracing;
}

export const postgresTelemetry = (parts: PostgresTelemetryParts): Telemetry => {
  const { db, clock, announced, retentionDays, tracing } = parts;
  const points = pointRegistry(db);
  const months = sampleMonths(db);
  return {
    observe: ingest({ db, points, months, announced, tracing }),
    ...telemetryReads(db, keptFrom(clock, retentionDays)),
  };
};
