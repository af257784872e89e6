import * as fc from 'fast-check';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TicketFact } from '../../src/domain/ticket/events.ts';
import type { TicketView } from '../../src/domain/ticket/view.ts';
import {
  ticketQueries,
  type TicketListQuery,
  type TicketPage,
} from '../../src/projections/ticket-queries.ts';
import type { Tuning } from '../../src/projections/ticket-reading.ts';
import { freshDatabase } from '../support/database.ts';
import {
  buildings,
  categories,
  elements,
  histories,
  organisations,
  people,
  spaces,
  storeys,
  teams,
  text,
  openedPlainly,
} from '../support/ticket-facts.ts';
import { storedOf, ticketTables, viewOf, type Fact } from '../support/ticket-tables.ts';

let pool: Pool;
let tables: Awaited<ReturnType<typeof ticketTables>>;
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await freshDatabase();
  ({ drop } = database);
  pool = new Pool({ connectionString: database.url, max: 2 });
  tables = await ticketTables(pool);
});
afterAll(async () => {
  await pool.end();
  await drop();
});

type Histories = Parameters<typeof viewOf>[0][];

/** The tables anew, with these tickets; their views, as the API would show them. */
const holding = async (histories: Histories): Promise<TicketView[]> => {
  await tables.clear();
  await tables.apply(histories.flatMap(storedOf));
  return histories.map(viewOf);
};

/** Written from the interface: what a list of `tickets` holds, without pages, in its order. */
const listed = (tickets: readonly TicketView[], query: TicketListQuery): TicketView[] => {
  const one = <T>(wanted: T | undefined, value: T | null) =>
    wanted === undefined || wanted === value;
  const among = (wanted: readonly string[] | undefined, value: string | null) =>
    wanted === undefined || (value !== null && wanted.includes(value));
  const words = (query.search ?? '').split(/\s+/).filter((word) => word !== '');
  return tickets
    .filter(
      (ticket) =>
        ticket.organisationId === query.organisation &&
        one(query.buildingId, ticket.buildingId) &&
        among(query.state, ticket.state) &&
        among(query.priority, ticket.priority) &&
        among(query.category, ticket.category) &&
        one(query.assignedUserId, ticket.assignedUserId) &&
        one(query.assignedTeamId, ticket.assignedTeamId) &&
        one(query.spaceId, ticket.spaceId) &&
        one(query.storeyId, ticket.storeyId) &&
        one(query.elementId, ticket.elementId) &&
        one(query.overdue, isOverdue(ticket, query.now)) &&
        words.every((word) =>
          [ticket.number, ticket.subject ?? '', ticket.description].some((part) =>
            lowered(part).includes(lowered(word)),
          ),
        ),
    )
    .sort((a, b) =>
      a.createdAt === b.createdAt ? (a.id < b.id ? 1 : -1) : a.createdAt < b.createdAt ? 1 : -1,
    );
};

/** Σ is σ wherever it stands: `toLowerCase` alone would tell the last of a word from the others. */
const lowered = (part: string) => part.toLowerCase().replaceAll('ς', 'σ');

const isOverdue = (ticket: TicketView, now: string): boolean => {
  const worked = ['resolved', 'closed', 'cancelled'].includes(ticket.state);
  const past = (dueAt: string | null) => dueAt !== null && Date.parse(dueAt) < Date.parse(now);
  const responding = ticket.slaFirstResponseEndedAt === null && !worked;
  return (
    (responding && past(ticket.slaFirstResponseDueAt)) ||
    (!worked && past(ticket.slaResolutionDueAt))
  );
};

/** What must come back for one page. */
const expected = (
  tickets: readonly TicketView[],
  query: TicketListQuery,
  searchTotalMax = 10_000,
): TicketPage => {
  const { page, limit } = query;
  const all = listed(tickets, query);
  const capped = /\S/.test(query.search ?? '') && all.length > searchTotalMax;
  return {
    items: all.slice((page - 1) * limit, page * limit),
    page,
    limit,
    total: capped ? searchTotalMax : all.length,
    ...(capped ? { totalCapped: true } : {}),
  };
};

