import { meRoutes } from '../api/me/routes.ts';
import type { Capability } from './capability.ts';

/** What a caller can learn about its own credential. contract.md section 2. */
export const identity: Capability = {
  compose: () => ({
    routes: async (app) => {
      await app.register(meRoutes);
    },
  }),
};
