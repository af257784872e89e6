/** How organisations share origins, hosts and the process, without a receiver or a database. */
import { describe, expect, it } from 'vitest';
import { FairScheduler, type RunningAttempt } from '../../../src/processes/webhooks/schedule.ts';
import { ReceiverQueue } from '../../../src/processes/webhooks/receiver-queue.ts';
import {
  WEBHOOK_HOST_ATTEMPTS_PER_SECOND,
  WEBHOOK_HOST_BURST_ATTEMPTS,
  WEBHOOK_ORGANISATION_ATTEMPTS_AT_ONCE_MAX,
  WEBHOOK_ORGANISATION_SLOW_ATTEMPTS_MAX,
  WEBHOOK_SHARE_ATTEMPTS_AT_ONCE_MAX,
  WEBHOOK_ATTEMPTS_AT_ONCE_MAX,
  WEBHOOK_ORIGIN_ATTEMPTS_AT_ONCE_MAX,
  WEBHOOK_SLOW_MS,
  WEBHOOK_WINDOW_MAX,
} from '../../../src/processes/webhooks/limits.ts';
import { PENDING_REQUEST, subscriptionRow } from '../../support/webhooks/subscription.ts';

const queueOf = (organisationId: string, url: string, count: number): ReceiverQueue => {
  const queue = new ReceiverQueue(subscriptionRow({ organisationId, url }), 0);
  queue.window = WEBHOOK_WINDOW_MAX;
  for (let at = 0; at < count; at += 1)
    queue.add({
      request: { ...PENDING_REQUEST, messageId: `${at}` },
      signal: new AbortController().signal,
      isDirect: false,
      cause: () => undefined,
      record: () => null,
      dropped: () => {},
      failed: () => {},
    });
  return queue;
};

/** A scheduler under a fake clock, whose timers fire as it moves. */
const scheduling = (startedPerTurnMax = { ofOrganisation: Infinity, inAll: Infinity }) => {
  const turns: (() => void)[] = [];
  const running: RunningAttempt[] = [];
  const begun: RunningAttempt[] = [];
  const clock = { ms: 0, perReadingMs: 0 };
  const timers: { readonly at: number; readonly act: () => void }[] = [];
  const scheduler = new FairScheduler({
    start(attempt) {
      running.push(attempt);
      begun.push(attempt);
    },
    later: (ms, act) => timers.push({ at: clock.ms + ms, act }),
    nextTurn: (act) => turns.push(act),
    startedPerTurnMax,
    nowMs: () => (clock.ms += clock.perReadingMs),
  });
  const give = (...queues: readonly ReceiverQueue[]) => {
    for (const queue of queues) scheduler.offer(queue);
    scheduler.serve();
  };
  return {
    begun,
    running,
    clock,
    give,
    flood: (organisation: string, urls: readonly string[], count = 1_000) =>
      give(...urls.map((url) => queueOf(organisation, url, count))),
    of: (organisation: string, attempts: readonly RunningAttempt[] = running) =>
      attempts.filter(({ queue }) => queue.subscription.organisationId === organisation).length,
    /** Ends all attempts under way. */
    endAll() {
      for (const attempt of running.splice(0)) scheduler.end(attempt);
      scheduler.serve();
    },
    endOne(isWanted: (running: RunningAttempt) => boolean) {
      const at = running.findIndex(isWanted);
      scheduler.end(running.splice(at, 1)[0]!);
      scheduler.serve();
    },
    pass(ms: number) {
      clock.ms += ms;
      for (const timer of timers.splice(0))
        if (timer.at <= clock.ms) timer.act();
        else timers.push(timer);
    },
    sweep: () => scheduler.sweep(WEBHOOK_SLOW_MS),
    /** Advances the event loop to its next turn. */
    turn() {
      for (const act of turns.splice(0)) act();
    },
  };
};

const hosts = (count: number) =>
  Array.from({ length: count }, (_, index) => `https://h${index}.example.org/`);
const SHARED = 'https://shared.example.org/';

