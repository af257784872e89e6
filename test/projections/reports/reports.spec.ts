/** Reports compared with the log, for any histories of tickets. contract.md section 5. */
import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportKinds } from '../../../src/api/reports/values.ts';
import { intervalLengths, intervalsOf } from '../../../src/domain/reports/intervals.ts';
import {
  reportGroups,
  reportNames,
  type ReportFilter,
  type ReportGroup,
} from '../../../src/domain/reports/reports.ts';
import { schemaOf } from '../../../src/engine/projections/projection.ts';
import { ticketReports } from '../../../src/projections/reports/history.ts';
import { reportQueries, type ReportQuery } from '../../../src/projections/reports/query/queries.ts';
import { anyStory, stepsOf } from '../../support/domain/ticket-stories.ts';
import { moved, opened, resolutionBreached, responded } from '../../support/domain/tickets.ts';
import { freshDatabase } from '../../support/postgres/database.ts';
import { poolOf } from '../../support/postgres/pool.ts';
import { buildings, categories, elements, spaces, storeys } from '../tickets/ticket-histories.ts';
import { storedOf, ticketTables, viewOf, type Fact } from '../tickets/ticket-tables.ts';
import { expectedValues } from './expected-reports.ts';

let pool: Pool;
let tables: Awaited<ReturnType<typeof ticketTables>>;
let drop: () => Promise<void>;

/** In place of the graph's. */
const elementTypes = { table: 'element_type', id: 'element', type: 'slug' };
const successors = { table: 'successor', id: 'former', successor: 'present' };
/** The id that a place had before an import recreated it. */
const formerOf = (id: string) => id.replace(/^0/, 'f');
const presentIds = new Map(
  [storeys, spaces, elements].map(([first]) => [formerOf(first!), first!] as const),
);
const presentOf = (id: string | null) => (id === null ? null : (presentIds.get(id) ?? id));
const slugs = new Map(elements.map((element, index) => [element, index === 0 ? 'fan' : 'pump']));

beforeAll(async () => {
  const database = await freshDatabase();
  ({ drop } = database);
  pool = poolOf(database.url, { max: 1 });
  tables = await ticketTables(pool, [ticketReports]);
  await pool.query('create table element_type (element uuid primary key, slug text not null)');
  for (const row of slugs) await pool.query('insert into element_type values ($1, $2)', row);
  await pool.query('create table successor (former uuid primary key, present uuid not null)');
  for (const row of presentIds) await pool.query('insert into successor values ($1, $2)', row);
});
afterAll(async () => {
  await pool.end();
  await drop();
});

const nullOr = <T>(...values: readonly T[]) => fc.constantFrom(null, ...values);

/** Stories of many tickets, days apart and across a change of clocks. */
const histories = fc.array(
  fc
    .record({
      story: anyStory,
      shiftMinutes: fc.nat({ max: 40 * 1_440 }),
      organisation: fc.constantFrom('acme', 'acme', 'acme', 'globex'),
      buildingId: fc.constantFrom(...buildings),
      storeyId: nullOr(...storeys, formerOf(storeys[0]!)),
      spaceId: nullOr(...spaces, formerOf(spaces[0]!)),
      elementId: nullOr(...elements, formerOf(elements[0]!)),
      category: nullOr(...categories),
      hasClocks: fc.boolean(),
    })
    .map(({ story, shiftMinutes, hasClocks, ...over }): Fact[] => {
      const clocks = hasClocks ? {} : { slaFirstResponseDueAt: null, slaResolutionDueAt: null };
      const opening = { ...opened(), ...over, ...clocks, ticketId: randomUUID() };
      const facts = stepsOf(story, opening).flatMap(({ events, occasion: { at } }) =>
        events.map((event) => ({ at, event })),
      );
      return shifted(facts, shiftMinutes);
    }),
  { minLength: 1, maxLength: 12 },
);

/** All times of the facts, this much later. */
const shifted = (facts: readonly Fact[], minutes: number): Fact[] =>
  JSON.parse(
    JSON.stringify(facts).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (at) =>
      new Date(Date.parse(at) + minutes * 60_000).toISOString(),
    ),
  );

const anyPeriod = fc.record({
  first: fc.nat({ max: 20 }),
  days: fc.integer({ min: 1, max: 60 }),
  length: fc.constantFrom(...intervalLengths),
  timeZone: fc.constantFrom('Europe/Berlin', 'UTC', 'Asia/Kathmandu', 'America/New_York'),
});
const dateOf = (days: number) =>
  new Date(Date.UTC(2026, 1, 25) + days * 86_400_000).toISOString().slice(0, 10);
