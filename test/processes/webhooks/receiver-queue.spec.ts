/** Who is served next, without a receiver or a database. */
import { describe, expect, it } from 'vitest';
import { FairScheduler, type RunningAttempt } from '../../../src/processes/webhooks/schedule.ts';
import { ReceiverQueue } from '../../../src/processes/webhooks/receiver-queue.ts';
import {
  WEBHOOK_ATTEMPTS_AT_ONCE_MAX,
  WEBHOOK_ORIGIN_ATTEMPTS_AT_ONCE_MAX,
  WEBHOOK_SLOW_MS,
  WEBHOOK_WINDOW_FIRST,
  WEBHOOK_WINDOW_MAX,
} from '../../../src/processes/webhooks/limits.ts';
import { PENDING_REQUEST } from '../../support/webhooks/subscription.ts';
import type { SubscriptionView } from '../../../src/domain/webhooks/subscription/view.ts';

const queueOf = (
  webhookId: string,
  url: string,
  over: Partial<SubscriptionView> = {},
): ReceiverQueue =>
  new ReceiverQueue(
    { webhookId, organisationId: webhookId, url, pausedAt: null, ...over } as SubscriptionView,
    0,
  );

const holding = (queue: ReceiverQueue, count: number): ReceiverQueue => {
  for (let at = 0; at < count; at += 1)
    queue.add({
      request: { ...PENDING_REQUEST, messageId: `${queue.webhookId}/${at}` },
      signal: new AbortController().signal,
      isDirect: false,
      cause: () => undefined,
      record: () => null,
      dropped: () => {},
      failed: () => {},
    });
  return queue;
};

const turns = () => {
  const started: RunningAttempt[] = [];
  const clock = { ms: 0 };
  const served = new FairScheduler({
    start: (running) => started.push(running),
    later: () => {},
    nextTurn: () => {},
    startedPerTurnMax: { ofOrganisation: Infinity, inAll: Infinity },
    nowMs: () => clock.ms,
  });
  const ids = () => started.map(({ attempt }) => attempt.request.messageId);
  return { started, clock, served, ids };
};

describe('a receiver queue', () => {
  it('is served in order, with its window as concurrency limit', () => {
    const { served, ids, started } = turns();
    const queue = holding(queueOf('a', 'https://a.example.org/'), 6);
    served.offer(queue);
    served.serve();
    expect(ids()).toEqual(['a/0', 'a/1', 'a/2', 'a/3']);
    served.end(started[2]!);
    served.serve();
    expect(ids().at(-1)).toBe('a/4');
  });

  it('grows its window by one after a success, and halves it after a failure', () => {
    const queue = queueOf('a', 'https://a.example.org/');
    expect(queue.window).toBe(WEBHOOK_WINDOW_FIRST);
    for (let count = 0; count < 100; count += 1) queue.adapt(true);
    expect(queue.window).toBe(WEBHOOK_WINDOW_MAX);
    queue.adapt(false);
    expect(queue.window).toBe(WEBHOOK_WINDOW_MAX / 2);
    for (let count = 0; count < 10; count += 1) queue.adapt(false);
    expect(queue.window).toBe(1);
  });

  it('that is paused is served one at a time', () => {
    const { served, ids } = turns();
    const queue = holding(
      queueOf('a', 'https://a.example.org/', { pausedAt: '2026-03-02T12:00:00.000Z' }),
      3,
    );
    expect(queue.concurrency).toBe(1);
    expect(queue.room).toBe(1);
    served.offer(queue);
    served.serve();
    expect(ids()).toEqual(['a/0']);
  });
});

it('takes turns with other receiver queues, however long they are', () => {
  const { served, ids } = turns();
  for (const name of ['a', 'b', 'c'])
    served.offer(holding(queueOf(name, `https://${name}.example.org/`), name === 'a' ? 100 : 2));
  served.serve();
  expect(ids().slice(0, 6)).toEqual(['a/0', 'b/0', 'c/0', 'a/1', 'b/1', 'c/1']);
});

it('gives one origin only its share, over all of its subscriptions', () => {
  const { served, started } = turns();
  for (let count = 0; count < 20; count += 1)
    served.offer(holding(queueOf(`a${count}`, 'https://a.example.org/hook'), 10));
  served.offer(holding(queueOf('b', 'https://b.example.org/'), 1));
  served.serve();
  const ofA = started.filter(({ queue }) => queue.origin === 'https://a.example.org');
  expect(ofA).toHaveLength(WEBHOOK_ORIGIN_ATTEMPTS_AT_ONCE_MAX);
  expect(started).toHaveLength(ofA.length + 1);
  served.end(ofA[0]!);
  served.serve();
  expect(started).toHaveLength(ofA.length + 2);
});

describe('attempts that have turned out to be slow', () => {
  const filled = () => {
    const all = turns();
    for (let count = 0; count < 100; count += 1)
      all.served.offer(holding(queueOf(`slow${count}`, `https://slow${count}.example.org/`), 4));
    all.served.serve();
    expect(all.started).toHaveLength(WEBHOOK_ATTEMPTS_AT_ONCE_MAX);
    return all;
  };

  it('keep no place from others', () => {
    const { served, started, clock } = filled();
    served.offer(holding(queueOf('b', 'https://b.example.org/'), 1));
    served.serve();
    expect(started.some(({ queue }) => queue.webhookId === 'b')).toBe(false);
    clock.ms = WEBHOOK_SLOW_MS + 1;
    served.sweep(WEBHOOK_SLOW_MS);
    expect(started.some(({ queue }) => queue.webhookId === 'b')).toBe(true);
  });

  it('keep none of their origin from its others', () => {
    const { served, started, clock } = turns();
    for (let count = 0; count < 40; count += 1)
      served.offer(holding(queueOf(`slow${count}`, 'https://a.example.org/'), 4));
    served.offer(holding(queueOf('b', 'https://a.example.org/'), 1));
    served.serve();
    expect(started.filter(({ queue }) => queue.webhookId === 'b')).toHaveLength(0);
    clock.ms = WEBHOOK_SLOW_MS + 1;
    served.sweep(WEBHOOK_SLOW_MS);
    expect(started.filter(({ queue }) => queue.webhookId === 'b')).toHaveLength(1);
  });

  it('give their place back once, whenever they end', () => {
    const { served, started, clock } = filled();
    clock.ms = WEBHOOK_SLOW_MS + 1;
    served.sweep(WEBHOOK_SLOW_MS);
    for (const running of started.slice()) {
      expect(served.end(running)).toBe(true);
      expect(served.end(running)).toBe(false);
    }
    served.serve();
    while (started.length < 400) {
      const running = started.at(-1)!;
      served.end(running);
      served.serve();
    }
    for (const running of started) served.end(running);
    expect(served.runningCount).toBe(0);
  });
});
