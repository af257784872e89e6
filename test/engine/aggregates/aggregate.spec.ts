import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { locationAfter } from '../../../src/domain/tickets/location-patch.ts';
import { ticketDecider } from '../../../src/domain/tickets/ticket.ts';
import { viewAfter } from '../../../src/domain/tickets/view.ts';
import { aggregate } from '../../../src/engine/aggregates/aggregate.ts';
import { ticketCodec } from '../../../src/domain/tickets/codecs.ts';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { noon } from '../../support/domain/specify.ts';
import { acme, draft, edit } from '../../support/domain/tickets.ts';
import { letPass } from '../../support/until.ts';

const id = draft.ticketId;
const commandId = '1d0c1a52-8c0e-4f0c-9d39-2f4a6f6f1d11';
const ticketsIn = (log: EventStore) =>
  aggregate({
    log,
    category: 'ticket',
    codec: ticketCodec,
    decider: ticketDecider,
    viewAfter,
  });

/** Reads span several turns of the event loop, as they do over a network. */
const slow = (log: EventStore): EventStore => {
  const slowed = Object.create(log) as EventStore;
  slowed.readStream = async (stream, range) => {
    const page = await log.readStream(stream, range);
    await letPass(1, 'a slow log');
    return page;
  };
  slowed.append = log.append.bind(log);
  slowed.compare = log.compare.bind(log);
  return slowed;
};

/** The same command twice at the same moment, with a different ticket number each. */
const openTwice = (log: EventStore, hashes: readonly [string, string] = ['a', 'a']) => {
  const tickets = ticketsIn(slow(log));
  const open = (number: string, bodyHash: string) =>
    tickets.give(
      id,
      { commandId, bodyHash, command: { type: 'OpenTicket', draft: { ...draft, number } } },
      noon,
    );
  return Promise.allSettled([open('SR-000001', hashes[0]), open('SR-000002', hashes[1])]);
};

describe('a command whose append is sent again after a lost answer', () => {
  const resending = () => {
    const log = memoryEventStore();
    const resent = Object.create(log) as EventStore;
    resent.append = async (...append) => {
      await log.append(...append);
      return log.append(...append);
    };
    return ticketsIn(resent);
  };
  const command = { type: 'OpenTicket', draft } as const;

  it('is answered as recorded where it has no name: its caller alone gave it', async () => {
    const { replayed, recorded } = await resending().give(id, { commandId, command }, noon);
    expect([replayed, recorded.length]).toEqual([false, 1]);
  });

  it('is answered as a replay where it has one', async () => {
    const named = { commandId, bodyHash: 'a', command };
    const { replayed, recorded } = await resending().give(id, named, noon);
    expect([replayed, recorded.length]).toEqual([true, 0]);
  });
});

describe('one command given twice concurrently', () => {
  it('without a name decides differently: the stored decision counts for both', async () => {
    const log = memoryEventStore();
    const tickets = ticketsIn(slow(log));
    const open = (number: string) =>
      tickets.give(
        id,
        { commandId, command: { type: 'OpenTicket', draft: { ...draft, number } } },
        noon,
      );
    const answers = await Promise.all([open('SR-000001'), open('SR-000002')]);
    const stored = await ticketsIn(log).look(id);
    expect(answers.map(({ view }) => view)).toEqual([stored!.view, stored!.view]);
    expect((await tickets.look(id))!.view).toEqual(stored!.view);
  });

  it('is answered twice with the recorded view, once as a replay', async () => {
    const log = memoryEventStore();
    const answers = (await openTwice(log)).map((answer) =>
      answer.status === 'fulfilled' ? answer.value : answer.reason,
    );
    const stored = await ticketsIn(log).look(id);
    expect(answers.map(({ view }) => view)).toEqual([stored!.view, stored!.view]);
    expect(answers.map(({ replayed }) => replayed)).toEqual([false, true]);
    expect(answers.map(({ recorded }) => recorded.length)).toEqual([1, 0]);
  });

  it('caches only the state that the log has', async () => {
    const log = memoryEventStore();
    const tickets = ticketsIn(slow(log));
    const open = (number: string) =>
      tickets.give(
        id,
        { commandId, command: { type: 'OpenTicket', draft: { ...draft, number } } },
        noon,
      );
    await Promise.all([open('SR-000001'), open('SR-000002')]);
    expect((await tickets.look(id))!.view).toEqual((await ticketsIn(log).look(id))!.view);
  });

  it('is refused with another body', async () => {
    const answers = await openTwice(memoryEventStore(), ['a', 'b']);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(answers[1]).toMatchObject({
      reason: { refusal: { refused: 'IDEMPOTENCY_KEY_REUSED' } },
    });
  });
});

