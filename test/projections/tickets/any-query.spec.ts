import * as fc from 'fast-check';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ticketSorts } from '../../../src/domain/tickets/sorts.ts';
import { publicTicket } from '../../../src/domain/tickets/public-ticket.ts';
import type { TicketView } from '../../../src/domain/tickets/view.ts';
import { pairOf } from '../../../src/projections/tickets/pairs.ts';
import {
  ticketQueries,
  type TicketListQuery,
  type Tuning,
} from '../../../src/projections/tickets/query/queries.ts';
import { freshDatabase } from '../../support/postgres/database.ts';
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
} from './ticket-histories.ts';
import { opened } from '../../support/domain/tickets.ts';
import { ANSWERS } from '../../../src/projections/tickets/query/tables.ts';
import { expected, listed } from './expected-lists.ts';
import { storedOf, ticketTables, viewOf } from './ticket-tables.ts';
import { poolOf } from '../../support/postgres/pool.ts';

let pool: Pool;
let tables: Awaited<ReturnType<typeof ticketTables>>;
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await freshDatabase();
  ({ drop } = database);
  pool = poolOf(database.url, { max: 2 });
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
  const stored = histories.map(storedOf);
  // In two batches: the second one removes lines of answers that no ticket has any more.
  await tables.apply(stored.flatMap((events) => events.slice(0, 1)));
  await tables.apply(stored.flatMap((events) => events.slice(1)));
  return histories.map(viewOf);
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
    reporterUserId: some('ana', 'bo'),
    number: some('SR-000001', 'SR-000002', 'SR-1'),
    overdue: fc.boolean(),
    fields: fc
      .record(
        {
          wet: several('true', 'false'),
          size: several('small', 'large', 'true', 'none'),
          parts: several('door', 'lock', 'hinge'),
          count: several('1'),
          '1st': several('small'),
        },
        { requiredKeys: [] },
      )
      .filter((some) => Object.keys(some).length > 0),
    search: fc.oneof(
      text,
      fc.tuple(text, text).map((words) => words.join(' ')),
      some('x', 'sr-0', 'SR-2', 'sr-00002', 'hvac'),
    ),
  },
  { requiredKeys: [] },
);
/** Most combinations of these filters meet nothing: few of them at a time. */
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
  'reporterUserId',
  'number',
  'overdue',
  'fields',
  'search',
] as const;
/** Filters with their own query plan. */
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
  ['assignedTeamId', 'category'],
  ['assignedTeamId', 'category', 'state', 'priority'],
  ['assignedTeamId', 'category', 'overdue'],
  ['assignedTeamId', 'assignedUserId'],
  ['assignedUserId', 'category', 'state'],
  ['assignedUserId', 'storeyId'],
  ['assignedTeamId', 'storeyId', 'state'],
  ['overdue', 'buildingId', 'state'],
  ['reporterUserId'],
  ['reporterUserId', 'state', 'priority'],
  ['fields'],
  ['fields', 'state'],
  ['fields', 'buildingId', 'overdue'],
  ['fields', 'assignedTeamId', 'category'],
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
      sort: fc.option(some(...ticketSorts), { nil: undefined }),
    })
    .map(({ filter, kept, ...rest }) => ({
      ...Object.fromEntries(kept.map((name) => [name, filter[name]])),
      ...rest,
    }));

/** Some that all tickets have, some that few have. */
const word = some('sr-', 'SR-0', 'x', 'xa', 'a', 'b1', '0', 'r-00', '😀', '%');
const words = fc.tuple(word, word).map((pair) => pair.join(' '));

/** Every query plan, regardless of cost. */
const tuning: fc.Arbitrary<Partial<Tuning>> = fc.record({
  deepRows: some(0, 1, 1_000),
  searchFirstRows: some(1, 5, 1_000),
  searchTotalMax: some(1, 3, 10_000),
  answeredTotalMax: some(0, 1, 3, 10_000),
});

