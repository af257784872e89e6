import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TicketFact } from '../../../src/domain/tickets/events.ts';
import { publicTicket } from '../../../src/domain/tickets/public-ticket.ts';
import type { TicketView } from '../../../src/domain/tickets/view.ts';
import { TICKET_EXPORT_TIMEOUTS_MAX } from '../../../src/projections/tickets/limits.ts';
import {
  SearchTooWide,
  ticketQueries,
  type TicketListQuery,
  type Tuning,
} from '../../../src/projections/tickets/query/queries.ts';
import { freshDatabase } from '../../support/postgres/database.ts';
import { buildings, elements, openedPlainly, spaces, storeys } from './ticket-histories.ts';
import { storedOf, ticketTables, viewOf, type Fact } from './ticket-tables.ts';
import { poolOf } from '../../support/postgres/pool.ts';

let pool: Pool;
let tables: Awaited<ReturnType<typeof ticketTables>>;
let databaseUrl: string;
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await freshDatabase();
  ({ drop, url: databaseUrl } = database);
  pool = poolOf(databaseUrl, { max: 2 });
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
  it('no tickets is empty for any query', async () => {
    await tables.clear();
    const empty = { items: [], page: 3, limit: 50, total: 0 };
    const { list } = ticketQueries({ pool });
    expect(await list({ ...ask, page: 3 })).toEqual(empty);
    expect(await list({ ...ask, page: 3, search: 'x', overdue: false })).toEqual(empty);
  });

  it('a page beyond the end has no items and the right total', async () => {
    await holding([[opened(1)], [opened(2)]]);
    const { list, printed } = ticketQueries({ pool });
    for (const page of [2, 1_000_000_000]) {
      expect(await list({ ...ask, page })).toEqual({ items: [], page, limit: 50, total: 2 });
      expect(await printed({ ...ask, page })).toEqual({ items: [], page, limit: 50, total: 2 });
      expect(await list({ ...ask, page, search: 'drips' })).toMatchObject({ items: [], total: 2 });
    }
  });

  it('long tickets is printed ticket by ticket', async () => {
    const long = { description: '漢'.repeat(50_000) };
    const tickets = await holding([[opened(1, long)], [opened(2, long)], [opened(3)]]);
    const { printed } = ticketQueries({ pool });
    const { items, total } = await printed(ask);
    expect([total, items]).toEqual([
      3,
      tickets.toReversed().map((ticket) => JSON.stringify(publicTicket(ticket))),
    ]);
    expect((await printed({ ...ask, limit: 1 })).items).toEqual([items[0]]);
    expect(await printed({ ...ask, state: ['new'] })).toMatchObject({ items, total });
  });

  it.each<Partial<TicketListQuery>>([
    { state: ['new'], sort: 'updatedAt' },
    { buildingId: buildings[0]!, overdue: false },
    { number: 'SR-000002' },
  ])('the first tickets by %j is read with its total by one statement', async (filter) => {
    await holding([[opened(1)], [opened(2)], [opened(3)]]);
    const single = poolOf(databaseUrl, { max: 1 });
    const statements: string[] = [];
    single.on('connect', (client) => {
      const query = client.query.bind(client) as (...given: unknown[]) => unknown;
      client.query = ((...given: [string | { readonly text: string }]) => {
        const [sent] = given;
        statements.push(typeof sent === 'string' ? sent : sent.text);
        return query(...given);
      }) as typeof client.query;
    });
    const queries = ticketQueries({ pool: single });
    const { items, total } = await queries.printed({ ...ask, ...filter, limit: 2 });
    expect(statements.filter((text) => text.includes('ticket_list'))).toHaveLength(1);
    const listed = await queries.list({ ...ask, ...filter, limit: 2 });
    expect([`[${items.join()}]`, total]).toEqual([
      JSON.stringify(listed.items.map(publicTicket)),
      listed.total,
    ]);
    await single.end();
  });

  it('states has those of the organisation among the ids', async () => {
    const [own, other] = await holding([[opened(1)], [opened(2, { organisation: 'globex' })]]);
    const ids = [own!.id, other!.id, '00000000-0000-4000-8000-000000000009'];
    const { states } = ticketQueries({ pool });
    expect(await states('acme', ids)).toEqual([{ id: own!.id, number: 'SR-000001', state: 'new' }]);
  });

  it('tickets of one instant is sorted by id, descending', async () => {
    const tickets = await holding([2, 3, 1].map((n) => [opened(n)]));
    const { items } = await ticketQueries({ pool }).list(ask);
    expect(items.map(({ id }) => id)).toEqual(
      tickets.map(({ id }) => id).sort((a, b) => (a < b ? 1 : -1)),
    );
  });

  it('overdue tickets excludes tickets due at this instant', async () => {
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
    `'); drop schema ticket_list_v6 cascade; --`,
    String.raw`\'; select 1; --`,
    '$1',
    `{"a","b"}`,
    '%',
    '',
  ])('tickets by the category, person or word %j finds exactly those', async (odd) => {
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

  it('one snapshot of the tables, and leaves the connection unchanged', async () => {
    await holding([[opened(1)]]);
    const single = poolOf(databaseUrl, { max: 1 });
    const { list } = ticketQueries({ pool: single });
    await list(ask);
    await expect(list({ ...ask, buildingId: 'no id' })).rejects.toThrow('uuid');
    expect((await list(ask)).total).toBe(1);
    const { rows } = await single.query('show enable_seqscan');
    expect(rows).toEqual([{ enable_seqscan: 'on' }]);
    await single.end();
  });
});

