import { viewRoutes } from '../api/views/routes.ts';
import { viewCodec } from '../domain/views/codecs.ts';
import { tracedCommands } from '../engine/aggregates/traced-commands.ts';
import { viewRepository } from '../use-cases/views/views.ts';
import type { Capability } from '../composition/capability.ts';

/** Saved views of the ticket list. contract.md section 5. */
export const views: Capability = {
  tag: {
    name: 'views',
    description: 'Saved filters, sort orders and columns of the ticket list, private and shared.',
  },
  streams: [{ category: 'views', codec: viewCodec, kept: 'forever' }],
  compose: ({ log, desks, tracing, occasionOf, visibility, personKeysTrustedMs }) => ({
    routes: async (app) => {
      await app.register(viewRoutes, {
        views: tracedCommands(tracing, 'views', viewRepository(log, personKeysTrustedMs)),
        desks,
        occasionOf,
        visibility,
      });
    },
  }),
};
