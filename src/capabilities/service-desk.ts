import { deskRoutes } from '../api/service-desk/routes.ts';
import {
  SIMULATION_PLACE_WAIT_MS,
  SIMULATIONS_MAX,
  SIMULATIONS_OF_CALLER_MAX,
  SIMULATIONS_OF_ORGANISATION_MAX,
} from '../limits.ts';
import { places } from '../ops/places.ts';
import { serviceDeskCodec } from '../store/repositories/service-desks.ts';
import type { Capability } from './capability.ts';

/** The configuration of an organisation's service desk. contract.md section 5. */
export const serviceDesk: Capability = {
  tag: {
    name: 'service desk',
    description: 'Service levels, routing rules and workflows.',
  },
  codecs: [serviceDeskCodec],
  compose: ({ desks, graph, occasionOf, visibility }) => ({
    routes: async (app) => {
      await app.register(deskRoutes, {
        desks,
        graph,
        simulations: places({
          ofCaller: SIMULATIONS_OF_CALLER_MAX,
          ofOrganisation: SIMULATIONS_OF_ORGANISATION_MAX,
          inAll: SIMULATIONS_MAX,
          waitMs: SIMULATION_PLACE_WAIT_MS,
        }),
        occasionOf,
        visibility,
      });
    },
  }),
};