describe('a walk over all tickets', () => {
  /** The walked numbers and the rows of each statement, of which those at `late` time out. */
  const walked = async (late: (statement: number) => boolean, tuning: Partial<Tuning>) => {
    const slow = poolOf(databaseUrl, { max: 1 });
    const rows: unknown[] = [];
    slow.on('connect', (client) => {
      const query = client.query.bind(client) as (...given: unknown[]) => unknown;
      client.query = ((...given: [string | { readonly text: string; values: unknown[] }]) => {
        const [sent] = given;
        if (typeof sent === 'string' || !sent.text.includes('order by t.created_at, t.id limit'))
          return query(...given);
        rows.push(sent.values.at(-1));
        return late(rows.length)
          ? Promise.reject(Object.assign(new Error('statement timeout'), { code: '57014' }))
          : query(...given);
      }) as typeof client.query;
    });
    const numbers: string[] = [];
    try {
      const { page: _, limit: __, ...all } = ask;
      for await (const page of ticketQueries({ pool: slow, tuning }).all(all))
        numbers.push(...page.map(({ number }) => number));
      return { numbers, rows };
    } catch (error) {
      return { numbers, rows, error };
    } finally {
      await slow.end();
    }
  };
  const holdingMany = async (n: number) => {
    const tickets = await holding(Array.from({ length: n }, (_, at) => [opened(at + 1)]));
    return tickets.map(({ number }) => number);
  };

  it('scans as many rows as before again after a late statement', async () => {
    const numbers = await holdingMany(60);
    expect(await walked((n) => n === 2, { searchedRows: 20 })).toEqual({
      numbers,
      rows: [20, 20, 2, 4, 8, 16, 20],
    });
  });

  it('goes on after timeouts of a single ticket, up to a number in a row', async () => {
    const numbers = await holdingMany(1);
    const late = (n: number) => n % TICKET_EXPORT_TIMEOUTS_MAX !== 0;
    const once = Array.from({ length: TICKET_EXPORT_TIMEOUTS_MAX }, () => 1);
    expect(await walked(late, { searchedRows: 1 })).toEqual({
      numbers,
      rows: [...once, ...once],
    });
    expect(await walked((n) => n > 1, { searchedRows: 1 })).toEqual({
      numbers,
      rows: [1, ...once],
      error: expect.any(SearchTooWide),
    });
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
