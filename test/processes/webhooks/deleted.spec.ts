/** The deletion of a subscription while events are dispatched to it, without a database. */
import { randomBytes, randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { EffectContext } from '../../../src/engine/processes/process.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { signingKeys } from '../../../src/outbound/signatures.ts';
import type { Reply } from '../../../src/outbound/untrusted-http.ts';
import { directDispatch } from '../../../src/processes/webhooks/direct.ts';
import { webhookDispatch } from '../../../src/processes/webhooks/dispatch.ts';
import { WEBHOOK_WINDOW_FIRST } from '../../../src/processes/webhooks/limits.ts';
import { deliverySender } from '../../../src/processes/webhooks/sender.ts';
import { subscriptionRepository } from '../../../src/use-cases/webhooks/subscriptions.ts';
import { until } from '../../support/until.ts';
import { pointsUpdated } from '../../support/webhooks/points-updated.ts';
import { registered } from '../../support/webhooks/subscription.ts';

const at = systemClock.now();

it('ends an event of which only a part is in memory', async () => {
  const log = memoryEventStore();
  const { subscription, give } = await registered(log, at);
  const shown = { rows: [subscription] };
  const listeners: (() => void)[] = [];
  const answer = Promise.withResolvers<Reply>();
  let posted = 0;
  const keys = signingKeys(`whsec_${randomBytes(32).toString('base64')}`);
  const parts = {
    untrustedHttp: {
      post: () => {
        posted += 1;
        return answer.promise;
      },
    },
    keys: () => keys,
    source: 'http://atrium.test',
    clock: systemClock,
    queries: { byId: async () => shown.rows },
    measured: { attempted: () => {}, deadLettered: () => {} },
    consumers: {
      log,
      logger: loggerOf('silent'),
      positions: {
        onMoved(_: string, moved: () => void) {
          listeners.push(moved);
          return () => {};
        },
      },
    },
  };
  const { gather, on, effects } = webhookDispatch({
    log,
    subscriptions: subscriptionRepository(log),
    subscribers: async () => shown.rows,
    direct: directDispatch({ ...parts, sender: deliverySender(parts) }),
    skipped: () => {},
  });
  const recorded = pointsUpdated(2_000, at);
  const [effect] = on.PointsUpdated!(recorded, await gather!(recorded)) as readonly [
    Parameters<(typeof effects)['fan-out']>[0],
  ];
  const context: EffectContext = {
    id: randomUUID(),
    at,
    by: recorded.by,
    origin: 'system',
    mayRepeat: false,
    signal: new AbortController().signal,
  };
  const dispatched = effects['fan-out'](effect, context);
  await until(() => posted === WEBHOOK_WINDOW_FIRST, 'the first attempts');

  await give({ type: 'DeleteSubscription' }, at);
  shown.rows = [];
  for (const moved of listeners) moved();
  answer.resolve({ status: 200, body: '' });
  const outcome = await dispatched;
  await (outcome.outcome === 'done' && outcome.settled);
  expect(posted).toBe(WEBHOOK_WINDOW_FIRST);
});
