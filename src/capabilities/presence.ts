import { presenceRoutes } from '../api/presence/routes.ts';
import { presenceIn } from '../projections/presence/presence.ts';
import type { Capability } from './capability.ts';

/** Who looks at a ticket at this moment. contract.md section 5. */
export const presence: Capability = {
  tag: {
    name: 'presence',
    description: 'Who views or edits a ticket at this moment.',
  },
  compose: ({ db, clock, tickets }) => ({
    routes: async (app) => {
      await app.register(presenceRoutes, {
        presence: presenceIn({ pool: db.pool, clock }),
        tickets,
      });
    },
  }),
};