describe('a turn of the event loop', () => {
  it('begins few attempts, and the others in later turns', () => {
    const all = scheduling({ ofOrganisation: 3, inAll: 3 });
    all.flood('a', hosts(8), 1);
    expect(all.begun).toHaveLength(3);
    all.endOne(() => true);
    expect(all.begun).toHaveLength(3);
    all.flood('b', ['https://b.example.org/'], 1);
    all.turn();
    expect(all.begun).toHaveLength(6);
    // The organisations still take turns.
    expect(all.of('b')).toBe(1);
    all.turn();
    expect(all.begun).toHaveLength(9);
    // A turn in which none was begun asks for no other.
    all.turn();
    all.flood('c', ['https://c.example.org/'], 1);
    expect(all.of('c')).toBe(1);
  });

  it('begins fewer of one organisation than of all', () => {
    const all = scheduling({ ofOrganisation: 2, inAll: 5 });
    all.flood('a', hosts(8), 1);
    expect(all.begun).toHaveLength(2);
    all.flood('b', [SHARED], 3);
    all.flood('c', [SHARED], 3);
    expect(['a', 'b', 'c'].map((one) => all.of(one))).toEqual([2, 2, 1]);
    for (let turn = 0; turn < 4; turn += 1) all.turn();
    expect(['a', 'b', 'c'].map((one) => all.of(one))).toEqual([8, 3, 3]);
  });

  it("resumes deliveries waiting for a host after their organisation's turn limit", () => {
    const all = scheduling({ ofOrganisation: 2, inAll: Infinity });
    const ports = Array.from({ length: 30 }, (_, at) => `https://h.example.org:${at + 1_000}/`);
    all.flood('a', ports, 50);
    for (let turn = 0; turn < 1_000; turn += 1) {
      all.turn();
      all.endAll();
      all.pass(1);
    }
    expect(all.begun.length).toBeGreaterThan(900);
  });
});

describe('a flood of one organisation', () => {
  it('leaves half of the places to others', () => {
    const all = scheduling();
    all.flood('a', hosts(40));
    expect(all.of('a')).toBe(WEBHOOK_ORGANISATION_ATTEMPTS_AT_ONCE_MAX);
    all.flood('b', ['https://b.example.org/'], 1);
    expect(all.of('b')).toBe(1);
  });

  it('leaves places at a shared origin to others', () => {
    const all = scheduling();
    all.flood(
      'a',
      Array.from({ length: 10 }, () => SHARED),
    );
    expect(all.of('a')).toBe(WEBHOOK_SHARE_ATTEMPTS_AT_ONCE_MAX);
    all.flood('b', [SHARED], 3);
    expect(all.of('b')).toBe(3);
  });

  it('does not come before one delivery of another at a full origin', () => {
    const all = scheduling();
    for (const organisation of ['a', 'b', 'c']) all.flood(organisation, [SHARED, SHARED]);
    expect(all.begun).toHaveLength(WEBHOOK_ORIGIN_ATTEMPTS_AT_ONCE_MAX);
    all.flood('d', [SHARED], 1);
    expect(all.of('d')).toBe(0);
    for (let count = 0; count < 4; count += 1)
      all.endOne(({ queue }) => queue.subscription.organisationId !== 'd');
    expect(all.of('d')).toBe(1);
  });

  it('of a thousand lanes gets one turn for each turn of another', () => {
    const all = scheduling();
    for (const organisation of ['x', 'y'])
      all.flood(
        organisation,
        hosts(40).map((url) => url.replace('//h', `//${organisation}`)),
      );
    expect(all.begun).toHaveLength(WEBHOOK_ATTEMPTS_AT_ONCE_MAX);
    all.flood('a', hosts(1_000), 4);
    all.flood('b', ['https://b.example.org/'], 4);
    const before = all.begun.length;
    for (let count = 0; count < 8; count += 1)
      all.endOne(({ queue }) => ['x', 'y'].includes(queue.subscription.organisationId));
    expect(all.of('b', all.begun.slice(before))).toBeGreaterThanOrEqual(2);
  });

  it('that hangs leaves slow places to others', () => {
    const all = scheduling();
    for (let round = 0; round < 20; round += 1) {
      all.flood(
        'a',
        hosts(40).map((url) => `${url}${round}`),
        16,
      );
      all.clock.ms += WEBHOOK_SLOW_MS + 1;
      all.sweep();
    }
    const slow = all.begun.filter(({ slow: isSlow }) => isSlow);
    expect(slow).toHaveLength(WEBHOOK_ORGANISATION_SLOW_ATTEMPTS_MAX);
    all.flood('b', ['https://b.example.org/'], 1);
    expect(all.of('b')).toBe(1);
  });
});

