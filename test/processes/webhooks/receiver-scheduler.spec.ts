/** Who is served next, without a receiver or a database. */
import { describe, expect, it } from 'vitest';
import { FairScheduler, type Place } from '../../../src/processes/webhooks/fair-scheduler.ts';
import {
  adapt,
  hold,
  newLane,
  roomOf,
  windowOf,
  type Lane,
} from '../../../src/processes/webhooks/receiver-scheduler.ts';
import {
  WEBHOOK_ATTEMPTS_AT_ONCE_MAX,
  WEBHOOK_ORIGIN_ATTEMPTS_AT_ONCE_MAX,
  WEBHOOK_SLOW_MS,
  WEBHOOK_WINDOW_FIRST,
  WEBHOOK_WINDOW_MAX,
} from '../../../src/processes/webhooks/limits.ts';
import type { SubscriptionView } from '../../../src/domain/webhooks/subscription/view.ts';

const laneOf = (webhookId: string, url: string, over: Partial<SubscriptionView> = {}): Lane =>
  newLane(
    { webhookId, organisationId: webhookId, url, pausedAt: null, ...over } as SubscriptionView,
    0,
  );

const holding = (lane: Lane, count: number): Lane => {
  for (let at = 0; at < count; at += 1)
    hold(lane, {
      outgoing: { ...OUTGOING, messageId: `${lane.webhookId}/${at}` },
      signal: new AbortController().signal,
      isFresh: false,
      cause: () => undefined,
      record: () => null,
      dropped: () => {},
      failed: () => {},
    });
  return lane;
};

const OUTGOING = { idempotencyKey: '', body: Buffer.alloc(0), attempt: 1 };

const turns = () => {
  const started: Place[] = [];
  const clock = { ms: 0 };
  const served = new FairScheduler({
    start: (place) => started.push(place),
    later: () => {},
    nextTurn: () => {},
    begunATurnMax: { ofOrganisation: Infinity, inAll: Infinity },
    nowMs: () => clock.ms,
  });
  const ids = () => started.map(({ work }) => work.outgoing.messageId);
  return { started, clock, served, ids };
};

describe('a lane', () => {
  it('is served in its order, as many at once as its window', () => {
    const { served, ids, started } = turns();
    const lane = holding(laneOf('a', 'https://a.example.org/'), 6);
    served.offer(lane);
    served.serve();
    expect(ids()).toEqual(['a/0', 'a/1', 'a/2', 'a/3']);
    served.end(started[2]!);
    served.serve();
    expect(ids().at(-1)).toBe('a/4');
  });

  it('gets one more at once after each success, and half after a failure', () => {
    const lane = laneOf('a', 'https://a.example.org/');
    expect(lane.window).toBe(WEBHOOK_WINDOW_FIRST);
    for (let count = 0; count < 100; count += 1) adapt(lane, true);
    expect(lane.window).toBe(WEBHOOK_WINDOW_MAX);
    adapt(lane, false);
    expect(lane.window).toBe(WEBHOOK_WINDOW_MAX / 2);
    for (let count = 0; count < 10; count += 1) adapt(lane, false);
    expect(lane.window).toBe(1);
  });

  it('that is paused is served one at a time', () => {
    const { served, ids } = turns();
    const lane = holding(
      laneOf('a', 'https://a.example.org/', { pausedAt: '2026-03-02T12:00:00.000Z' }),
      3,
    );
    expect(windowOf(lane)).toBe(1);
    expect(roomOf(lane)).toBe(1);
    served.offer(lane);
    served.serve();
    expect(ids()).toEqual(['a/0']);
  });
});

it('lets lanes take turns, however much one of them holds', () => {
  const { served, ids } = turns();
  for (const name of ['a', 'b', 'c'])
    served.offer(holding(laneOf(name, `https://${name}.example.org/`), name === 'a' ? 100 : 2));
  served.serve();
  expect(ids().slice(0, 6)).toEqual(['a/0', 'b/0', 'c/0', 'a/1', 'b/1', 'c/1']);
});

it('gives one origin no more than its share, whatever its subscriptions', () => {
  const { served, started } = turns();
  for (let count = 0; count < 20; count += 1)
    served.offer(holding(laneOf(`a${count}`, 'https://a.example.org/hook'), 10));
  served.offer(holding(laneOf('b', 'https://b.example.org/'), 1));
  served.serve();
  const ofA = started.filter(({ lane }) => lane.origin === 'https://a.example.org');
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
      all.served.offer(holding(laneOf(`slow${count}`, `https://slow${count}.example.org/`), 4));
    all.served.serve();
    expect(all.started).toHaveLength(WEBHOOK_ATTEMPTS_AT_ONCE_MAX);
    return all;
  };

  it('keep no place from others', () => {
    const { served, started, clock } = filled();
    served.offer(holding(laneOf('b', 'https://b.example.org/'), 1));
    served.serve();
    expect(started.some(({ lane }) => lane.webhookId === 'b')).toBe(false);
    clock.ms = WEBHOOK_SLOW_MS + 1;
    served.sweep(WEBHOOK_SLOW_MS);
    expect(started.some(({ lane }) => lane.webhookId === 'b')).toBe(true);
  });

  it('keep none of their origin from its others', () => {
    const { served, started, clock } = turns();
    for (let count = 0; count < 40; count += 1)
      served.offer(holding(laneOf(`slow${count}`, 'https://a.example.org/'), 4));
    served.offer(holding(laneOf('b', 'https://a.example.org/'), 1));
    served.serve();
    expect(started.filter(({ lane }) => lane.webhookId === 'b')).toHaveLength(0);
    clock.ms = WEBHOOK_SLOW_MS + 1;
    served.sweep(WEBHOOK_SLOW_MS);
    expect(started.filter(({ lane }) => lane.webhookId === 'b')).toHaveLength(1);
  });

  it('give their place back once, whenever they end', () => {
    const { served, started, clock } = filled();
    clock.ms = WEBHOOK_SLOW_MS + 1;
    served.sweep(WEBHOOK_SLOW_MS);
    for (const place of started.slice()) {
      expect(served.end(place)).toBe(true);
      expect(served.end(place)).toBe(false);
    }
    served.serve();
    while (started.length < 400) {
      const place = started.at(-1)!;
      served.end(place);
      served.serve();
    }
    for (const place of started) served.end(place);
    expect(served.underWay).toBe(0);
  });
});
