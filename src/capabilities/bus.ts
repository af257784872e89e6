import { BUS_READS } from '../api/bus/limits.ts';
import { busRoutes } from '../api/bus/routes.ts';
import { recognisingKept } from '../bus/log/kept-messages.ts';
import { busPage } from '../bus/log/page.ts';
import { PARKED_CATEGORY } from '../bus/log/parking.ts';
import { busIntake } from '../bus/nats/intake.ts';
import type { Nats } from '../bus/nats/nats.ts';
import { messageTerm } from '../domain/bus/events.ts';
import { inboundTypes } from '../domain/bus/inbound-types.ts';
import { parkedMessages } from '../projections/bus/parked-messages.ts';
import { parkedQueries } from '../projections/bus/parked-queries.ts';
import { busPositions } from '../projections/bus/positions.ts';
import { busPositionIndex, keptBusMessage } from '../projections/position-queries.ts';
import { busCodec, parkedCodec } from '../domain/bus/codecs.ts';
import type { Capability } from '../composition/capability.ts';

/** The internal bus over HTTP, and parked messages. contract.md section 9. */
export const bus: Capability = {
  tag: {
    name: 'bus',
    description: 'The internal bus over HTTP.',
  },
  streams: [
    { category: 'bus', codec: busCodec, kept: messageTerm },
    { category: PARKED_CATEGORY, codec: parkedCodec, kept: 'forever' },
  ],
  projections: [parkedMessages, busPositions],

  compose(core) {
    const { bus, journals, nats, consumers, busMetrics } = core;
    const { graph, log, clock, db, models, busPrefix, occasionOf, visibility, cursors } = core;
    const index = busPositionIndex({ db, models }, clock);
    const { readWaitMs: indexWaitMs } = visibility;
    const inbound = recognisingKept(journals, keptBusMessage(db, clock), clock);
    const intake = (of: Nats) =>
      busIntake({
        nats: of,
        journals: inbound,
        consumers,
        prefix: busPrefix,
        types: inboundTypes,
        metrics: busMetrics,
      });
    return {
      routes: async (app) => {
        await app.register(busRoutes, {
          bus: nats ? bus : inbound,
          subjectPrefix: busPrefix,
          // With NATS, published messages are stored there only.
          page: nats ? null : busPage({ log, index, prefix: busPrefix, indexWaitMs }),
          reads: core.permits(BUS_READS),
          parked: parkedQueries(db),
          graph,
          occasionOf,
          visibility,
          cursors,
        });
      },
      runners: nats ? [intake(nats)] : [],
    };
  },
};
