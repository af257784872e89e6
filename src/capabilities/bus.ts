import { busRoutes } from '../api/bus/routes.ts';
import { busPage } from '../bus/log/page.ts';
import { parkedMessages } from '../projections/bus/parked-messages.ts';
import { parkedQueries } from '../projections/bus/parked-queries.ts';
import type { Capability } from './capability.ts';

/** The internal bus over HTTP, and what took no effect. contract.md section 9. */
export const bus: Capability = {
  projections: [parkedMessages],

  compose: ({ bus, graph, log, clock, db, busPrefix, occasionOf, visibility }) => ({
    routes: async (app) => {
      await app.register(busRoutes, {
        bus,
        subjectPrefix: busPrefix,
        page: busPage({ log, clock, prefix: busPrefix }),
        parked: parkedQueries(db),
        graph,
        occasionOf,
        visibility,
      });
    },
  }),
};
