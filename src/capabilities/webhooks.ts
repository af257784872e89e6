import { deliveryRoutes } from '../api/webhooks/deliveries.ts';
import { postedEvents } from '../api/webhooks/events.ts';
import { subscriptionRoutes } from '../api/webhooks/subscriptions.ts';
import { backlogQueries } from '../processes/webhooks/backlog-queries.ts';
import { keysOf } from '../processes/webhooks/attempt.ts';
import { DELIVERIES, webhookDeliverer } from '../processes/webhooks/claim-batch.ts';
import { webhookCircuitBreaker } from '../processes/webhooks/circuit-breaker.ts';
import { directDispatch } from '../processes/webhooks/direct.ts';
import { webhookDispatch } from '../processes/webhooks/dispatch.ts';
import { deliverySender } from '../processes/webhooks/sender.ts';
import { deliveryTerm } from '../domain/webhooks/delivery/delivered.ts';
import type { Clock } from '../engine/time/clock.ts';
import { webhookMetrics, type WebhookStanding } from '../processes/webhooks/metrics.ts';
import { webhookAttempts } from '../projections/webhooks/attempts.ts';
import { webhookBacklog } from '../projections/webhooks/backlog.ts';
import { webhookDeadLetters } from '../projections/webhooks/dead-letters.ts';
import { webhookQueries, type WebhookQueries } from '../projections/webhooks/queries.ts';
import { subscribersOf } from '../projections/webhooks/subscribers.ts';
import { webhookSkippedEvents } from '../projections/webhooks/skipped-events.ts';
import { webhookSubscriptions } from '../projections/webhooks/subscriptions.ts';
import { subscriptionRepository } from '../use-cases/webhooks/subscriptions.ts';
import { webhookQuotaRepository } from '../use-cases/webhooks/quotas.ts';
import { tracedCommands } from '../engine/aggregates/traced-commands.ts';
import {
  deliveredCodec,
  deliveryCodec,
  subscriptionCodec,
  webhookQuotaCodec,
} from '../domain/webhooks/codecs.ts';
import { webhookSlots } from '../use-cases/webhooks/slots.ts';
import { readinessError, type Ready } from '../engine/observe/readiness-error.ts';
import { singleFlight } from '../engine/concurrency/single-flight.ts';
import { READINESS_KEPT_MS } from '../limits.ts';
import { secretKeysIn } from '../projections/webhooks/secret-keys.ts';
import type { Capability } from '../composition/capability.ts';

/** Building events, posted to subscribed URLs. interface.md «Webhooks». */
export const webhooks: Capability = {
  tag: {
    name: 'webhooks',
    description: 'Building events, posted to your URLs.',
    webhooks: postedEvents,
  },
  streams: [
    { category: 'subscription', codec: subscriptionCodec, kept: 'forever' },
    { category: 'webhookQuota', codec: webhookQuotaCodec, kept: 'forever' },
    { category: 'delivery', codec: deliveryCodec, kept: deliveryTerm },
    { category: 'delivered', codec: deliveredCodec, kept: deliveryTerm },
  ],
  projections: [
    webhookSubscriptions,
    webhookSkippedEvents,
    webhookBacklog,
    webhookAttempts,
    webhookDeadLetters,
  ],
  processes: ['webhook-fan-out', 'webhook-health'],
  timers: [{ name: DELIVERIES, projection: webhookBacklog, dueAt: 'dueAt' }],

  compose({ log, db, clock, secrets, untrustedHttp, metrics, consumers, graph, ...core }) {
    const { occasionOf, visibility, tracing, publicUrl: source } = core;
    const subscriptions = tracedCommands(tracing, 'subscription', subscriptionRepository(log));
    const queries = webhookQueries(db.pool);
    const slots = webhookSlots({
      quotas: tracedCommands(tracing, 'webhookQuota', webhookQuotaRepository(log)),
      subscriptions,
      registered: queries.ofOrganisation,
    });
    const measured = webhookMetrics(metrics, () =>
      standingOf(backlogQueries(db.pool), queries, clock),
    );
    const keys = keysOf(secrets);
    const sending = { untrustedHttp, keys, source, clock, consumers, queries, measured, tracing };
    const sender = deliverySender(sending);
    measured.running(() => sender.runningCount);
    const secretKeys = singleFlight(() => secretKeysIn(db.pool, secrets), READINESS_KEPT_MS);
    return {
      degradable: [
        {
          part: 'secrets',
          reason: async () => secretsReadiness((await secretKeys()).closed),
        },
      ],
      routes: async (app) => {
        const parts = { subscriptions, queries, occasionOf, visibility };
        await app.register(subscriptionRoutes, { graph, untrustedHttp, secrets, slots, ...parts });
        await app.register(deliveryRoutes, { log, ...parts });
      },
      processes: [
        webhookDispatch({
          log,
          subscriptions,
          subscribers: subscribersOf(consumers, queries),
          direct: directDispatch({ ...sending, sender }),
          skipped: measured.skipped,
        }),
        webhookCircuitBreaker(subscriptions),
      ],
      wakers: [webhookDeliverer({ ...sending, sender, subscriptions })],
    };
  },
};

const standingOf = async (
  backlog: ReturnType<typeof backlogQueries>,
  queries: Pick<WebhookQueries, 'count'>,
  clock: Clock,
): Promise<WebhookStanding> => {
  const now = clock.now();
  const [counted, since, statuses] = await Promise.all([
    backlog.count(now),
    backlog.stalledSince(now),
    queries.count(),
  ]);
  const sinceMs = since === null ? 0 : Date.parse(now) - Date.parse(since);
  return { ...counted, ...statuses, oldestDueSeconds: Math.max(0, sinceMs / 1_000) };
};

/** @param closed Ids of keys that are missing or wrong, so that their secrets stay sealed. */
export const secretsReadiness = (closed: readonly string[]): Ready => {
  if (closed.length === 0) return true;
  const ids = closed.join(', ');
  return readinessError(`webhook secrets cannot be opened: no key of ATRIUM_SECRETS_KEY is ${ids}`);
};
