/** How direct deliveries end, without a server or a database. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { directDispatch } from '../../../src/processes/webhooks/direct.ts';
import { deliverySender } from '../../../src/processes/webhooks/sender.ts';
import { deliveredJournal } from '../../../src/domain/webhooks/delivery/delivered.ts';
import { deliveryJournal } from '../../../src/domain/webhooks/delivery/events.ts';
import { webhookBody } from '../../../src/domain/webhooks/delivery/message.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { signingKeys } from '../../../src/outbound/signatures.ts';
import type { Reply } from '../../../src/outbound/untrusted-http.ts';
import { deliveredCodec, deliveryCodec } from '../../../src/domain/webhooks/codecs.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { lastDelivered } from '../../../src/use-cases/webhooks/delivered.ts';
import type { SubscriptionView } from '../../../src/domain/webhooks/subscription/view.ts';
import { until } from '../../support/until.ts';
import { subscriptionRow } from '../../support/webhooks/subscription.ts';

const OK: Reply = { status: 200, body: 'ok' };
const day = '2026-03-02T12:00:00.000Z';
const clock = { now: () => day };

const message = () => {
  const said = { event: 'building.point.updated', data: { value: 1 }, timestamp: day };
  return { ...said, messageId: randomUUID(), body: webhookBody(said) };
};

/** A sender, with receivers that answer as `answers` says; an interrupted request says so. */
const sending = (answers: (body: string) => Promise<Reply> | Reply) => {
  const log = memoryEventStore();
  const logger = loggerOf('silent');
  const keys = signingKeys(`whsec_${randomBytes(32).toString('base64')}`);
  const subscriptions: { now: readonly SubscriptionView[] } = { now: [] };
  const listeners: (() => void)[] = [];
  const posted: string[] = [];
  const parts = {
    untrustedHttp: {
      async post(_: string, { body }: { body: Buffer }, signal: AbortSignal): Promise<Reply> {
        posted.push(body.toString());
        const interrupted = new Promise<Reply>((resolve) =>
          signal.addEventListener('abort', () => resolve({ failure: 'interrupted' })),
        );
        return Promise.race([answers(body.toString()), interrupted]);
      },
    },
    keys: () => keys,
    source: 'http://atrium.test',
    clock,
    queries: { byId: async () => subscriptions.now },
    measured: { attempted: () => {}, deadLettered: () => {} },
    consumers: {
      log,
      logger,
      positions: {
        onMoved(_: string, moved: () => void) {
          listeners.push(moved);
          return () => {};
        },
      },
    },
  };
  const sender = deliverySender(parts);
  const dispatch = directDispatch({ ...parts, sender });
  const over = new AbortController();
  const subscription = subscriptionRow();
  const { webhookId } = subscription;
  const give = (count: number, to: SubscriptionView = subscription) => {
    const messages = Array.from({ length: count }, message);
    const deliveries = dispatch(to, { messages, day, signal: over.signal });
    return { messages, settled: deliveries?.settled ?? null };
  };
  const whenRoom = (to: SubscriptionView) => dispatch.whenRoom(to, over.signal);
  return {
    give,
    whenRoom,
    posted,
    sender,
    webhookId,
    /** Nothing is known of the receiver yet: its first success is recorded by itself. */
    async warm() {
      await give(1).settled;
      posted.length = 0;
    },
    stop: () => over.abort(),
    gone() {
      subscriptions.now = [];
      for (const moved of listeners) moved();
    },
    async queued() {
      const stored = await log.readStream(deliveryJournal(webhookId, day));
      return stored.map((one) => deliveryCodec.decode(one).event);
    },
    async succeeded() {
      const stored = await log.readStream(deliveredJournal(webhookId, day));
      return stored.map((one) => deliveredCodec.decode(one).event.deliveries);
    },
    last: (limit: number) => lastDelivered(log, webhookId, { now: day, limit }),
  };
};

const typesIn = (events: readonly { type: string }[]) => events.map(({ type }) => type);

