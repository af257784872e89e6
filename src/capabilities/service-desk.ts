import { deskRoutes } from '../api/service-desk/routes.ts';
import type { Capability } from './capability.ts';

/** The configuration of an organisation's service desk. contract.md section 5. */
export const serviceDesk: Capability = {
  compose: ({ desks, graph, occasionOf, visibility }) => ({
    routes: async (app) => {
      await app.register(deskRoutes, { desks, graph, occasionOf, visibility });
    },
  }),
};