const some = <T>(...values: readonly T[]) => fc.constantFrom(...values);
const several = (...values: readonly string[]) => fc.subarray([...values], { minLength: 1 });
const filter = fc.record(
  {
    buildingId: some(...buildings),
    state: several('new', 'triaged', 'waiting', 'resolved', 'closed', 'cancelled', 'none'),
    priority: several('low', 'medium', 'high', 'critical'),
    category: several(...categories, 'none'),
    assignedUserId: some(...people),
    assignedTeamId: some(...teams),
    spaceId: some(...spaces),
    storeyId: some(...storeys),
    elementId: some(...elements),
    overdue: fc.boolean(),
    search: fc.oneof(
      text,
      fc.tuple(text, text).map((words) => words.join(' ')),
      some('x', 'sr-0'),
    ),
  },
  { requiredKeys: [] },
);
/** Most combinations of eleven filters meet nothing: few of them at a time. */
const every = [
  'buildingId',
  'state',
  'priority',
  'category',
  'assignedUserId',
  'assignedTeamId',
  'spaceId',
  'storeyId',
  'elementId',
  'overdue',
  'search',
] as const;
/** Those that are read in a way of their own. */
const telling = some<(typeof every)[number][]>(
  ['overdue'],
  ['overdue', 'assignedUserId'],
  ['overdue', 'assignedTeamId', 'state'],
  ['overdue', 'category'],
  ['overdue', 'state', 'priority'],
  ['state'],
  ['priority'],
  ['category'],
  ['category', 'state'],
  ['buildingId', 'state', 'priority'],
  ['assignedTeamId'],
);
const query = (sizeMax: number): fc.Arbitrary<TicketListQuery> =>
  fc
    .record({
      filter,
      kept: fc.oneof(fc.subarray([...every], { maxLength: 3 }), telling),
      organisation: some(...organisations),
      now: some('2026-01-21T00:30:00.000Z', '2026-02-17T00:00:00.000Z', '2026-06-01T00:00:00.000Z'),
      page: fc.integer({ min: 1, max: 4 }),
      limit: fc.integer({ min: 1, max: sizeMax }),
    })
    .map(({ filter, kept, ...rest }) => ({
      ...Object.fromEntries(kept.map((name) => [name, filter[name]])),
      ...rest,
    }));

/** Some that all tickets have, some that few have. */
const word = some('sr-', 'SR-0', 'x', 'xa', 'a', 'b1', '0', 'r-00', '😀', '%');
const words = fc.tuple(word, word).map((pair) => pair.join(' '));

/** Every way of reading, whatever it costs. */
const tuning: fc.Arbitrary<Partial<Tuning>> = fc.record({
  cellCostRows: some(-1_000, 0, 1_000_000),
  rowCostRows: some(0, 5),
  cellsFirstRowsMax: some(0, 1_000),
  deepRows: some(0, 1, 1_000),
  listFirstRowsMax: some(-1, 3, 1_000),
  sampleRows: some(1, 5),
  hitCost: some(0, 1_000_000),
  ticketCost: some(0, 1_000_000),
  sequentialCost: some(0, 1_000_000),
  monthsCost: some(0, 1_000_000),
  searchTotalMax: some(1, 3, 10_000),
});

describe('a list', () => {
  it(
    'holds what the filters ask for, in order, with its total, whichever way it is read',
    () =>
      fc.assert(
        fc.asyncProperty(
          histories(0),
          fc.array(fc.tuple(query(8), tuning), { minLength: 60, maxLength: 60 }),
          async (histories, queries) => {
            const tickets = await holding(histories);
            for (const [query, tuning] of queries) {
              const page = await ticketQueries({ pool, tuning }).list(query);
              expect(page).toEqual(expected(tickets, query, tuning.searchTotalMax));
            }
          },
        ),
        { numRuns: 25, endOnFailure: true },
      ),
    120_000,
  );

  it(
    'holds what has the words, within every other filter, whichever way it is read',
    () =>
      fc.assert(
        fc.asyncProperty(
          histories(10),
          fc.array(fc.tuple(query(20), fc.oneof(word, words), tuning), {
            minLength: 40,
            maxLength: 40,
          }),
          async (histories, queries) => {
            const tickets = await holding(histories);
            for (const [query, search, tuning] of queries) {
              const asked = { ...query, search };
              const page = await ticketQueries({ pool, tuning }).list(asked);
              expect(page).toEqual(expected(tickets, asked, tuning.searchTotalMax));
            }
          },
        ),
        { numRuns: 25, endOnFailure: true },
      ),
    120_000,
  );

  it(
    'shows every ticket exactly once over its pages, at any page size',
    () =>
      fc.assert(
        fc.asyncProperty(histories(30), query(7), tuning, async (histories, query, tuning) => {
          const tickets = await holding(histories);
          const seen: string[] = [];
          for (let page = 1; ; page += 1) {
            const { items } = await ticketQueries({ pool, tuning }).list({ ...query, page });
            if (items.length === 0) break;
            seen.push(...items.map(({ id }) => id));
          }
          expect(seen).toEqual(listed(tickets, query).map(({ id }) => id));
        }),
        { numRuns: 25, endOnFailure: true },
      ),
    120_000,
  );
});

const ask: TicketListQuery = {
  organisation: 'acme',
  now: '2026-03-01T00:00:00.000Z',
  page: 1,
  limit: 50,
};

