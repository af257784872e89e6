import { webhookRoutes } from '../api/webhooks/routes.ts';
import { webhookAttempts } from '../projections/webhooks/attempts.ts';
import { webhookBacklog } from '../projections/webhooks/backlog.ts';
import { webhookDeadLetters } from '../projections/webhooks/dead-letters.ts';
import { webhookQueries } from '../projections/webhooks/queries.ts';
import { webhookSubscriptions } from '../projections/webhooks/subscriptions.ts';
import { subscriptionRepository } from '../store/repositories/subscriptions.ts';
import type { Capability } from './capability.ts';

/** Webhooks: who is told of what happens in buildings. interface.md «Webhooks». */
export const webhooks: Capability = {
  projections: [webhookSubscriptions, webhookBacklog, webhookAttempts, webhookDeadLetters],

  compose({ log, db, secrets, strangers, graph, occasionOf, visibility }) {
    const subscriptions = subscriptionRepository(log);
    const queries = webhookQueries(db.pool);
    return {
      routes: async (app) => {
        await app.register(webhookRoutes, {
          subscriptions,
          queries,
          graph,
          strangers,
          secrets,
          occasionOf,
          visibility,
        });
      },
    };
  },
};
