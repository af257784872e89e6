import { ingestRoutes } from '../api/telemetry/ingest.ts';
import { telemetryReadRoutes } from '../api/telemetry/reads.ts';
import { telemetryUpkeep } from '../processes/telemetry-upkeep.ts';
import { postgresTelemetry } from '../telemetry/postgres-telemetry.ts';
import { upkeepOf } from '../telemetry/upkeep.ts';
import type { Capability } from './capability.ts';

/** What the points of buildings tell. contract.md section 6. */
export const telemetry: Capability = {
  compose: ({ db, clock, logger, outbox, occasionOf, telemetryRetentionDays: retentionDays }) => {
    const telemetry = postgresTelemetry({
      db: db.pool,
      clock,
      announced: outbox.wake,
      retentionDays,
    });
    const upkeep = upkeepOf(db.pool, retentionDays);
    return {
      routes: async (app) => {
        await app.register(ingestRoutes, { telemetry, occasionOf });
        await app.register(telemetryReadRoutes, { telemetry, occasionOf });
      },
      runners: [telemetryUpkeep({ upkeep, clock, logger })],
    };
  },
};