const LATER = Date.parse('2100-01-01');

/** The group of a ticket, as the API shows it. */
const groupOf = (facts: readonly Fact[], group: ReportGroup): string | null => {
  const view = viewOf(facts);
  const elementId = presentOf(view.elementId);
  return {
    building: view.buildingId,
    storey: presentOf(view.storeyId),
    space: presentOf(view.spaceId),
    category: view.category,
    team: view.assignedTeamId,
    priority: view.priority,
    elementType: (elementId !== null && slugs.get(elementId)) || null,
  }[group];
};

const applied = async (log: readonly Fact[][], cut = 0) => {
  await tables.clear();
  const events = log.flatMap(storedOf);
  await tables.apply(events.slice(0, cut));
  await tables.apply(events.slice(cut));
};

const valuesOf = async (query: ReportQuery) => {
  const series = await reportQueries({ pool, elementTypes, successors }).count(query);
  return series.map(({ kind, key, cells }) => ({
    kind,
    key,
    values: cells.map(reportKinds[query.report].valueOf),
  }));
};

describe.each(reportNames)('the report of %s', (report) => {
  it('agrees with the log, in every interval, time zone and group', () =>
    fc.assert(
      fc.asyncProperty(
        histories,
        fc.nat(60),
        anyPeriod,
        fc.constantFrom(...reportGroups),
        fc.constantFrom<ReportFilter>(
          {},
          { buildingId: buildings[0], priority: ['high', 'low'] },
          { spaceId: spaces[0] },
        ),
        async (log, cut, { first, days, length, timeZone }, groupBy, filter) => {
          await applied(log, cut);
          const own = log.filter((facts) => viewOf(facts).organisationId === 'acme');
          const selected = own.filter((facts) => {
            const { buildingId, spaceId, priority } = viewOf(facts);
            return (
              buildingId === (filter.buildingId ?? buildingId) &&
              presentOf(spaceId) === (filter.spaceId ?? presentOf(spaceId)) &&
              (filter.priority ?? [priority]).includes(priority)
            );
          });
          const period = { from: dateOf(first), to: dateOf(first + days - 1), length, timeZone };
          const intervals = intervalsOf(period, LATER);
          const expected = (some: readonly Fact[][]) =>
            expectedValues(report, some, intervals, timeZone);
          const query = { report, organisation: 'acme', filter, intervals, seriesMax: 100 };

          expect(await valuesOf({ ...query, groupBy: null })).toEqual([
            { kind: 'all', key: null, values: expected(selected) },
          ]);
          const byGroup = Map.groupBy(selected, (facts) => groupOf(facts, groupBy));
          const found = await valuesOf({ ...query, groupBy });
          for (const [key, some] of byGroup) {
            const series = found.find((one) => one.key === key && one.kind !== 'others');
            // A group in which nothing happened has no series.
            const values = series?.values ?? intervals.map(() => reportKinds[report].valueOf(null));
            expect({ key, values }).toEqual({ key, values: expected(some) });
          }
          expect(found.every(({ key }) => byGroup.has(key))).toBe(true);
        },
      ),
      { numRuns: 25, endOnFailure: true },
    ));
});

it('the history is the same after a rebuild, and after another', () =>
  fc.assert(
    fc.asyncProperty(histories, fc.nat(60), async (log, cut) => {
      const held = async () => {
        const { rows } = await pool.query(
          `select * from ${schemaOf(ticketReports)}.ticket_history order by id`,
        );
        return rows;
      };
      await applied(log, cut);
      const live = await held();
      await applied(log);
      const rebuilt = await held();
      await applied(log);
      expect(rebuilt).toEqual(live);
      expect(await held()).toEqual(live);
    }),
    { numRuns: 5, endOnFailure: true },
  ));

const ticket = (at: string, category: string | null, ...later: readonly Fact[]): Fact[] => [
  { at, event: opened({ ticketId: randomUUID(), category }) },
  ...later,
];

it('an event at the start of a day belongs to that day, in every report', async () => {
  const [midnight, next] = ['2026-03-02T00:00:00.000Z', '2026-03-03T00:00:00.000Z'];
  const resolved = { at: midnight, event: moved('new', 'resolved') };
  await applied([
    ticket('2026-03-01T12:00:00.000Z', null, resolved),
    ticket(midnight, null),
    ticket(next, null),
  ]);
  const period = { from: '2026-03-02', to: '2026-03-02', length: 'day', timeZone: 'UTC' } as const;
  const query = {
    organisation: 'acme',
    filter: {},
    intervals: intervalsOf(period, LATER),
    groupBy: null,
    seriesMax: 1,
  };
  const [throughput] = await valuesOf({ ...query, report: 'throughput' });
  expect(throughput!.values).toEqual([{ created: 1, resolved: 1 }]);
  const [backlog] = await valuesOf({ ...query, report: 'backlog' });
  expect(backlog!.values).toMatchObject([{ new: 1, total: 1 }]);
});

