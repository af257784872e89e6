import { ingestRoutes } from '../api/telemetry/ingest.ts';
import { postgresTelemetry } from '../telemetry/postgres-telemetry.ts';
import type { Capability } from './capability.ts';

/** What the points of buildings tell. contract.md section 6. */
export const telemetry: Capability = {
  compose: ({ db, outbox, occasionOf }) => ({
    routes: async (app) => {
      const telemetry = postgresTelemetry(db.pool, outbox.wake);
      await app.register(ingestRoutes, { telemetry, occasionOf });
    },
  }),
};
