import { diagnosticsRoutes } from '../api/telemetry/diagnostics.ts';
import { DRY_RUNS, LARGE_INGESTS } from '../api/telemetry/limits.ts';
import { ingestRoutes } from '../api/telemetry/ingest.ts';
import { telemetryReadRoutes } from '../api/telemetry/reads.ts';
import { ALONE_SWEEP_MS } from '../limits.ts';
import { Signal } from '../engine/concurrency/signal.ts';
import { dueFaults } from '../processes/telemetry/due-faults.ts';
import { faultDetection, faultPublishing } from '../processes/telemetry/fault-detection.ts';
import { telemetryUpkeep } from '../processes/telemetry/upkeep.ts';
import { postgresDiagnostics } from '../building/telemetry/postgres-diagnostics.ts';
import { postgresTelemetry } from '../building/telemetry/postgres-telemetry.ts';
import { upkeepOf } from '../building/telemetry/upkeep.ts';
import { telemetryCodec } from '../domain/buildings/codecs.ts';
import { announcementTerm } from '../domain/buildings/events.ts';
import type { Capability } from './capability.ts';

/** What the points of buildings tell, and the rules that watch it. contract.md section 6. */
export const telemetry: Capability = {
  tag: {
    name: 'telemetry',
    description: 'What points observe, and what is concluded from it.',
  },
  streams: [{ category: 'telemetry', codec: telemetryCodec, kept: announcementTerm }],
  processes: ['fault-detection', 'fault-publishing'],

  compose(core) {
    const { clock, logger, tracing, outbox, bus, occasionOf } = core;
    const { telemetryRetentionDays: retentionDays } = core;
    const db = core.db.pool;
    const changed = new Signal();
    const announced = outbox.wake;
    const telemetry = postgresTelemetry({ db, clock, announced, retentionDays, tracing });
    const dueChanged = () => changed.wake();
    const diagnostics = postgresDiagnostics({
      db,
      announced,
      dueChanged,
      turn: core.consumers.turn,
    });
    const due = dueFaults({
      diagnostics,
      clock,
      logger,
      changed,
      relay: outbox.relay,
      ...(core.isAlone ? { lookMs: ALONE_SWEEP_MS } : {}),
    });
    const upkeep = upkeepOf(db, retentionDays);
    return {
      routes: async (app) => {
        const largeIngests = core.permits(LARGE_INGESTS);
        const simulations = core.permits(DRY_RUNS);
        await app.register(ingestRoutes, { telemetry, largeIngests, occasionOf });
        await app.register(telemetryReadRoutes, { telemetry, occasionOf });
        await app.register(diagnosticsRoutes, { diagnostics, simulations, occasionOf });
      },
      processes: [faultDetection(diagnostics), faultPublishing(bus.publish)],
      runners: [telemetryUpkeep({ upkeep, clock, logger })],
      wakers: [due],
    };
  },
};