it.each(['attainment', 'resolution'] as const)(
  'a later reopening changes no past interval of the report of %s',
  async (report) => {
    const resolved = { at: '2026-03-02T18:00:00.000Z', event: moved('new', 'resolved') };
    const raised = ticket('2026-03-02T12:00:00.000Z', null, resolved);
    const reopenedAt = '2026-03-07T09:00:00.000Z';
    const reopened = { at: reopenedAt, event: moved('resolved', 'reopened') };
    const again = { at: '2026-03-07T10:00:00.000Z', event: moved('reopened', 'resolved') };
    const period = {
      from: '2026-03-02',
      to: '2026-03-06',
      length: 'day',
      timeZone: 'UTC',
    } as const;
    const intervals = intervalsOf(period, LATER);
    const query = {
      report,
      organisation: 'acme',
      filter: {},
      groupBy: null,
      seriesMax: 1,
    } as const;
    const countedIn = async (facts: Fact[]) => {
      await applied([facts]);
      return (await valuesOf({ ...query, intervals }))[0]!.values;
    };
    const before = await countedIn(raised);
    const breached = { at: reopenedAt, event: resolutionBreached };
    expect(await countedIn([...raised, reopened, breached, again])).toEqual(before);
  },
);

it('percentiles are the smallest durations that so many are not above', async () => {
  const at = (hours: number) => new Date(Date.UTC(2026, 2, 2, hours)).toISOString();
  await applied(
    Array.from({ length: 10 }, (_, index) =>
      ticket(at(0), null, { at: at(index + 1), event: responded }),
    ),
  );
  const period = { from: '2026-03-02', to: '2026-03-02', length: 'day', timeZone: 'UTC' } as const;
  const intervals = intervalsOf(period, LATER);
  const query = { organisation: 'acme', filter: {}, intervals, groupBy: null, seriesMax: 1 };
  const [series] = await valuesOf({ ...query, report: 'response' });
  expect(series!.values).toMatchObject([{ count: 10, medianMinutes: 300, p90Minutes: 540 }]);
});

describe('a grouped report', () => {
  const query = {
    report: 'throughput',
    organisation: 'acme',
    filter: {},
    intervals: intervalsOf(
      { from: '2026-01-01', to: '2026-03-31', length: 'month', timeZone: 'UTC' },
      LATER,
    ),
    groupBy: 'category',
    seriesMax: 2,
  } as const;

  it('has the largest groups first, then tickets without one, then all others', async () => {
    const counts = { c: 3, b: 2, a: 2, d: 1 };
    const months = ['2026-01', '2026-02', '2026-03'];
    await applied([
      ...Object.entries(counts).flatMap(([category, count]) =>
        Array.from({ length: count }, (_, at) =>
          ticket(`${months[at]}-10T12:00:00.000Z`, category),
        ),
      ),
      ticket('2026-02-10T12:00:00.000Z', null),
    ]);
    const created = (await valuesOf(query)).map(({ kind, key, values }) => [
      kind,
      key,
      values.map((value) => value['created']),
    ]);
    expect(created).toEqual([
      ['group', 'c', [1, 1, 1]],
      ['group', 'a', [1, 1, 0]],
      ['none', null, [0, 1, 0]],
      ['others', null, [2, 1, 0]],
    ]);
  });

  it('ranks a backlog by tickets open at the start and raised since', async () => {
    await applied([
      ticket('2025-06-10T12:00:00.000Z', 'old'),
      ticket('2025-07-10T12:00:00.000Z', 'old'),
      ticket('2026-02-10T12:00:00.000Z', 'new'),
    ]);
    const series = await valuesOf({ ...query, report: 'backlog', seriesMax: 1 });
    expect(
      series.map(({ kind, key, values }) => [kind, key, values.map((one) => one['total'])]),
    ).toEqual([
      ['group', 'old', [2, 2, 2]],
      ['others', null, [0, 1, 1]],
    ]);
  });

  it('stops its queries when its caller disconnects', async () => {
    const gone = AbortSignal.abort(new Error('gone'));
    await expect(
      reportQueries({ pool, elementTypes, successors }).count(query, gone),
    ).rejects.toThrow('gone');
  });
});