describe('a command that lost a race', () => {
  it("is decided again on the winner's state", async () => {
    const log = memoryEventStore();
    const [tickets, ofAnotherProcess] = [ticketsIn(log), ticketsIn(log)];
    const room = {
      storeyId: '2b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22',
      spaceId: '3b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22',
      elementId: null,
    };
    await tickets.give(id, { commandId, command: { type: 'OpenTicket', draft } }, noon);

    let moved = false;
    const command = async () => {
      const { view } = (await tickets.look(id))!;
      if (!moved) {
        moved = true;
        const before = { commandId: randomUUID(), command: edit({ location: room }) };
        await ofAnotherProcess.give(id, before, noon);
      }
      const after = locationAfter({ elementId: null }, view);
      if (after === null || !('location' in after)) throw new Error('not a clearing');
      return edit({ location: after.location, subject: 'seen' });
    };
    await tickets.give(id, { commandId: randomUUID(), command }, noon);
    expect((await tickets.look(id))!.view).toMatchObject({ ...room, subject: 'seen' });
  });
});

describe('many concurrent commands on one aggregate', () => {
  it('are all executed, however many', async () => {
    const log = memoryEventStore();
    const tickets = ticketsIn(slow(log));
    await tickets.give(id, { commandId, command: { type: 'OpenTicket', draft } }, noon);
    const crowd = Array.from({ length: 50 }, (_, index) =>
      tickets.give(id, { commandId: randomUUID(), command: edit({ subject: `s${index}` }) }, noon),
    );
    await Promise.all(crowd);
    expect((await tickets.look(id))!.revision).toBe(50);
  });

  it('are not overtaken by later commands', async () => {
    const log = memoryEventStore();
    const tickets = ticketsIn(log);
    await tickets.give(id, { commandId, command: { type: 'OpenTicket', draft } }, noon);
    const others = ticketsIn(log);
    const decided: string[] = [];
    const change = (subject: string, meanwhile: () => unknown) => {
      const command = async () => {
        decided.push(subject);
        await meanwhile();
        return edit({ subject });
      };
      return tickets.give(id, { commandId: randomUUID(), command }, noon);
    };
    const later: Promise<unknown>[] = [];
    await change('first', async () => {
      if (decided.length === 1)
        await others.give(id, { commandId: randomUUID(), command: edit({ subject: 'x' }) }, noon);
      else later.push(change('later', () => undefined));
      await letPass(5, 'time in which the later one could decide');
    });
    await Promise.all(later);
    expect(decided).toEqual(['first', 'first', 'later']);
  });

  it('continue after a refused one', async () => {
    const tickets = ticketsIn(slow(memoryEventStore()));
    await tickets.give(id, { commandId, command: { type: 'OpenTicket', draft } }, noon);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () =>
        tickets.give(
          id,
          {
            commandId: randomUUID(),
            command: { type: 'TransitionTicket', authority: acme, to: 'triaged' },
          },
          noon,
        ),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await tickets.look(id))!.revision).toBe(1);
  });
});

it('keeps no more folds than fit its bytes, with what only their states hold', async () => {
  const log = memoryEventStore();
  let firstReads = 0;
  const watched = Object.create(log) as EventStore;
  watched.readStream = (stream, range) => {
    if (range?.from === 0) firstReads += 1;
    return log.readStream(stream, range);
  };
  const sized = (stateBytes: number) =>
    aggregate({
      log: watched,
      category: 'ticket',
      codec: ticketCodec,
      decider: ticketDecider,
      viewAfter,
      cachedBytesMax: 1_000_000,
      stateBytes: () => stateBytes,
    });
  const opened = [randomUUID(), randomUUID()];
  for (const ticketId of opened) {
    const command = { type: 'OpenTicket', draft: { ...draft, ticketId } } as const;
    await ticketsIn(log).give(ticketId, { commandId: randomUUID(), command }, noon);
  }
  const readAnew = async (stateBytes: number) => {
    const tickets = sized(stateBytes);
    firstReads = 0;
    for (const ticketId of [...opened, ...opened]) await tickets.look(ticketId);
    return firstReads;
  };
  expect(await readAnew(0)).toBe(2);
  expect(await readAnew(600_000)).toBe(4);
});

it('folds a stream again once its fold is too old, also if that was extended since', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const log = memoryEventStore();
  const reads = vi.spyOn(log, 'readStream');
  const tickets = aggregate({
    log,
    category: 'ticket',
    codec: ticketCodec,
    decider: ticketDecider,
    viewAfter,
    cachedMs: 1_000,
  });
  const open = { commandId, command: { type: 'OpenTicket', draft } } as const;
  await tickets.give(id, open, noon);
  vi.advanceTimersByTime(600);
  await tickets.give(id, { commandId: randomUUID(), command: edit({ subject: 'x' }) }, noon);
  vi.advanceTimersByTime(600);
  await tickets.look(id);
  expect(reads.mock.calls.map(([, range]) => range?.from)).toEqual([0, 1, 0]);
});