describe('the rate of a host', () => {
  const drain = (all: ReturnType<typeof scheduling>, ms: number) => {
    for (let passed = 0; passed < ms; passed += 1) {
      all.pass(1);
      all.endAll();
    }
  };

  it('holds for all ports, origins and organisations together', () => {
    const all = scheduling();
    for (const organisation of ['a', 'b', 'c'])
      all.flood(organisation, [SHARED, 'https://shared.example.org:8443/'], 10_000);
    drain(all, 3_000);
    const most = WEBHOOK_HOST_BURST_ATTEMPTS + 3 * WEBHOOK_HOST_ATTEMPTS_PER_SECOND;
    expect(all.begun.length).toBeLessThanOrEqual(most);
    expect(all.begun.length).toBeGreaterThan(most - 20);
  });

  it('is shared equally by the organisations that wait for it', () => {
    const all = scheduling();
    all.flood(
      'a',
      Array.from({ length: 10 }, () => SHARED),
      10_000,
    );
    drain(all, 2_000);
    const before = all.begun.length;
    all.flood('b', [SHARED], 10_000);
    drain(all, 1_000);
    const [a, b] = ['a', 'b'].map((one) => all.of(one, all.begun.slice(before)));
    expect(Math.abs(a! - b!)).toBeLessThan(10);
  });

  it('delays nothing to other hosts', () => {
    const all = scheduling();
    all.flood('a', [SHARED, SHARED], 10_000);
    drain(all, 2_000);
    all.flood('a', ['https://other.example.org/'], 1);
    all.flood('b', ['https://b.example.org/'], 1);
    expect(all.begun.slice(-2).map(({ queue }) => queue.host)).toEqual([
      'other.example.org',
      'b.example.org',
    ]);
  });

  it('ends with every delivery begun, in any order of completion', () => {
    const all = scheduling();
    for (let index = 0; index < 30; index += 1)
      all.flood(
        `o${index % 7}`,
        [index % 3 === 0 ? SHARED : `https://h${index}.example.org/`],
        100,
      );
    for (let passed = 0; passed < 10_000 && all.begun.length < 3_000; passed += 1) {
      all.pass(1);
      all.endOne(() => true);
    }
    expect(all.begun).toHaveLength(3_000);
  });

  it('is waited for although an attempt becomes due between two readings of the clock', () => {
    for (let perReadingMs = 0.1; perReadingMs < 3; perReadingMs += 0.1) {
      const all = scheduling();
      all.flood('a', [SHARED], 2_000);
      all.clock.perReadingMs = perReadingMs;
      for (let passed = 0; passed < 10_000 && all.begun.length < 1_500; passed += 1) {
        all.pass(0.5);
        while (all.running.length > 0) all.endOne(() => true);
      }
      expect(all.begun.length, `${perReadingMs} ms a reading`).toBeGreaterThanOrEqual(1_500);
    }
  });

  it('is that of the new host once the URL has changed', () => {
    const all = scheduling();
    const queue = queueOf('a', SHARED, 20_000);
    all.give(queue);
    drain(all, 2_000);
    queue.update({ ...queue.subscription, url: 'https://new.example.org/' });
    const before = all.begun.length;
    drain(all, 100);
    expect(all.begun.length - before).toBeGreaterThan(WEBHOOK_HOST_BURST_ATTEMPTS);
  });
});
