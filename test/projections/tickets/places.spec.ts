/** Search by place. contract.md section 5; docs/decisions/0019. */
import * as fc from 'fast-check';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeDueWords } from '../../../src/building/graph/place-words.ts';
import type { TicketLocation } from '../../../src/domain/tickets/events.ts';
import { ticketSorts } from '../../../src/domain/tickets/sorts.ts';
import { schemaOf } from '../../../src/engine/projections/projection.ts';
import { PLACES_LISTED_MAX } from '../../../src/projections/tickets/limits.ts';
import {
  SearchTooWide,
  ticketQueries,
  type TicketListQuery,
  type Tuning,
} from '../../../src/projections/tickets/query/queries.ts';
import { ticketSearch } from '../../../src/projections/tickets/search.ts';
import { freshDatabase } from '../../support/postgres/database.ts';
import { poolOf } from '../../support/postgres/pool.ts';
import { expected, listed, type PlaceNames } from './expected-lists.ts';
import { openedPlainly } from './ticket-histories.ts';
import { storedOf, ticketTables, viewOf, type Fact } from './ticket-tables.ts';

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

type Kind = 'building' | 'storey' | 'space' | 'element';

const KINDS: readonly Kind[] = ['building', 'storey', 'space', 'element'];
const idOf = (kind: Kind, n: number) =>
  `00000000-0000-4000-8${KINDS.indexOf(kind)}00-${String(n).padStart(12, '0')}`;
