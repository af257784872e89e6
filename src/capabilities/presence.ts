import { presenceRoutes } from '../api/presence/routes.ts';
import { presenceIn } from '../projections/presence/presence.ts';
import type { Capability } from '../composition/capability.ts';

/** The users who are viewing a ticket now. contract.md section 5. */
export const presence: Capability = {
  tag: {
    name: 'presence',
    description: 'Who is viewing or editing a ticket right now.',
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
