import { diagnosticsRoutes } from '../api/telemetry/diagnostics.ts';
import { DRY_RUNS, LARGE_INGESTS, SAMPLE_READS } from '../api/telemetry/limits.ts';
import { faultRoutes } from '../api/telemetry/faults.ts';
import { ingestRoutes } from '../api/telemetry/ingest.ts';
import { telemetryReadRoutes } from '../api/telemetry/reads.ts';
import { ALONE_SWEEP_MS } from '../limits.ts';
import { Signal } from '../engine/concurrency/signal.ts';
import { dueFaults } from '../processes/telemetry/due-faults.ts';
import { faultDetection, faultPublishing } from '../processes/telemetry/fault-detection.ts';
import { faultTickets } from '../processes/telemetry/fault-tickets.ts';
import { TELEMETRY_UPKEEP, telemetryUpkeep } from '../processes/telemetry/upkeep.ts';
import { postgresDiagnostics } from '../building/telemetry/postgres-diagnostics.ts';
import { postgresTelemetry } from '../building/telemetry/postgres-telemetry.ts';
import { keptFrom } from '../building/telemetry/retention.ts';
import { clockCheck } from '../engine/consumers/clock-check.ts';
import { upkeepOf } from '../building/telemetry/upkeep.ts';
import { FAULT_TICKET_CATEGORY } from '../domain/telemetry/fault-events.ts';
import { faultTicketCodec } from '../domain/telemetry/codecs.ts';
import { raiseFaultTicket } from '../use-cases/tickets/fault-ticket.ts';
import { telemetryCodec } from '../domain/telemetry/codecs.ts';
import { announcementTerm } from '../domain/buildings/events.ts';
import type { Capability } from '../composition/capability.ts';

/** Samples and alarms of points, and diagnostic rules on them. contract.md section 6. */
export const telemetry: Capability = {
  tag: {
    name: 'telemetry',
    description: 'Observations of points, diagnostic rules and the faults that they detect.',
  },
  streams: [
    { category: 'telemetry', codec: telemetryCodec, kept: announcementTerm },
    { category: FAULT_TICKET_CATEGORY, codec: faultTicketCodec, kept: 'forever' },
  ],
  processes: ['fault-detection', 'fault-publishing', 'fault-tickets'],

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
      keptFromMs: keptFrom(clock, retentionDays),
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
    const { tickets, graph, desks, numbers } = core;
    const ticketing = { tickets, graph, desks, numbers, diagnostics };
    const isTrusted = clockCheck({ pool: db, clock, logger, consumer: TELEMETRY_UPKEEP });
    const upkeep = upkeepOf({ db, retentionDays, isTrusted, logger });
    return {
      routes: async (app) => {
        const largeIngests = core.permits(LARGE_INGESTS);
        const sampleReads = core.permits(SAMPLE_READS);
        const simulations = core.permits(DRY_RUNS);
        await app.register(ingestRoutes, { telemetry, largeIngests, occasionOf });
        await app.register(telemetryReadRoutes, { telemetry, sampleReads, occasionOf });
        await app.register(diagnosticsRoutes, { diagnostics, simulations, occasionOf });
        await app.register(faultRoutes, {
          ...ticketing,
          queries: core.ticketQueries,
          occasionOf,
          visibility: core.visibility,
        });
      },
      processes: [
        faultDetection(diagnostics),
        faultPublishing(bus.publish),
        faultTickets({ raise: raiseFaultTicket(ticketing), tickets, desks }),
      ],
      runners: [telemetryUpkeep({ upkeep, clock, logger })],
      wakers: [due],
    };
  },
};
