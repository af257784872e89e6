import { sandboxRoutes } from '../api/sandboxes/routes.ts';
import type { Capability } from './capability.ts';

/** Sandboxes on demand. interface.md «Sandboxes». */
export const sandboxes: Capability = {
  compose: () => ({
    routes: async (app) => {
      await app.register(sandboxRoutes);
    },
  }),
};