describe('a list', () => {
  it('holds the tickets of its filters, in order, with its total, in every query plan', () =>
    fc.assert(
      fc.asyncProperty(
        histories(0),
        fc.array(fc.tuple(query(8), tuning), { minLength: 60, maxLength: 60 }),
        async (histories, queries) => {
          const tickets = await holding(histories);
          for (const [query, tuning] of queries) {
            const { list, printed } = ticketQueries({ pool, tuning });
            const page = await list(query);
            expect(page).toEqual(expected(tickets, query, tuning));
            const { items, ...rest } = await printed(query);
            expect({ ...rest, items: JSON.parse(`[${items.join(',')}]`) }).toEqual({
              ...page,
              items: page.items.map(publicTicket),
            });
          }
        },
      ),
      { numRuns: 25, endOnFailure: true },
    ));

  it('holds the tickets with the words, within every other filter and query plan', () =>
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
            expect(page).toEqual(expected(tickets, asked, tuning));
          }
        },
      ),
      { numRuns: 25, endOnFailure: true },
    ));

  it('reads no line of an answer that no ticket has any more', async () => {
    const answer = (n: number, formData: Record<string, boolean>): Histories[number] => [
      {
        at: '2026-01-01T00:00:00.000Z',
        event: opened({
          ticketId: `00000000-0000-4000-8000-00000000000${n}`,
          formData: { wet: true },
        }),
      },
      {
        at: '2026-01-02T00:00:00.000Z',
        event: { type: 'TicketEdited', changes: { formData } },
      },
    ];
    await holding([answer(1, { dry: true }), answer(2, {}), answer(3, { wet: true, dry: true })]);
    const { rows } = await pool.query<{ pair: string; n: number }>(
      `select pair, sum(n)::int as n, count(*)::int as lines from ${ANSWERS} group by 1`,
    );
    expect(rows.toSorted((one, other) => one.n - other.n)).toEqual([
      { pair: pairOf('wet', 'true'), n: 1, lines: 1 },
      { pair: pairOf('dry', 'true'), n: 2, lines: 2 },
    ]);
  });

  it('shows every ticket exactly once over its pages, at any page size', () =>
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
    ));

  it('is walked from its oldest ticket to its newest, each once, in pages of any size', () =>
    fc.assert(
      fc.asyncProperty(
        histories(10),
        fc.array(fc.tuple(query(1), fc.option(word, { nil: undefined })), {
          minLength: 20,
          maxLength: 20,
        }),
        fc.record({ searchedRows: some(1, 3, 1_000), readRows: some(1, 2, 100) }),
        async (histories, queries, tuning) => {
          const tickets = await holding(histories);
          for (const [{ page: _, limit: __, sort: ___, ...asked }, search] of queries) {
            const selection = { ...asked, ...(search === undefined ? {} : { search }) };
            const pages = await Array.fromAsync(ticketQueries({ pool, tuning }).all(selection));
            const wanted = listed(tickets, { ...selection, page: 1, limit: 1 }).toReversed();
            expect(pages.flat()).toEqual(wanted);
            expect(pages.every(({ length }) => length <= tuning.readRows)).toBe(true);
          }
        },
      ),
      { numRuns: 10, endOnFailure: true },
    ));

  it('is paged without tickets raised meanwhile', async () => {
    const facts = (n: number): Histories[number] => [
      {
        at: `2026-01-01T00:00:00.00${n}Z`,
        event: opened({ ticketId: `00000000-0000-4000-8000-00000000000${n}` }),
      },
    ];
    await holding([facts(1), facts(2)]);
    const walk = ticketQueries({ pool, tuning: { searchedRows: 1, readRows: 1 } }).all({
      organisation: 'acme',
      now: '2026-01-01T00:00:00.000Z',
    });
    const first = (await walk.next()).value;
    await tables.apply(storedOf(facts(3)));
    const rest = await Array.fromAsync(walk);
    expect([first, ...rest].flatMap((page) => page ?? []).map(({ id }) => id.at(-1))).toEqual([
      '1',
      '2',
    ]);
  });
});