describe('direct deliveries', () => {
  it('that succeed are recorded many to an event, and never queued', async () => {
    const mine = sending(() => OK);
    await mine.warm();
    const before = (await mine.queued()).length;
    const { messages, settled } = mine.give(100);
    await settled;
    const facts = await mine.succeeded();
    expect(facts.length).toBeLessThan(50);
    const recorded = facts.flat();
    expect(new Map(recorded.map(({ messageId, body }) => [messageId, body]))).toEqual(
      new Map(messages.map(({ messageId, body }) => [messageId, body])),
    );
    expect(recorded[0]).toMatchObject({ httpCode: 200, responseBody: 'ok' });
    expect(await mine.queued()).toHaveLength(before);
    const ids = (await mine.last(10)).map(({ delivery }) => delivery.messageId);
    const inOrder = recorded.map(({ messageId }) => messageId);
    expect(ids).toEqual(inOrder.toReversed().slice(0, 10));
  });

  it('are at most 1,024 of one organisation, and leave room for another', async () => {
    const answered = Promise.withResolvers<Reply>();
    const mine = sending(() => answered.promise);
    const ofAcme = () => mine.give(256, subscriptionRow()).settled;
    const held = Array.from({ length: 4 }, ofAcme);
    expect(held).not.toContain(null);
    expect(ofAcme()).toBeNull();
    const waited = { acme: false };
    const room = mine.whenRoom(subscriptionRow()).then(() => (waited.acme = true));
    await mine.whenRoom(subscriptionRow({ organisationId: 'globex' }));
    await nextTurn();
    expect(waited.acme).toBe(false);
    const ofGlobex = mine.give(256, subscriptionRow({ organisationId: 'globex' })).settled;
    expect(ofGlobex).not.toBeNull();
    answered.resolve(OK);
    await Promise.all([...held, ofGlobex, room]);
    await ofAcme();
    expect(ofAcme()).not.toBeNull();
  });

  it('stop waiting for capacity when another process takes over', async () => {
    const mine = sending(() => new Promise(() => {}));
    for (let count = 0; count < 4; count += 1) mine.give(256, subscriptionRow());
    const room = mine.whenRoom(subscriptionRow());
    mine.stop();
    await expect(room).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('have their first success counted: a failure may precede it', async () => {
    const mine = sending(() => OK);
    await mine.give(1).settled;
    const [queued, attempted] = await mine.queued();
    expect(queued).toMatchObject({ type: 'DeliveryQueued', reason: 'event' });
    expect(attempted).toMatchObject({ type: 'DeliveryAttempted', succeeded: true, clears: true });
    expect(await mine.succeeded()).toEqual([]);
  });

  it('that fail are queued before the failure is recorded, and are attempted again', async () => {
    const mine = sending(() => ({ status: 503, body: 'no' }));
    const { messages, settled } = mine.give(1);
    await settled;
    const [queued, attempted] = await mine.queued();
    expect(queued).toMatchObject({ type: 'DeliveryQueued', body: messages[0]!.body });
    expect(attempted).toMatchObject({
      type: 'DeliveryAttempted',
      attempt: 1,
      succeeded: false,
      httpCode: 503,
      deadLettered: false,
      revision: 0,
    });
    expect(attempted).toHaveProperty('nextAttemptAt', expect.stringMatching(/Z$/));
  });

  it('are queued without a direct attempt for a while after a failure', async () => {
    const mine = sending(() => ({ failure: 'closed_early' }));
    await mine.give(1).settled;
    expect(mine.give(1).settled).toBeNull();
  });

  it('that are slow are also queued, and not due before they end', async () => {
    const answer = Promise.withResolvers<Reply>();
    const mine = sending(() => answer.promise);
    // Twice the number of concurrent attempts.
    await mine.give(8).settled;
    expect(mine.posted).toHaveLength(4);
    const queued = await mine.queued();
    expect(typesIn(queued)).toEqual(Array.from({ length: 8 }, () => 'DeliveryQueued'));
    const later = queued.filter((one) => 'notBefore' in one);
    expect(new Set(later.map((one) => 'body' in one && one.body))).toEqual(new Set(mine.posted));
    expect(later).toHaveLength(4);
    answer.resolve(OK);
    await until(async () => (await mine.queued()).length === 12, 'their outcomes');
    expect(mine.posted).toHaveLength(4);
    expect(await mine.succeeded()).toEqual([]);
  });

  it('keep at most 10,000 receiver queues, and every one in use', async () => {
    const answered = Promise.withResolvers<Reply>();
    const mine = sending(() => answered.promise);
    const { settled } = mine.give(8);
    const throttled = mine.sender.queueOf(subscriptionRow());
    throttled.throttle(60_000);
    const ids = Array.from({ length: 20_000 }, () => {
      const { webhookId } = mine.sender.queueOf(subscriptionRow());
      return webhookId;
    });
    expect(ids.filter((id) => mine.sender.queue(id)).length).toBeLessThanOrEqual(10_000);
    expect(mine.sender.queue(ids.at(-1)!)).toBeDefined();
    expect(mine.sender.queue(mine.webhookId)?.running).toBe(4);
    expect(mine.sender.queue(throttled.webhookId)).toBe(throttled);
    answered.resolve(OK);
    await settled;
    expect(mine.posted).toHaveLength(8);
  });

  it('end with the subscription, and nothing is recorded', async () => {
    const answer = Promise.withResolvers<Reply>();
    const mine = sending(() => answer.promise);
    const { settled } = mine.give(8);
    mine.gone();
    answer.resolve(OK);
    await settled;
    expect(mine.posted).toHaveLength(4);
  });

  it('fail when the process that dispatched them stops', async () => {
    const mine = sending(() => new Promise<Reply>(() => {}));
    const { settled } = mine.give(8);
    mine.stop();
    await expect(settled).rejects.toThrow('aborted');
    expect(mine.posted).toHaveLength(4);
    expect(await mine.queued()).toEqual([]);
  });

  it('may fail before they are awaited: that ends no process', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', note);
    const mine = sending(() => new Promise<Reply>(() => {}));
    const { settled } = mine.give(8);
    mine.stop();
    // `unhandledRejection` is emitted between two turns of the event loop.
    await nextTurn();
    await nextTurn();
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
    await expect(settled).rejects.toThrow('aborted');
  });
});
