/** The metric that the alert on the backlog reads, without a process that makes attempts. */
import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { deliveryCodec } from '../../../src/domain/webhooks/codecs.ts';
import {
  deliveryJournal,
  type DeliveryQueued,
} from '../../../src/domain/webhooks/delivery/events.ts';
import type { AttemptResult } from '../../../src/processes/webhooks/attempt.ts';
import {
  attemptedFact,
  DELIVERER,
  deliveryQueued,
  queuedFact,
  recordFacts,
} from '../../../src/processes/webhooks/record.ts';
import { testPlatform } from '../../support/api/platform.ts';
import { until } from '../../support/until.ts';

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();

it('is the time that a receiver with due deliveries has gone without an attempt', async () => {
  const platform = await testPlatform({ roles: new Set(['api', 'projections']) });
  onTestFinished(() => platform.close());

  const queued = async (webhookId: string, at: string, over: Partial<DeliveryQueued> = {}) => {
    const body = '{"event":"building.point.updated"}';
    const said = { messageId: randomUUID(), event: 'building.point.updated', timestamp: at, body };
    const event = deliveryQueued(webhookId, said, over);
    const facts = [queuedFact(event)];
    const context = { at, by: DELIVERER, organisation: 'acme' };
    const to = { webhookId, day: at, facts };
    const { journal, revisions } = await recordFacts(platform.log, to, context);
    return { ...event, attempt: 1, journal, revision: revisions[0]! };
  };
  const attempted = async (delivery: Awaited<ReturnType<typeof queued>>, at: string) => {
    const outcome = { succeeded: false, httpCode: null, error: 'timeout', responseBody: null };
    const result: AttemptResult = { ...outcome, startedAt: at, finishedAt: at, durationMs: 1 };
    const { id, event } = attemptedFact(delivery, result, false);
    const meta = { commandId: id, at, by: DELIVERER, origin: 'system' } as const;
    const journal = deliveryJournal(delivery.webhookId, at);
    await platform.log.append(journal, 'any', [deliveryCodec.encode(id, event, meta)]);
  };
  const seconds = async () => {
    const { body } = await platform.as(null).get('/metrics');
    return Number(/^atrium_webhook_oldest_due_seconds (\S+)$/m.exec(body)?.[1]);
  };

  const dead = randomUUID();
  const hourAgo = secondsAgo(3_600);
  const first = await queued(dead, hourAgo);
  await queued(dead, hourAgo);
  await until(async () => (await seconds()) >= 3_600, 'deliveries without an attempt');

  const other = randomUUID();
  const ofOther = await queued(other, secondsAgo(7_200));
  await until(async () => (await seconds()) >= 7_200, 'a delivery that is due for longer');
  // New events are attempted directly, also while no process attempts what is due.
  const direct = await queued(dead, secondsAgo(4), { notBefore: secondsAgo(-15) });
  await attempted(direct, secondsAgo(5));
  await attempted(ofOther, secondsAgo(5));
  await until(async () => (await seconds()) < 7_200, 'an attempt after the direct one');
  expect(await seconds()).toBeGreaterThanOrEqual(3_600);

  // One of two is attempted: a receiver that does not answer is tried with one at a time.
  await attempted(first, secondsAgo(10));
  await until(async () => (await seconds()) < 1_800, 'an attempt');
  expect(await seconds()).toBeGreaterThanOrEqual(10);
  await queued(randomUUID(), secondsAgo(1_800));
  await until(async () => (await seconds()) >= 1_800, 'deliveries of another receiver');
  expect(await seconds()).toBeLessThan(3_600);
});
