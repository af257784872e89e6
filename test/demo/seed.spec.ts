/** The demo's tickets, opened under the organisation's configuration like any other. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seedDemo } from '../../src/demo/seed.ts';
import type { Configuration } from '../../src/domain/service-desk/configuration.ts';
import type { TicketView } from '../../src/domain/tickets/view.ts';
import { numberingCodec, ticketCodec } from '../../src/domain/tickets/codecs.ts';
import type { EventStore } from '../../src/engine/log/event-store.ts';
import { historyOf } from '../../src/engine/log/history.ts';
import { memoryEventStore } from '../../src/engine/log/memory/store.ts';
import { serviceDeskRepository } from '../../src/use-cases/service-desk/service-desks.ts';
import { ticketNumberSequence } from '../../src/use-cases/tickets/ticket-numbers.ts';
import { keyOf } from '../../src/engine/log/streams.ts';
import { freshGraph, type TestGraph } from '../support/postgres/building-graph.ts';
import { configured, rule } from '../support/domain/service-desk.ts';
import { noon } from '../support/domain/specify.ts';
import { clockAt } from '../support/log/keys.ts';
import { ticketRepository } from '../../src/use-cases/tickets/tickets.ts';

let test: TestGraph;
let log: EventStore;
beforeEach(async () => {
  test = await freshGraph();
  log = memoryEventStore();
});
afterEach(() => test.close());

/** As a process has them: with memories of its own. */
const process = () => ({
  register: () => Promise.resolve(),
  graph: test.graph,
  tickets: ticketRepository(log),
  desks: serviceDeskRepository(log),
  numbers: ticketNumberSequence({ log, codec: numberingCodec }),
});

const seed = (at = noon.at) => seedDemo(process(), clockAt(at));

const configure = (parts: Partial<Configuration>) =>
  process().desks.give(
    'acme',
    {
      commandId: '1d0c1a52-8c0e-4f0c-9d39-2f4a6f6f1d11',
      command: {
        type: 'ReplaceConfiguration',
        organisation: 'acme',
        configuration: configured(parts),
      },
      organisation: 'acme',
    },
    noon,
  );

const ticketStreams = async (): Promise<readonly string[]> => {
  const { events } = await log.readAll(null, { categories: ['ticket'], limit: 1000 });
  return [...new Set(events.map(({ stream }) => stream))];
};

/** In the order in which they were opened. */
const tickets = async (): Promise<readonly TicketView[]> => {
  const found = await Promise.all(
    (await ticketStreams()).map((stream) => process().tickets.look(keyOf(stream))),
  );
  return found.map((ticket) => ticket!.view);
};

/** The system notes on the tickets, in the same order. */
const systemNotes = async (): Promise<readonly (readonly string[])[]> =>
  Promise.all(
    (await ticketStreams()).map(async (stream) =>
      (await historyOf(log, ticketCodec, stream)).flatMap(({ event }) =>
        event.type === 'SystemNoteAdded' ? [event.body] : [],
      ),
    ),
  );

const shown = ({ number, priority, state, assignedTeamId }: TicketView) => [
  number,
  priority,
  state,
  assignedTeamId,
];

