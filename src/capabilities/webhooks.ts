import { webhookRoutes } from '../api/webhooks/routes.ts';
import { backlogQueries } from '../deliveries/backlog-queries.ts';
import { DELIVERIES, webhookDeliverer } from '../deliveries/deliverer.ts';
import { keysOf } from '../deliveries/request.ts';
import type { Clock } from '../ops/clock.ts';
import type { WebhookStanding } from '../ops/webhook-metrics.ts';
import { webhookFanOut } from '../processes/webhook-fan-out.ts';
import { webhookHealth } from '../processes/webhook-health.ts';
import { webhookAttempts } from '../projections/webhooks/attempts.ts';
import { webhookBacklog } from '../projections/webhooks/backlog.ts';
import { webhookDeadLetters } from '../projections/webhooks/dead-letters.ts';
import { webhookQueries, type WebhookQueries } from '../projections/webhooks/queries.ts';
import { subscribersOf } from '../projections/webhooks/subscribers.ts';
import { webhookSubscriptions } from '../projections/webhooks/subscriptions.ts';
import { subscriptionRepository } from '../store/repositories/subscriptions.ts';
import type { Capability } from './capability.ts';

/** Webhooks: who is told of what happens in buildings. interface.md «Webhooks». */
export const webhooks: Capability = {
  projections: [webhookSubscriptions, webhookBacklog, webhookAttempts, webhookDeadLetters],
  processes: ['webhook-fan-out', 'webhook-health'],
  timers: [{ name: DELIVERIES, projection: webhookBacklog, dueAt: 'dueAt' }],

  compose({ log, db, clock, secrets, strangers, metrics, consumers, graph, ...core }) {
    const { occasionOf, visibility } = core;
    const subscriptions = subscriptionRepository(log);
    const queries = webhookQueries(db.pool);
    const measured = metrics.webhooks;
    measured.standing(() => standingOf(backlogQueries(db.pool), queries, clock));
    const reached = { strangers, keys: keysOf(secrets), clock };
    return {
      routes: async (app) => {
        const shown = { queries, occasionOf, visibility };
        await app.register(webhookRoutes, { subscriptions, graph, strangers, secrets, ...shown });
      },
      processes: [
        webhookFanOut({
          log,
          subscriptions,
          subscribers: subscribersOf(consumers, queries),
          skipped: measured.skipped,
        }),
        webhookHealth(subscriptions),
      ],
      wakers: [webhookDeliverer({ ...reached, consumers, queries, subscriptions, measured })],
    };
  },
};

const standingOf = async (
  backlog: ReturnType<typeof backlogQueries>,
  queries: Pick<WebhookQueries, 'count'>,
  clock: Clock,
): Promise<WebhookStanding> => {
  const now = clock.now();
  const [counted, next, statuses] = await Promise.all([
    backlog.count(now),
    backlog.next(),
    queries.count(),
  ]);
  const sinceMs = next === null ? 0 : Date.parse(now) - Date.parse(next);
  return { ...counted, ...statuses, oldestDueSeconds: Math.max(0, sinceMs / 1_000) };
};
