/** How direct deliveries end, without a server or a database. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { directDispatch } from '../../../src/processes/webhooks/direct.ts';
import { deliverySender } from '../../../src/processes/webhooks/sender.ts';
import { deliveredJournal } from '../../../src/domain/webhooks/delivery/delivered.ts';
import { deliveryJournal } from '../../../src/domain/webhooks/delivery/events.ts';
import { webhookBody } from '../../../src/domain/webhooks/delivery/message.ts';
import { IN_FLIGHT_WEIGHT_MAX } from '../../../src/engine/limits.ts';
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
const sending = (
  answers: (body: string) => Promise<Reply> | Reply,
  over: { load?: number } = {},
) => {
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
  const load = { now: over.load ?? 1, samples: 0 };
  const sample = () => {
    load.samples += 1;
    return load.now;
  };
  const dispatch = directDispatch({ ...parts, sender, load: sample });
  const run = new AbortController();
  const subscription = subscriptionRow();
  const { webhookId } = subscription;
  const give = (count: number, to: SubscriptionView = subscription) => {
    const messages = Array.from({ length: count }, message);
    const deliveries = dispatch(to, { messages, day, signal: run.signal });
    return { messages, count: deliveries?.count ?? 0, settled: deliveries?.settled ?? null };
  };
  const whenRoom = (to: SubscriptionView) => dispatch.whenRoom(to, run.signal);
  return {
    give,
    whenRoom,
    load,
    posted,
    sender,
    webhookId,
    /** Nothing is known of the receiver yet: its first success is recorded by itself. */
    async warm() {
      await give(1).settled;
      posted.length = 0;
    },
    stop: () => run.abort(),
    gone() {
      subscriptions.now = [];
      for (const moved of listeners) moved();
    },
    async queued(of = webhookId) {
      const stored = await log.readStream(deliveryJournal(of, day));
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

describe('the room for direct deliveries', () => {
  const hanging = (load: number) => sending(() => new Promise<Reply>(() => {}), { load });
  /** The process has been seen not to be busy. */
  const idle = async () => {
    const mine = hanging(0);
    mine.give(1, subscriptionRow({ organisationId: 'another' }));
    const { samples } = mine.load;
    await until(() => mine.load.samples > samples, 'a sample');
    return mine;
  };
  const subscriptionsOf = (organisationId: string, count: number) =>
    Array.from({ length: count }, () => subscriptionRow({ organisationId }));
  /** @returns The number of deliveries that are direct. */
  const fill = ({ give }: ReturnType<typeof sending>, to: readonly SubscriptionView[]) => {
    let count = 0;
    for (const one of to) for (let more = 1; more > 0; count += more) more = give(1_000, one).count;
    return count;
  };

  it('of a late receiver is bounded, and others of its organisation have some', async () => {
    const mine = await idle();
    const [slow, other] = [subscriptionRow(), subscriptionRow()];
    expect(fill(mine, [slow])).toBeLessThan(600);
    expect(await mine.whenRoom(slow)).toBe(false);
    expect(await mine.whenRoom(other)).toBe(true);
    expect(mine.give(20, other).count).toBe(20);
  });

  it('is left to a receiver that keeps up beside fifty that do not', async () => {
    const mine = await idle();
    const slow = subscriptionsOf('acme', 49);
    for (let event = 0; event < 10; event += 1) for (const one of slow) mine.give(20, one);
    for (const one of slow) expect(await mine.whenRoom(one)).toBe(false);
    const other = subscriptionRow();
    expect(await mine.whenRoom(other)).toBe(true);
    expect(mine.give(5, other).count).toBe(5);
  });

  it('is left to an organisation beside others whose receivers fall behind', async () => {
    const mine = await idle();
    let direct = 0;
    for (let count = 0; count < 6; count += 1)
      direct += fill(mine, subscriptionsOf(`slow-${count}`, 1));
    const other = subscriptionRow({ organisationId: 'other' });
    expect(await mine.whenRoom(other)).toBe(true);
    expect(mine.give(20, other).count).toBe(20);
    for (let count = 0; count < 20; count += 1)
      direct += fill(mine, subscriptionsOf(`many-${count}`, 3));
    // Effects of other events still start.
    expect(direct).toBeLessThan(IN_FLIGHT_WEIGHT_MAX / 2);
    // None is left, and no receiver is waited for.
    expect(await mine.whenRoom(subscriptionRow({ organisationId: 'late' }))).toBe(false);
  });

  it('is waited for while the process is busy', async () => {
    const answered = Promise.withResolvers<Reply>();
    const mine = sending(() => answered.promise);
    fill(mine, subscriptionsOf('acme', 8));
    const other = subscriptionRow();
    expect(mine.give(1, other).count).toBe(0);
    const waited = { is: true };
    const room = mine.whenRoom(other).finally(() => (waited.is = false));
    await nextTurn();
    expect(waited.is).toBe(true);
    answered.resolve(OK);
    expect(await room).toBe(true);
    expect(mine.give(1, other).count).toBe(1);
  });

  it('is no longer waited for when the process has time left', async () => {
    const mine = hanging(1);
    fill(mine, subscriptionsOf('acme', 8));
    const room = mine.whenRoom(subscriptionRow());
    mine.load.now = 0.7;
    expect(await room).toBe(false);
    expect(await mine.whenRoom(subscriptionRow())).toBe(false);
    // Not because of attempts that take too long: none is queued.
    expect(await mine.queued()).toEqual([]);
  });

  it('is not waited for when another process takes over', async () => {
    const mine = hanging(1);
    fill(mine, subscriptionsOf('acme', 8));
    const room = mine.whenRoom(subscriptionRow());
    mine.stop();
    await expect(room).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('is waited for by at most 64 events of an organisation', async () => {
    const mine = hanging(1);
    fill(mine, subscriptionsOf('acme', 8));
    const rooms = Array.from({ length: 65 }, () => mine.whenRoom(subscriptionRow()));
    expect(await Promise.race(rooms)).toBe(false);
    mine.stop();
    const outcomes = await Promise.allSettled(rooms);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(64);
  });

  it('that is freed in one turn is offered to one event of an organisation', async () => {
    const answered = Promise.withResolvers<Reply>();
    const mine = sending(() => answered.promise);
    const acme = subscriptionsOf('acme', 8);
    fill(mine, acme);
    let proceeded = 0;
    const first = Promise.withResolvers<void>();
    const takesAll = async () => {
      await mine.whenRoom(subscriptionRow());
      proceeded += 1;
      fill(mine, acme);
      first.resolve();
    };
    for (let waiting = 0; waiting < 3; waiting += 1) void takesAll();
    answered.resolve(OK);
    await first.promise;
    expect(proceeded).toBe(1);
  });
});