const ticketId = (n: number) => `01930000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** Two buildings of acme and one of globex, in each two storeys, four spaces, four elements. */
const BUILDINGS = ['acme', 'acme', 'globex'];
const nodes = BUILDINGS.flatMap((organisation, building) =>
  KINDS.flatMap((kind) =>
    Array.from({ length: { building: 1, storey: 2, space: 4, element: 4 }[kind] }, (_, n) => ({
      organisation,
      kind,
      id: idOf(kind, building * 10 + n),
      buildingId: idOf('building', building * 10),
    })),
  ),
);

interface NamedNode {
  readonly id: string;
  readonly buildingId: string;
  readonly kind: string;
  readonly organisation: string;
  readonly code: string;
  readonly name: string;
}

/** Replaces the whole graph. */
const graphOf = async (places: readonly NamedNode[]): Promise<PlaceNames> => {
  await pool.query('truncate graph.site, graph.building, graph.node cascade');
  await pool.query(
    `insert into graph.site (id, organisation, code, name)
     select gen_random_uuid(), organisation, 'S', 'S' from unnest($1::text[]) organisation`,
    [[...new Set(places.map(({ organisation }) => organisation))]],
  );
  await pool.query(
    `insert into graph.building (id, organisation, site_id)
     select p.id, p.organisation, site.id
     from json_to_recordset($1) as p(id uuid, organisation text, kind text)
     join graph.site using (organisation) where p.kind = 'building'`,
    [JSON.stringify(places)],
  );
  await pool.query(
    `insert into graph.node (id, building_id, kind, code, name)
     select id, "buildingId", kind, code, name
     from json_to_recordset($1) as p(id uuid, "buildingId" uuid, kind text, code text, name text)`,
    [JSON.stringify(places)],
  );
  while ((await writeDueWords(pool)) > 0);
  return new Map(places.map(({ id, code, name }) => [id, [code, name]]));
};

const holding = async (histories: readonly (readonly Fact[])[]) => {
  await tables.clear();
  await tables.apply(histories.flatMap(storedOf));
  return histories.map(viewOf);
};

const some = <T>(...values: readonly T[]) => fc.constantFrom(...values);
/** Few letters, so that words meet in texts, codes and names. */
const text = fc
  .array(some('a', 'B', 'ß', '1', '.', '-', ' ', 'ü', '漏'), { minLength: 1, maxLength: 6 })
  .map((letters) => letters.join(''));
const word = fc.oneof(
  text,
  some('a', '1.', 'ss', 'room', 'ROOM', 'leak', 'sr-', 'sr-1', '1.2', 'Tür', '漏'),
);
const name = fc.oneof(text, some('Room 1.2', 'Tür', 'Roof', 'leak room', '漏水'));

const named = fc.tuple(...nodes.map(() => fc.record({ code: text, name }))).map((names) =>
  // Codes are unique within kind and building.
  nodes.map((node, at) => ({ ...node, ...names[at]!, code: `${names[at]!.code}${at}` })),
);

const locationIn = (building: number, depth: number, n: number): TicketLocation => ({
  storeyId: depth > 0 ? idOf('storey', building * 10 + (n >> 1)) : null,
  spaceId: depth > 1 ? idOf('space', building * 10 + n) : null,
  elementId: depth > 2 ? idOf('element', building * 10 + n) : null,
});

const histories: fc.Arbitrary<Fact[][]> = fc
  .array(
    fc
      .record({
        building: some(0, 1, 2),
        depth: fc.nat({ max: 3 }),
        n: fc.nat({ max: 3 }),
        day: fc.nat({ max: 40 }),
        description: text,
        move: fc.option(fc.record({ depth: fc.nat({ max: 3 }), n: fc.nat({ max: 3 }) })),
        isByImport: fc.boolean(),
      })
      .map(
        ({ building, depth, n, day, description, move, isByImport }): ((at: number) => Fact[]) => {
          const at = new Date(Date.UTC(2026, 0, 1 + day)).toISOString();
          return (nth) => [
            openedPlainly(at, ticketId(nth), `SR-${String(nth).padStart(6, '0')}`, {
              organisation: BUILDINGS[building]!,
              buildingId: idOf('building', building * 10),
              ...locationIn(building, depth, n),
              description: `x${description}`,
            }),
            ...(move === null
              ? []
              : [movedTo(locationIn(building, move.depth, move.n), isByImport)]),
          ];
        },
      ),
    { minLength: 12, maxLength: 40 },
  )
  .map((made) => made.map((facts, at) => facts(at)));

const movedTo = (location: TicketLocation, isByImport: boolean): Fact => ({
  at: '2026-02-20T00:00:00.000Z',
  event: isByImport
    ? { type: 'TicketRelocated', ...location }
    : { type: 'TicketEdited', changes: { location } },
});

const query: fc.Arbitrary<TicketListQuery> = fc.record({
  organisation: some('acme', 'acme', 'globex'),
  now: some('2026-03-01T00:00:00.000Z'),
  page: some(1, 1, 2),
  limit: some(3, 50),
  sort: fc.option(some(...ticketSorts), { nil: undefined }),
  search: fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
  buildingId: fc.option(some(idOf('building', 0), idOf('building', 10)), { nil: undefined }),
  state: fc.option(some(['new']), { nil: undefined }),
});

/** Every query plan, regardless of cost. */
const tuning: fc.Arbitrary<Partial<Tuning>> = fc.record({
  placesListedMax: some(0, 1, 3, 6, PLACES_LISTED_MAX),
  searchFirstRows: some(1, 5, 1_000),
  searchTotalMax: some(1, 3, 10_000),
});

describe('a search', () => {
  it('finds each word in the text or in the names of the location, with every query plan', () =>
    fc.assert(
      fc.asyncProperty(
        named,
        histories,
        fc.array(fc.tuple(query, tuning), { minLength: 40, maxLength: 40 }),
        async (places, histories, queries) => {
          const names = await graphOf(places);
          const tickets = await holding(histories);
          for (const [asked, tuning] of queries) {
            const page = await ticketQueries({ pool, tuning }).list(asked);
            expect(page).toEqual(expected(tickets, asked, tuning, names));
          }
        },
      ),
      { numRuns: 25, endOnFailure: true },
    ));

  it('walks all of them for an export, and selects them for a bulk', () =>
    fc.assert(
      fc.asyncProperty(
        named,
        histories,
        fc.array(query, { minLength: 15, maxLength: 15 }),
        some(1, 4, 1_000),
        async (places, histories, queries, searchedRows) => {
          const names = await graphOf(places);
          const tickets = await holding(histories);
          for (const { sort: _, page: __, limit: ___, ...selection } of queries) {
            const wanted = listed(tickets, { ...selection, page: 1, limit: 1 }, names);
            const { all, select } = ticketQueries({ pool, tuning: { searchedRows } });
            expect((await Array.fromAsync(all(selection))).flat()).toEqual(wanted.toReversed());
            expect(await select(selection, 100)).toEqual({
              ids: wanted.map(({ id }) => id),
              total: wanted.length,
              capped: false,
            });
          }
        },
      ),
      { numRuns: 10, endOnFailure: true },
    ));

  it('does not look into the places of another organisation', async () => {
    const buildings = nodes.filter(({ kind }) => kind === 'building');
    await graphOf(buildings.map((node) => ({ ...node, code: 'HQ', name: 'Hafenturm' })));
    // Even where the log says that its ticket is there.
    await holding(
      ['acme', 'globex'].map((organisation, n) => [
        openedPlainly('2026-01-01T00:00:00.000Z', ticketId(n), `SR-00000${n}`, {
          organisation,
          buildingId: buildings[0]!.id,
        }),
      ]),
    );
    for (const placesListedMax of [0, PLACES_LISTED_MAX]) {
      const { list } = ticketQueries({ pool, tuning: { placesListedMax } });
      const ask = { now: '2026-03-01T00:00:00.000Z', page: 1, limit: 9, search: 'hafenturm' };
      expect((await list({ ...ask, organisation: 'acme' })).total).toBe(1);
      expect((await list({ ...ask, organisation: 'globex' })).total).toBe(0);
    }
  });
});

describe('the rows of the search', () => {
  it('are the same after every rebuild, in batches of any size', () =>
    fc.assert(
      fc.asyncProperty(histories, fc.integer({ min: 1, max: 7 }), async (histories, size) => {
        const events = histories.flatMap(storedOf);
        const rows = async (batches: readonly (typeof events)[]) => {
          await tables.clear();
          for (const batch of batches) await tables.apply(batch);
          const table = `${schemaOf(ticketSearch)}.ticket_search`;
          return (await pool.query(`select * from ${table} order by id`)).rows;
        };
        const rebuilt = await rows([events]);
        expect(await rows([events])).toEqual(rebuilt);
        const batches = Array.from({ length: Math.ceil(events.length / size) }, (_, n) =>
          events.slice(n * size, (n + 1) * size),
        );
        expect(await rows(batches)).toEqual(rebuilt);
        expect(rebuilt).toEqual(
          histories
            .map(viewOf)
            .toSorted((a, b) => (a.id < b.id ? -1 : 1))
            .map(({ id, storeyId, spaceId, elementId }) =>
              expect.objectContaining({
                id,
                storey_id: storeyId,
                space_id: spaceId,
                element_id: elementId,
              }),
            ),
        );
      }),
      { numRuns: 15, endOnFailure: true },
    ));
});

describe('a word that names 12,000 rooms', () => {
  const ROOMS = 12_000;
  const now = '2026-03-01T00:00:00.000Z';
  const ask = { organisation: 'acme', now, page: 1, limit: 50 };
  const building = { organisation: 'acme', buildingId: idOf('building', 0) };

  beforeAll(async () => {
    await graphOf([
      { ...building, kind: 'building', id: building.buildingId, code: 'B', name: 'Tower' },
      ...Array.from({ length: ROOMS }, (_, n) => ({
        ...building,
        kind: 'space',
        id: idOf('space', n),
        code: `1.${String(n).padStart(5, '0')}`,
        name: `Kontor ${n}`,
      })),
    ]);
    const at = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 3_600_000).toISOString();
    await holding(
      Array.from({ length: 300 }, (_, n) => [
        openedPlainly(at(n), ticketId(n), `SR-${String(n).padStart(6, '0')}`, {
          buildingId: building.buildingId,
          spaceId: n % 3 === 0 ? idOf('space', n * 30) : null,
          description: n === 299 ? 'a Kontor elsewhere' : n % 2 === 0 ? 'leak' : 'noise',
        }),
      ]),
    );
  });

  /** The results must not depend on the machine's load. */
  const unhurried = { searchMaxMs: 60_000 };
  const list = (search: string, more: object = {}, tuning: Partial<Tuning> = unhurried) =>
    ticketQueries({ pool, tuning }).list({ ...ask, search, ...more });

  it('finds every ticket in one of them, and one with the word in its text', async () => {
    const found = await list('kontor');
    expect(found.total).toBe(101);
    expect(found).not.toHaveProperty('totalCapped');
    expect(found.items[0]!.description).toBe('a Kontor elsewhere');
    expect((await list('kontor', { sort: 'createdAt' })).total).toBe(101);
    expect(await list('kontor leak')).toMatchObject({ total: 50 });
    expect(await list('1.00090 kontor leak')).toMatchObject({ total: 0 });
    expect(await list('1.00180 kontor leak')).toMatchObject({ total: 1 });
    expect(await list('tower kontor', {}, { ...unhurried, searchTotalMax: 20 })).toMatchObject({
      total: 20,
      totalCapped: true,
    });
  });

  it('passes no more ids than the limit, for any words', async () => {
    const sent: unknown[] = [];
    const spied = new Proxy(pool, {
      get: (of, member) =>
        member !== 'connect'
          ? Reflect.get(of, member)
          : async () => {
              const client = await of.connect();
              const ask = client.query.bind(client);
              return Object.assign(Object.create(client) as typeof client, {
                query: async (statement: string | { text: string; values: unknown[] }) => {
                  if (typeof statement !== 'string') sent.push(...statement.values);
                  return ask(statement as string);
                },
              });
            },
    });
    const idsIn = (value: unknown) =>
      typeof value === 'string' && value.startsWith('{') ? value.split(',').length : 0;
    for (const search of ['kontor', '1.000', '1 0 2 3', '1.0001 kontor 5', 'o t']) {
      sent.length = 0;
      await ticketQueries({ pool: spied, tuning: unhurried }).list({ ...ask, search });
      const ids = sent.reduce((sum: number, value) => sum + idsIn(value), 0);
      expect(ids).toBeLessThanOrEqual(PLACES_LISTED_MAX);
    }
  });

  it('is refused once its time is up, and answered afterwards', async () => {
    const other = await pool.connect();
    await other.query('begin; lock table graph.node');
    const refused = await list('kontor', {}, {}).catch((error: unknown) => error);
    await other.query('rollback');
    other.release();
    expect(refused).toBeInstanceOf(SearchTooWide);
    expect((await list('kontor')).total).toBe(101);
  });
});
