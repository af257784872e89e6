import { SIMULATIONS } from '../api/service-desk/limits.ts';
import { deskRoutes } from '../api/service-desk/routes.ts';
import { serviceDeskCodec } from '../domain/service-desk/codecs.ts';
import type { Capability } from './capability.ts';

/** The configuration of an organisation's service desk. contract.md section 5. */
export const serviceDesk: Capability = {
  tag: {
    name: 'service desk',
    description: 'Service levels, routing rules and workflows.',
  },
  streams: [{ category: 'serviceDesk', codec: serviceDeskCodec, kept: 'forever' }],
  compose: ({ desks, people, graph, occasionOf, visibility, permits }) => ({
    routes: async (app) => {
      await app.register(deskRoutes, {
        desks,
        people,
        graph,
        simulations: permits(SIMULATIONS),
        occasionOf,
        visibility,
      });
    },
  }),
};
