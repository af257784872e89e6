import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { TicketBody } from '../../../src/api/tickets/schemas.ts';
import { ticketBodyOf } from '../../../src/api/tickets/wire.ts';
import { publicTicket } from '../../../src/domain/tickets/public-ticket.ts';
import { nextDueAt, reporterOf, type TicketView } from '../../../src/domain/tickets/view.ts';
import { loadedRowOf, statementsOf } from '../../../src/engine/projections/apply/table-sql.ts';
import { schemaOf } from '../../../src/engine/projections/projection.ts';
import { ticketList, type TicketListRow } from '../../../src/projections/tickets/list.ts';
import { ticketQueries } from '../../../src/projections/tickets/query/queries.ts';
import { freshDatabase } from '../../support/postgres/database.ts';
import { histories, openedPlainly } from './ticket-histories.ts';
import { storedOf, ticketTables, viewOf, type Fact } from './ticket-tables.ts';
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

const schema = schemaOf(ticketList);
const now = '2026-03-01T00:00:00.000Z';

/** Everything the table of the list holds, in an order of its own. */
const held = async () => {
  const { rows } = await pool.query<TicketListRow>(
    `select ${statementsOf(ticketList).members} from ${schema}.ticket_list order by id`,
  );
  return rows.map((row) => loadedRowOf(ticketList.table)({ ...row }));
};

const rowOf = (view: TicketView): TicketListRow => ({
  ...view,
  nextDueAt: nextDueAt(view),
  reporterUserId: reporterOf(view),
});

/** The counts of one tally, by these columns. */
const counted = async (name: string, columns: readonly string[]) => {
  const { rows } = await pool.query<{ key: string; n: number }>(
    `select concat_ws('|', ${columns.join(', ')}) as key, sum(n)::int as n from ${schema}.${name}
     group by 1`,
  );
  return Object.fromEntries(rows.map(({ key, n }) => [key, n]));
};

const countBy = (keys: readonly string[]) => {
  const counts: Record<string, number> = {};
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
};

it('shows each ticket as its view, however its history is cut into batches', () =>
  fc.assert(
    fc.asyncProperty(histories(0), fc.nat(200), async (histories, cut) => {
      await tables.clear();
      const log = histories.flatMap(storedOf);
      await tables.apply(log.slice(0, cut));
      await tables.apply(log.slice(cut));
      const rows = histories.map(viewOf).map((view) => [view.id, rowOf(view)] as const);
      expect(new Map((await held()).map((row) => [row['id'], row]))).toEqual(new Map(rows));
      const ask = { organisation: 'acme', now, page: 1, limit: 1_000 };
      const { items } = await ticketQueries({ pool }).list(ask);
      const listed = histories.map(viewOf).filter(({ organisationId: of }) => of === 'acme');
      expect(new Set(items)).toEqual(new Set(listed));
      // The text of an answer is the one that its schema prints.
      const { items: printed } = await ticketQueries({ pool }).printed(ask);
      const bodies = items.map((view) => z.encode(TicketBody, ticketBodyOf(view)));
      expect(`[${printed.join(',')}]`).toBe(JSON.stringify(bodies));
    }),
    { numRuns: 25, endOnFailure: true },
  ));

it('keeps every tally in step with the tickets', () =>
  fc.assert(
    fc.asyncProperty(histories(0), fc.nat(200), async (histories, cut) => {
      await tables.clear();
      const log = histories.flatMap(storedOf);
      await tables.apply(log.slice(0, cut));
      await tables.apply(log.slice(cut));
      const views = histories.map(viewOf);
      const cell = ['building_id', 'state', 'priority'];
      const cellOf = (view: TicketView) => [view.buildingId, view.state, view.priority].join('|');
      const filed = ["coalesce(category, 'none')", ...cell];
      const filedOf = (view: TicketView) => [view.category ?? 'none', cellOf(view)].join('|');

      expect(await counted('ticket_count', ['organisation_id', ...filed])).toEqual(
        countBy(views.map((view) => `${view.organisationId}|${filedOf(view)}`)),
      );
      expect(
        await counted('ticket_count_by_team', ['organisation_id', 'assigned_team_id', ...filed]),
      ).toEqual(
        countBy(
          views
            .filter((view) => view.assignedTeamId !== null)
            .map((view) => [view.organisationId, view.assignedTeamId, filedOf(view)].join('|')),
        ),
      );
      expect(await counted('ticket_count_by_month', ['organisation_id', 'month', ...cell])).toEqual(
        countBy(
          views.map((view) =>
            [view.organisationId, view.createdAt.slice(0, 7), cellOf(view)].join('|'),
          ),
        ),
      );
    }),
    { numRuns: 25, endOnFailure: true },
  ));

const opened = (changes: object = {}): Fact =>
  openedPlainly(
    '2026-02-01T09:00:00.000Z',
    '01930000-0000-7000-8000-000000000001',
    'SR-000001',
    changes,
  );

it('accepts the longest permitted texts', async () => {
  await tables.clear();
  // Each its own, so that no compression makes room for it.
  const long = (seed: number) =>
    Array.from({ length: 200 }, (_, i) =>
      String.fromCodePoint(0x1_0000 + ((i * 7_919 + seed * 104_729) % 0xf_0000)),
    ).join('');
  const facts: Fact[] = [
    opened({ category: long(1), subject: long(2), description: long(3).repeat(100) }),
    {
      at: '2026-02-01T09:00:01.000Z',
      event: { type: 'TicketAssigned', assignedUserId: long(4), assignedTeamId: long(5) },
    },
  ];
  await tables.apply(storedOf(facts));
  const query = { organisation: 'acme', now, page: 1, limit: 50 };
  const { items } = await ticketQueries({ pool }).list({
    ...query,
    category: [long(1)],
    assignedUserId: long(4),
    assignedTeamId: long(5),
    search: long(3),
  });
  expect(items).toEqual([viewOf(facts)]);
});

it('returns metadata unchanged, member by member', async () => {
  await tables.clear();
  const metadata: unknown = JSON.parse('{"b":1,"a":{"__proto__":[1e300,-0.5]},"":null}');
  await tables.apply(storedOf([opened({ metadata })]));
  const { items } = await ticketQueries({ pool }).list({
    organisation: 'acme',
    now,
    page: 1,
    limit: 50,
  });
  expect(JSON.stringify(items[0]?.metadata)).toBe(JSON.stringify(metadata));
});

it('increases its version with new members of public tickets, whose texts are stored', () => {
  const members = Object.keys(publicTicket(viewOf([opened()]))).join(' ');
  const digest = createHash('sha256').update(members).digest('hex').slice(0, 12);
  expect([ticketList.version, digest]).toEqual([9, '70fec6009d00']);
});