/** One ticket like the others of a property, with these members. */
const opened = (n: number, members: Partial<TicketFact<'TicketOpened'>> = {}): Fact =>
  openedPlainly(
    '2026-02-01T00:00:00.000Z',
    `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    `SR-${String(n).padStart(6, '0')}`,
    members,
  );
const moved = (to: TicketView['state']): Fact => ({
  at: '2026-02-01T00:00:01.000Z',
  event: { type: 'TicketTransitioned', from: 'new', to },
});

describe('a list of', () => {
  it('nothing at all is empty, whatever is asked', async () => {
    await tables.clear();
    const empty = { items: [], page: 3, limit: 50, total: 0 };
    const { list } = ticketQueries({ pool });
    expect(await list({ ...ask, page: 3 })).toEqual(empty);
    expect(await list({ ...ask, page: 3, search: 'x', overdue: false })).toEqual(empty);
  });

  it('a page beyond the end has no items and the right total', async () => {
    await holding([[opened(1)], [opened(2)]]);
    const { list } = ticketQueries({ pool });
    for (const page of [2, 1_000_000_000]) {
      expect(await list({ ...ask, page })).toEqual({ items: [], page, limit: 50, total: 2 });
      expect(await list({ ...ask, page, search: 'drips' })).toMatchObject({ items: [], total: 2 });
    }
  });

  it('tickets of one instant goes by their ids, the greater first', async () => {
    const tickets = await holding([2, 3, 1].map((n) => [opened(n)]));
    const { items } = await ticketQueries({ pool }).list(ask);
    expect(items.map(({ id }) => id)).toEqual(
      tickets.map(({ id }) => id).sort((a, b) => (a < b ? 1 : -1)),
    );
  });

  it('overdue tickets leaves out what is due at this very moment', async () => {
    const slaResolutionDueAt = '2026-02-02T00:00:00.000Z';
    await holding([[opened(1, { slaResolutionDueAt })]]);
    const total = async (overdue: boolean, now: string) =>
      (await ticketQueries({ pool }).list({ ...ask, overdue, now })).total;
    expect(await total(true, slaResolutionDueAt)).toBe(0);
    expect(await total(false, slaResolutionDueAt)).toBe(1);
    expect(await total(true, '2026-02-02T00:00:00.001Z')).toBe(1);
    expect(await total(false, '2026-02-02T00:00:00.001Z')).toBe(0);
  });

  it.each([
    `' or true --`,
    `'); drop schema ticket_list_v1 cascade; --`,
    String.raw`\'; select 1; --`,
    '$1',
    `{"a","b"}`,
    '%',
    '',
  ])('a category, a person or a word called %j finds what is called so', async (odd) => {
    const tickets = await holding([
      [opened(1, { category: odd, description: `x ${odd}` })],
      [opened(2, { category: 'other', description: 'nothing of the sort' })],
    ]);
    const { list } = ticketQueries({ pool });
    expect((await list({ ...ask, category: [odd] })).items).toEqual([tickets[0]]);
    expect((await list({ ...ask, organisation: odd })).total).toBe(0);
    expect((await list({ ...ask, assignedUserId: odd, assignedTeamId: odd })).total).toBe(0);
    expect((await list({ ...ask, state: [odd], priority: [odd] })).total).toBe(0);
    expect((await list({ ...ask, search: odd || 'x' })).items).toEqual([tickets[0]]);
    expect((await list(ask)).total).toBe(2);
  });

  it('one state of the tables, and leaves the connection as it was', async () => {
    await holding([[opened(1)]]);
    const single = new Pool({ ...pool.options, max: 1 });
    const { list } = ticketQueries({ pool: single });
    await list(ask);
    await expect(list({ ...ask, buildingId: 'no id' })).rejects.toThrow('uuid');
    expect((await list(ask)).total).toBe(1);
    const { rows } = await single.query('show enable_seqscan');
    expect(rows).toEqual([{ enable_seqscan: 'on' }]);
    await single.end();
  });
});

it('names the open tickets of a building that have a place in it', async () => {
  const [storeyId] = storeys as [string];
  const there = { storeyId };
  await holding([
    [opened(1)],
    [opened(2, there)],
    [opened(3, { ...there, buildingId: buildings[1]! })],
    [opened(4, { ...there, organisation: 'globex' })],
    [opened(5, there), moved('cancelled')],
    [opened(6, there), moved('closed')],
    [opened(7, { spaceId: spaces[0]! }), moved('resolved')],
    [opened(8, { elementId: elements[0]! }), moved('reopened')],
  ]);
  const open = await ticketQueries({ pool }).openTicketsAt('acme', buildings[0]!);
  const none = { storeyId: null, spaceId: null, elementId: null };
  const idOf = (n: number) => viewOf([opened(n)]).id;
  expect(open).toEqual([
    { ...none, id: idOf(2), storeyId },
    { ...none, id: idOf(7), spaceId: spaces[0] },
    { ...none, id: idOf(8), elementId: elements[0] },
  ]);
});