describe('the tickets of the demo', () => {
  it('are the processes’ business: these begin before the first of them', async () => {
    let ofBefore: readonly string[] = ['not asked yet'];
    const register = async () => {
      ofBefore = await ticketStreams();
    };
    await seedDemo({ ...process(), register }, clockAt(noon.at));
    expect(ofBefore).toEqual([]);
  });

  it('go their way where nothing is configured', async () => {
    await seed();
    expect((await tickets()).map(shown)).toEqual([
      ['SR-000001', 'medium', 'new', null],
      ['SR-000002', 'high', 'triaged', 'facility-team'],
      ['SR-000003', 'critical', 'in_progress', 'plumbers'],
      ['SR-000004', 'high', 'resolved', 'lift-contractor'],
      ['SR-000005', 'low', 'new', null],
    ]);
    const [first, , , lift] = await tickets();
    expect(first).toMatchObject({
      storeyId: expect.any(String),
      spaceId: expect.any(String),
      slaFirstResponseDueAt: '2026-03-02T16:00:00.000Z',
      slaResolutionDueAt: '2026-03-03T12:00:00.000Z',
      createdBy: { kind: 'system', id: 'demo' },
    });
    expect(lift).toMatchObject({ storeyId: null, spaceId: null });
  });

  it('pass the routing rules, and where these have brought them is where they go on', async () => {
    await configure({
      routingRules: [
        rule('triage', { match: { category: ['doors', 'plumbing', 'lifts'] }, triage: true }),
        rule('water', { match: { text: 'water' }, assignTeamId: 'night-shift', note: 'Hurry.' }),
        rule('light', { match: { category: 'lighting' }, raisePriorityTo: 'high' }),
        rule('warm', { match: { text: 'window desks' }, assignUserId: 'ana', triage: true }),
      ],
    });
    await seed();
    expect((await tickets()).map(shown)).toEqual([
      ['SR-000001', 'medium', 'triaged', null],
      ['SR-000002', 'high', 'triaged', 'facility-team'],
      ['SR-000003', 'critical', 'in_progress', 'night-shift'],
      ['SR-000004', 'high', 'resolved', 'lift-contractor'],
      ['SR-000005', 'high', 'new', null],
    ]);
    expect((await tickets())[0]!.assignedUserId).toBe('ana');
    expect(await systemNotes()).toEqual([[], [], ['Hurry.'], [], []]);
  });

  it('get the times of the SLA policies', async () => {
    await configure({
      slaPolicies: [
        {
          name: 'Lifts',
          match: { category: 'lifts' },
          firstResponseMinutes: 5,
          resolutionMinutes: 60,
        },
        { name: 'All', firstResponseMinutes: 30, resolutionMinutes: null },
      ],
    });
    await seed();
    const dues = (await tickets()).map((ticket) => [
      ticket.slaFirstResponseDueAt,
      ticket.slaResolutionDueAt,
    ]);
    const all = ['2026-03-02T12:30:00.000Z', null];
    const lifts = ['2026-03-02T12:05:00.000Z', '2026-03-02T13:00:00.000Z'];
    expect(dues).toEqual([all, all, all, lifts, all]);
  });

  it('are created once: a later start changes nothing, under any configuration', async () => {
    await seed();
    const before = await log.head();
    await seed('2026-03-09T12:00:00.000Z');
    expect(await log.head()).toEqual(before);

    await configure({ routingRules: [rule('all', { triage: true, note: 'Routed.' })] });
    const configuredAt = await log.head();
    await seed('2026-03-16T12:00:00.000Z');
    expect(await log.head()).toEqual(configuredAt);
  });

  it('are there once where two processes start at the same time', async () => {
    await Promise.all([seed(), seed()]);
    expect(await tickets()).toHaveLength(5);
    const opened = await log.readAll(null, { categories: ['ticket'], limit: 1000 });
    expect(opened.events.filter(({ type }) => type === 'TicketOpened')).toHaveLength(5);
  });

  it('are left as they are found, also where the start that opened them was cut off', async () => {
    const parts = process();
    const dying: typeof parts.tickets = {
      ...parts.tickets,
      give: (id, given, occasion) => {
        // The first step after an opening.
        if (typeof given.command === 'object') throw new Error('killed');
        return parts.tickets.give(id, given, occasion);
      },
    };
    await expect(seedDemo({ ...parts, tickets: dying }, clockAt(noon.at))).rejects.toThrow(
      /^killed$/,
    );
    await seed();
    expect((await tickets()).map(({ state }) => state)).toEqual([
      'new',
      'new',
      'in_progress',
      'resolved',
      'new',
    ]);
  });
});
