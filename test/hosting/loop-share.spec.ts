import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { loopShare, type LoopShare } from '../../src/hosting/loop-share.ts';

/** A clock that only `work` advances. */
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

/** A turn of the loop with `ms` of work, half of it in microtasks of what arrived. */
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

describe("a sandbox's use of the event loop", () => {
  it('is the work in its turns, including their microtasks', async () => {
    await aTurn(BURST_MS + 10);
    // 110 used, of which a quarter of the elapsed 110 is paid back.
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

  it('excludes the time in which the machine does other work', async () => {
    share.enter();
    nowMs += 10_000;
    await turn();
    await aTurn(BURST_MS);
    expect(share.overdrawnMs()).toBe(0);
  });

  it('excludes the work of others, whose elapsed time pays it back', async () => {
    await aTurn(200);
    const overdrawn = share.overdrawnMs();
    work(overdrawn);
    await turn();
    expect(share.overdrawnMs()).toBe(0);
    // The whole burst is available again after an idle time.
    work(BURST_MS / SHARE);
    await aTurn(BURST_MS);
    expect(share.overdrawnMs()).toBe(0);
  });
});

it('limits a sandbox that never pauses to its share of the time', async () => {
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
    // A quarter of it is paid back by its own elapsed time.
    await aTurn(ms / (1 - SHARE));
  };
  const never = new AbortController().signal;

  it('runs at once while less than half of the burst is used', async () => {
    await used(BURST_MS / 2 - 1);
    await share.turn(never);
    work(1);
    await turn();
    expect(share.overdrawnMs()).toBe(0);
  });

  it('waits in FIFO order above half of the burst, while requests are still served', async () => {
    await used(BURST_MS / 2 + 1);
    const done: string[] = [];
    const waiting = ['first', 'second'].map(async (name) => {
      await share.turn(never);
      done.push(name);
    });
    await turn();
    expect(done).toEqual([]);
    // A request would not be refused.
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

  it('stops waiting once it is aborted', async () => {
    await used(1_000_000);
    const ending = new AbortController();
    const waiting = share.turn(ending.signal);
    ending.abort();
    await waiting;
  });
});
