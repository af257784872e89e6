/** The cache of folded tickets is bounded in bytes, for tickets of any permitted size. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TicketCommand, TicketDraft } from '../../../src/domain/tickets/commands.ts';
import { ticketDecider } from '../../../src/domain/tickets/ticket.ts';
import { viewAfter } from '../../../src/domain/tickets/view.ts';
import { ticketChanges } from '../../../src/projections/tickets/feed/changes.ts';
import { FREE_FORM_BYTES_MAX } from '../../../src/domain/tickets/limits.ts';
import {
  AGGREGATES_CACHED_BYTES_MAX,
  PROJECTION_ROWS_CACHED_BYTES_MAX,
} from '../../../src/engine/limits.ts';
import { FREE_FORM_MEMBERS_MAX, TEXT_CHARACTERS_MAX } from '../../../src/limits.ts';
import { estimatedSize } from '../../../src/engine/concurrency/estimated-size.ts';
import { RowCache } from '../../../src/engine/projections/apply/row-cache.ts';
import { aggregate } from '../../../src/engine/aggregates/aggregate.ts';
import { ticketCodec } from '../../../src/domain/tickets/codecs.ts';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { logWith } from '../../../src/engine/log/log-with.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { streamOf } from '../../../src/engine/log/streams.ts';
import { noon } from '../../support/domain/specify.ts';
import { draft, edit } from '../../support/domain/tickets.ts';

/** As many members as are allowed, as long as all of them may be. */
const fullest = () => {
  const memberBytes = Math.floor(FREE_FORM_BYTES_MAX / FREE_FORM_MEMBERS_MAX) - 10;
  return Object.fromEntries(
    Array.from({ length: FREE_FORM_MEMBERS_MAX }, (_, n) => [`k${n}`, 'x'.repeat(memberBytes)]),
  );
};

const largest = (): TicketDraft => ({
  ...draft,
  ticketId: randomUUID(),
  description: '漢'.repeat(TEXT_CHARACTERS_MAX),
  metadata: fullest(),
  formData: fullest(),
});

const COUNT = 12;
/** About so many of the largest have room. */
const ROOM = 4;
const bytesMax = ROOM * estimatedSize(largest());

let log: EventStore;
/** Events that were read. */
let read: number;

beforeEach(() => {
  const memory = memoryEventStore();
  log = logWith(memory, {
    async readStream(...asked) {
      const events = await memory.readStream(...asked);
      read += events.length;
      return events;
    },
  });
  read = 0;
});

const ticketsIn = (cachedBytesMax?: number) =>
  aggregate({
    log,
    category: 'ticket',
    codec: ticketCodec,
    decider: ticketDecider,
    viewAfter,
    ...(cachedBytesMax === undefined ? {} : { cachedBytesMax }),
  });

const openedIn = async (tickets: ReturnType<typeof ticketsIn>, count = COUNT) => {
  const opened = Array.from({ length: count }, largest);
  for (const each of opened)
    await tickets.give(
      each.ticketId,
      { commandId: randomUUID(), command: { type: 'OpenTicket', draft: each }, fresh: true },
      noon,
    );
  return opened.map(({ ticketId }) => ticketId);
};

/** How many of them are asked of the log again: the latest first, so that none makes room. */
const readAgain = async (ids: readonly string[], ask: (id: string) => Promise<unknown>) => {
  read = 0;
  for (const id of ids.toReversed()) await ask(id);
  return read;
};

describe('of the largest tickets', () => {
  it('the cache of folded tickets for commands is bounded by memory', async () => {
    const tickets = ticketsIn(bytesMax);
    const ids = await openedIn(tickets);
    const again = await readAgain(ids, (id) => tickets.look(id));
    expect(again).toBeGreaterThanOrEqual(COUNT - ROOM);
    expect(again).toBeLessThan(COUNT);
  });

  it('the cache for readers of the feed is bounded by memory', async () => {
    const ids = await openedIn(ticketsIn());
    const changes = ticketChanges(log, { cachedBytesMax: bytesMax });
    const follow = (id: string) => changes.between(streamOf('ticket', id), 0, 0);
    for (const id of ids) await follow(id);
    const again = await readAgain(ids, follow);
    expect(again).toBeGreaterThanOrEqual(COUNT - ROOM);
    expect(again).toBeLessThan(COUNT);
  });

  it('the row cache of a projection is bounded by memory', () => {
    const rows = new Map(Array.from({ length: COUNT }, (_, n) => [`row ${n}`, largest()] as const));
    const cache = new RowCache(1_000, true, bytesMax);
    cache.keep(rows);
    const { rows: known, unknown } = cache.known([...rows.keys()]);
    expect(known.size).toBeGreaterThan(0);
    expect(known.size).toBeLessThanOrEqual(ROOM);
    // Others are asked of the table: that they are not here does not mean that they are nowhere.
    expect(unknown).toHaveLength(COUNT - known.size);
    cache.keep(new Map([...known.keys()].map((key) => [key, null])));
    cache.keep(new Map([...rows].slice(0, 2)));
    expect(cache.known(['row 0', 'row 1']).rows.size).toBe(2);
  });
});

it('a ticket of many commands is weighed with its remembered commands', async () => {
  const ordinary = { ...draft, ticketId: randomUUID() };
  const other = { ...draft, ticketId: randomUUID() };
  const bound = 100_000;
  const tickets = ticketsIn(bound);
  const give = (id: string, command: TicketCommand) =>
    tickets.give(id, { commandId: randomUUID(), command }, noon);
  for (const each of [other, ordinary])
    await give(each.ticketId, { type: 'OpenTicket', draft: each });
  await readAgain([other.ticketId], (id) => tickets.look(id));
  expect(read).toBe(0);
  for (let n = 0; n < 300; n += 1) await give(ordinary.ticketId, edit({ subject: `Sink ${n}` }));
  expect(await readAgain([other.ticketId], (id) => tickets.look(id))).toBe(1);
});

it('an ordinary ticket has room beside as many as are kept', () => {
  const bytes = estimatedSize({ ...draft, createdBy: noon.by });
  expect(2_000 * 4 * bytes).toBeLessThan(AGGREGATES_CACHED_BYTES_MAX);
  expect(20_000 * 2 * bytes).toBeLessThan(PROJECTION_ROWS_CACHED_BYTES_MAX);
});
