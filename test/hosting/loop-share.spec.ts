import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { loopShare, type LoopShare } from '../../src/hosting/loop-share.ts';

/** Of a clock that only work moves. */
let nowMs = 0;
let computedMs = 0;
const work = (ms: number) => {
  nowMs += ms;
  computedMs += ms;
};
const SHARE = 0.25;
const BURST_MS = 100;
let share: LoopShare;
beforeEach(() => {
  [nowMs, computedMs] = [0, 0];
  const clocks = { now: () => nowMs, computed: () => computedMs };
  share = loopShare({ share: SHARE, burstMs: BURST_MS, ...clocks });
});

/** A turn of the loop in which so much is done, some of it in what follows from what arrived. */
const aTurn = async (ms: number) => {
  share.enter();
  work(ms / 2);
  const followed = async () => {
    await Promise.resolve();
    await Promise.resolve();
    work(ms / 2);
  };
  void followed();
  await turn();
};

describe('what a sandbox uses of the loop', () => {
  it('is what is done in its turns, and in what follows from them at once', async () => {
    await aTurn(BURST_MS + 10);
    // 110 used, a quarter of the 110 that went by paid back.
    expect(share.overdrawnMs()).toBe(0);
    await aTurn(40);
    expect(share.overdrawnMs()).toBe((150 * (1 - SHARE) - BURST_MS) / SHARE);
  });

  it('is counted once, however often a turn is entered', async () => {
    share.enter();
    share.enter();
    work(200);
    await turn();
    expect(share.overdrawnMs()).toBe((200 * (1 - SHARE) - BURST_MS) / SHARE);
  });

  it('is nothing of the time in which the machine does something else', async () => {
    share.enter();
    nowMs += 10_000;
    await turn();
    await aTurn(BURST_MS);
    expect(share.overdrawnMs()).toBe(0);
  });

  it('is nothing of what others do, who pay it back by the time that they take', async () => {
    await aTurn(200);
    const overdrawn = share.overdrawnMs();
    work(overdrawn);
    await turn();
    expect(share.overdrawnMs()).toBe(0);
    // As much as it may use at once is there again after it has been idle.
    work(BURST_MS / SHARE);
    await aTurn(BURST_MS);
    expect(share.overdrawnMs()).toBe(0);
  });
});

it('is used up by who does nothing else, for the rest of the time', async () => {
  let [used, turned] = [0, 0];
  for (let asked = 0; asked < 10_000; asked += 1) {
    if (share.overdrawnMs() > 0) {
      work(1);
      turned += 1;
    } else {
      await aTurn(1);
      used += 1;
    }
  }
  expect(used / (used + turned)).toBeCloseTo(SHARE, 1);
});

describe('background work of a sandbox', () => {
  const used = async (ms: number) => {
    // Paid back at once by a quarter of it.
    await aTurn(ms / (1 - SHARE));
  };
  const never = new AbortController().signal;

  it('goes ahead at once while less than half of the burst is used', async () => {
    await used(BURST_MS / 2 - 1);
    await share.turn(never);
    work(1);
    await turn();
    expect(share.overdrawnMs()).toBe(0);
  });

  it('waits for the rest, in its order, while requests have theirs', async () => {
    await used(BURST_MS / 2 + 1);
    const done: string[] = [];
    const waiting = ['first', 'second'].map(async (name) => {
      await share.turn(never);
      done.push(name);
    });
    await turn();
    expect(done).toEqual([]);
    // A request is not refused.
    expect(share.overdrawnMs()).toBe(0);
    nowMs += BURST_MS / SHARE;
    await Promise.all(waiting);
    expect(done).toEqual(['first', 'second']);
  });

  it('gets a slice after a bounded wait, though requests use all of the share', async () => {
    const clocks = { now: () => nowMs, computed: () => computedMs };
    share = loopShare({ share: SHARE, burstMs: BURST_MS, turnWaitMaxMs: 1, ...clocks });
    await used(1_000_000);
    await share.turn(never);
    expect(share.overdrawnMs()).toBeGreaterThan(0);
  });

  it('waits no longer once it is called off', async () => {
    await used(1_000_000);
    const ending = new AbortController();
    const waiting = share.turn(ending.signal);
    ending.abort();
    await waiting;
  });
});
