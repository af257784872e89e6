import { beforeEach, describe, expect, it, vi } from 'vitest';
import { APPENDS_NOT_READY_MS } from '../../../src/engine/limits.ts';
import {
  LogUnavailable,
  WrongRevision,
  type ChannelCalls,
  type EventStore,
} from '../../../src/engine/log/event-store.ts';
import { logWith } from '../../../src/engine/log/log-with.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { serialised } from '../../../src/engine/log/serialised.ts';
import { watchedAppends, type WatchedAppends } from '../../../src/engine/log/watched-appends.ts';
import { happened } from '../../support/log/events.ts';
import { unsteadyChannel } from '../../support/log/unsteady-channel.ts';

describe('a watched log', () => {
  let error: Error | null;
  /** Delays each append until it resolves. */
  let held: Promise<void> | null;
  let watched: WatchedAppends;
  beforeEach(() => {
    error = null;
    held = null;
    const memory = memoryEventStore();
    const log: EventStore = {
      ...memory,
      append: async (...given) => {
        const failure = error;
        await held;
        if (failure) throw failure;
        return memory.append(...given);
      },
    };
    watched = watchedAppends(log);
  });
  const append = () => watched.log.append('ticket-1', 'any', [happened('A')]);
  const fail = async (with_: Error) => {
    error = with_;
    await expect(append()).rejects.toBe(with_);
    error = null;
  };

  it('accepts appends until one has failed, and reports why', async () => {
    expect(watched.ready()).toBe(true);
    await append();
    expect(watched.ready()).toBe(true);
    await fail(new LogUnavailable('its disk is full'));
    expect(watched.ready()).toContain('its disk is full');
  });

  it('accepts them again as soon as one has succeeded', async () => {
    await fail(new LogUnavailable('its disk is full'));
    await append();
    expect(watched.ready()).toBe(true);
  });

  it('accepts them though an append fails that began before another succeeded', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    const late = fail(new LogUnavailable('no answer within 10000 ms'));
    held = null;
    error = null;
    await append();
    resolve();
    await late;
    expect(watched.ready()).toBe(true);
  });

  it('is probed again after a while without an append', async () => {
    await fail(new LogUnavailable('its disk is full'));
    const now = performance.now();
    vi.spyOn(performance, 'now').mockReturnValue(now + APPENDS_NOT_READY_MS + 1);
    expect(watched.ready()).toBe(true);
    vi.restoreAllMocks();
  });

  it('watches the appends over its channel as well', async () => {
    const memory = memoryEventStore();
    const channel = unsteadyChannel({ log: memory, chance: () => 0 });
    watched = watchedAppends(logWith(memory, { channel }));
    const events = serialised('ticket-1', [happened('A')]);
    const ask = <T>(work: (calls: ChannelCalls) => Promise<T>) =>
      watched.log.channel!.ask('a call', 1_000, work);
    const back = channel.goAway();
    await expect(ask((calls) => calls.revisionOf('ticket-1'))).rejects.toThrow(LogUnavailable);
    back();
    await ask((calls) => calls.revisionOf('ticket-1'));
    expect(watched.ready()).not.toBe(true);
    await ask((calls) => calls.append({ stream: 'ticket-1', expected: 'any', events }));
    expect(watched.ready()).toBe(true);
  });

  it('is not reported as failed where the writer was late', async () => {
    await fail(new WrongRevision('ticket-1', 1, 2));
    expect(watched.ready()).toBe(true);
  });
});
