import { SIMULATIONS } from '../api/service-desk/limits.ts';
import { deskRoutes } from '../api/service-desk/routes.ts';
import { trialRoutes } from '../api/service-desk/trial.ts';
import { expiriesIn } from '../projections/tickets/feed/expiries.ts';
import { deskWarnings } from '../api/service-desk/warnings.ts';
import { serviceDeskCodec } from '../domain/service-desk/codecs.ts';
import type { Capability } from '../composition/capability.ts';

/** The configuration of an organisation's service desk. contract.md section 5. */
export const serviceDesk: Capability = {
  tag: {
    name: 'service desk',
    description: 'Service levels, routing rules and workflows.',
  },
  streams: [{ category: 'serviceDesk', codec: serviceDeskCodec, kept: 'forever' }],
  compose: ({
    desks,
    people,
    graph,
    ticketQueries,
    log,
    clock,
    occasionOf,
    visibility,
    permits,
  }) => ({
    routes: async (app) => {
      const simulations = permits(SIMULATIONS);
      const warningsFor = deskWarnings(graph, people);
      await app.register(deskRoutes, {
        desks,
        graph,
        simulations,
        warningsFor,
        occasionOf,
        visibility,
      });
      await app.register(trialRoutes, {
        log,
        graph,
        expiries: expiriesIn(log, clock),
        queries: ticketQueries,
        desks,
        simulations,
        warningsFor,
        occasionOf,
      });
    },
  }),
};
