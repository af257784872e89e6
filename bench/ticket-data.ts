/**
 * The data of a large service desk: three organisations; twenty buildings, one of them with 40 % of
 * the tickets; 70 % of the tickets closed; words and categories by Zipf's law. Deterministic.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Pool } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { snake, type AnyProjection, type Tally } from '../src/engine/projections/projection.ts';
import { statementsOf } from '../src/engine/projections/apply/table-sql.ts';
import { writeDueWords } from '../src/building/graph/place-words.ts';
import { migrate } from '../src/engine/postgres/migrate.ts';
import { migrations } from '../src/migrations/migrations.ts';
import { documentOf } from '../src/projections/tickets/document.ts';
import { answersIn } from '../src/projections/tickets/answers.ts';
import type { TicketPairsRow } from '../src/projections/tickets/pairs.ts';
import type { TicketListRow } from '../src/projections/tickets/list.ts';
import type { TicketSearchRow } from '../src/projections/tickets/search.ts';

/** A seeded sequence of pseudo-random numbers in [0, 1). */
export const chance = (seed: number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
};

const zipf = (n: number) => {
  const sums: number[] = [];
  for (let i = 1, sum = 0; i <= n; i += 1) sums.push((sum += 1 / i));
  return (at: number) => {
    const target = at * sums.at(-1)!;
    let [low, high] = [0, n - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle]! < target) low = middle + 1;
      else high = middle;
    }
    return low;
  };
};

const uuid = (kind: number, n: number) =>
  `${String(kind).padStart(8, '0')}-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;

/** Ids are minted in the order of time, as Atrium's are. */
const mintedId = (createdAt: string, n: number) => {
  const ms = Date.parse(createdAt).toString(16).padStart(12, '0');
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-${n.toString(16).padStart(12, '0')}`;
};

const STATES: readonly (readonly [TicketListRow['state'], number])[] = [
  ['closed', 0.7],
  ['resolved', 0.08],
  ['cancelled', 0.05],
  ['in_progress', 0.05],
  ['triaged', 0.05],
  ['new', 0.03],
  ['waiting', 0.03],
  ['reopened', 0.01],
];
const PRIORITIES: readonly (readonly [TicketListRow['priority'], number])[] = [
  ['medium', 0.5],
  ['low', 0.3],
  ['high', 0.15],
  ['critical', 0.05],
];
const weighed = <T>(table: readonly (readonly [T, number])[], at: number): T => {
  let left = at;
  for (const [value, weight] of table) if ((left -= weight) < 0) return value;
  return table[0]![0];
};

export const PERIOD_START = Date.parse('2023-01-01T00:00:00.000Z');
export const NOW = '2026-01-01T00:00:00.000Z';

export interface Desk {
  readonly tickets: number;
  readonly words: readonly string[];
  readonly categories: readonly string[];
  buildingOf(organisation: string, nth: number): string;
  rows(): Generator<TicketListRow>;
}

const organisations = [
  { name: 'acme', buildings: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] },
  { name: 'globex', buildings: [10, 11, 12, 13, 14, 15] },
  { name: 'initech', buildings: [16, 17, 18, 19] },
];

export const desk = (tickets: number): Desk => {
  const draw = chance(1);
  const letters = 'eeeetttaaaooiinnsshhrrddlcumwfgypbvk';
  const words = new Set<string>();
  while (words.size < 4_000) {
    const length = 3 + Math.floor(draw() * 7);
    words.add(Array.from({ length }, () => letters[Math.floor(draw() * letters.length)]).join(''));
  }
  const vocabulary = [...words];
  const word = zipf(vocabulary.length);
  const categories = Array.from({ length: 15 }, (_, i) => `category-${i}`);
  const category = zipf(categories.length);
  const owner = zipf(40);

  return {
    tickets,
    words: vocabulary,
    categories,
    buildingOf: (organisation, nth) =>
      uuid(1, organisations.find(({ name }) => name === organisation)!.buildings[nth]!),

    *rows() {
      const pick = chance(2);
      // A separate sequence, so that the other members are as in earlier measurements.
      const change = chance(3);
      const reporter = zipf(2_000);
      const answer = chance(4);
      const step = (Date.parse(NOW) - PERIOD_START) / tickets;
      for (let n = 0; n < tickets; n += 1) {
        const building = pick() < 0.4 ? 0 : 1 + Math.floor(pick() * 19);
        const organisation = organisations.find(({ buildings }) => buildings.includes(building))!;
        const storey = building * 20 + Math.floor(pick() * 20);
        const space = storey * 20 + Math.floor(pick() * 20);
        const element = space * 2 + Math.floor(pick() * 2);
        // The oldest tickets are closed, so most open ones are among the newest, as on a real desk.
        const recent = n > tickets * 0.7 || pick() < 0.02;
        const state = weighed(STATES, pick());
        const done = ['closed', 'resolved', 'cancelled'].includes(state);
        const createdAt = new Date(PERIOD_START + n * step + pick() * step).toISOString();
        const text = Array.from({ length: 36 }, () => vocabulary[word(pick())]!);
        const late = pick() < 0.06;
        const dueAt = late || !recent ? createdAt : new Date(Date.parse(NOW) + 864e5).toISOString();
        yield {
          id: mintedId(createdAt, n),
          organisationId: organisation.name,
          number: `SR-${String(n).padStart(6, '0')}`,
          buildingId: uuid(1, building),
          storeyId: pick() < 0.9 ? uuid(2, storey) : null,
          spaceId: pick() < 0.8 ? uuid(3, space) : null,
          elementId: pick() < 0.5 ? uuid(4, element) : null,
          requestType: 'general',
          subject: text.slice(0, 5).join(' '),
          description: text.slice(5).join(' '),
          priority: weighed(PRIORITIES, pick()),
          category: pick() < 0.95 ? categories[category(pick())]! : null,
          channel: 'portal',
          reporterName: null,
          reporterEmail: null,
          reporterPhone: null,
          reporterErased: false,
          formData: {
            wet: answer() < 0.5,
            size: answer() < 0.01 ? 'large' : 'small',
            parts: ['door', 'lock', 'hinge'].filter(() => answer() < 0.2),
          },
          metadata: { source: 'bench', externalId: String(n) },
          state,
          slaFirstResponseDueAt: createdAt,
          slaFirstResponseEndedAt: createdAt,
          slaFirstResponseBreached: false,
          slaResolutionDueAt: dueAt,
          slaResolutionBreached: false,
          slaPauses: false,
          slaPausedAt: null,
          firstRespondedAt: createdAt,
          resolvedAt: null,
          closedAt: null,
          assignedUserId: pick() < 0.7 ? `user-${Math.floor(pick() * 300)}` : null,
          assignedTeamId: pick() < 0.8 ? `team-${owner(pick())}` : null,
          workOrderId: null,
          workOrderIds: [],
          workOrderLinks: [],
          faultId: null,
          rating: null,
          createdAt,
          createdBy: { kind: 'user', id: 'bench' },
          updatedAt: new Date(
            Math.min(Date.parse(NOW), Date.parse(createdAt) + change() ** 4 * 400 * 864e5),
          ).toISOString(),
          revision: 0,
          nextDueAt: done
            ? null
            : late
              ? createdAt
              : new Date(Date.parse(NOW) + change() * 7 * 864e5).toISOString(),
          reporterUserId: change() < 0.7 ? `requester-${reporter(change())}` : null,
        };
      }
    },
  };
};

export const searchRowOf = (row: TicketListRow): TicketSearchRow => ({
  id: row.id,
  organisationId: row.organisationId,
  buildingId: row.buildingId,
  storeyId: row.storeyId,
  spaceId: row.spaceId,
  elementId: row.elementId,
  createdAt: row.createdAt,
  document: documentOf(row),
});

export const answersRowOf = (row: TicketListRow): TicketPairsRow => ({
  id: row.id,
  organisationId: row.organisationId,
  createdAt: row.createdAt,
  pairs: answersIn(row.formData),
});

/** The places of the tickets, and 5,000 rooms without tickets in acme's first building. */
export const loadPlaces = async (pool: Pool): Promise<void> => {
  const took = stopwatch('places');
  await migrate(pool, migrations);
  await pool.query('truncate graph.site, graph.building, graph.node cascade');
  for (const { name, buildings } of organisations) {
    await pool.query(
      `with site as (
         insert into graph.site (id, organisation, code, name)
         values (gen_random_uuid(), $1, 'S', 'S') returning id)
       insert into graph.building (id, organisation, site_id)
       select building, $1, site.id from unnest($2::uuid[]) building, site`,
      [name, buildings.map((building) => uuid(1, building))],
    );
  }
  const nodes = organisations.flatMap(({ buildings }) => buildings.flatMap((b) => [...nodesOf(b)]));
  for (let n = 0; n < VACANT_ROOMS; n += 1)
    nodes.push([uuid(5, n), 0, 'space', `V.${n}`, `Vacant ${n}`]);
  await pool.query(
    `insert into graph.node (id, building_id, kind, code, name)
     select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[])`,
    [
      nodes.map(([id]) => id),
      nodes.map(([, building]) => uuid(1, building)),
      ...[2, 3, 4].map((at) => nodes.map((node) => node[at])),
    ],
  );
  took(`${nodes.length} rows`);
  while ((await writeDueWords(pool)) > 0);
  took('words');
  await pool.query('vacuum analyze graph.node, graph.building');
};

const VACANT_ROOMS = 5_000;

function* nodesOf(
  building: number,
): Generator<[id: string, building: number, kind: string, code: string, name: string]> {
  const two = (n: number) => String(n).padStart(2, '0');
  yield [uuid(1, building), building, 'building', `B${two(building)}`, `Building ${two(building)}`];
  for (let s = 0; s < 20; s += 1) {
    const storey = building * 20 + s;
    yield [uuid(2, storey), building, 'storey', `S${two(s)}`, `Level ${two(s)}`];
    for (let r = 0; r < 20; r += 1) {
      const space = storey * 20 + r;
      const code = `${building}.${two(s)}.${two(r)}`;
      yield [uuid(3, space), building, 'space', code, `Kontor ${two(r)}`];
      for (const e of [0, 1])
        yield [uuid(4, space * 2 + e), building, 'element', `AHU-${code}-${e}`, `Air handler ${e}`];
    }
  }
}

/** Loads tables, rows by COPY, indexes, tallies, statistics. Prints the duration of each. */
export const load = async (
  pool: Pool,
  projection: AnyProjection,
  rows: Iterable<object>,
): Promise<void> => {
  const took = stopwatch(projection.name);
  const { schema, createTables, createKeys, createIndexes, tables, copies } =
    statementsOf(projection);
  const client = await pool.connect();
  try {
    await client.query(`set maintenance_work_mem = '512MB'`);
    await client.query(`drop schema if exists ${schema} cascade`);
    for (const statement of createTables) await client.query(statement);
    const { columns } = copies[0]!;
    const tallies = (projection.tallies ?? []) as readonly Tally<object>[];
    const counts = tallies.map(() => new Map<string, number>());
    const lines = function* () {
      for (const row of rows) {
        tallies.forEach((tally, i) => {
          for (const key of tally.keysOf(row).map((key) => JSON.stringify(key)))
            counts[i]!.set(key, (counts[i]!.get(key) ?? 0) + 1);
        });
        const values = row as Record<string, unknown>;
        yield lineOf(columns.map(({ member, of }) => (of ? of(row) : values[member])));
      }
    };
    const copy = (table: string, source: Iterable<string>) =>
      pipeline(Readable.from(source), client.query(copyFrom(`copy ${table} from stdin`)));
    await copy(`${tables[0]} (${columns.map(({ member }) => snake(member)).join(', ')})`, lines());
    took('rows copied');
    for (const statement of [...createKeys, ...createIndexes]) {
      await client.query(statement);
      took(statement.replaceAll(/\s+/g, ' ').slice(0, 90));
    }
    for (const [i, table] of tables.slice(1).entries()) {
      const counted = [...counts[i]!];
      await copy(
        table,
        counted.map(([key, n]) => lineOf([...(JSON.parse(key) as unknown[]), n])),
      );
      took(`${table}: ${counted.length} counts`);
    }
    for (const table of tables) await client.query(`vacuum analyze ${table}`);
    took('vacuum');
  } finally {
    client.release();
  }
};

const lineOf = (values: readonly unknown[]): string =>
  `${values
    .map((value) => {
      if (value === null) return '\\N';
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
    })
    .join('\t')}\n`;

const stopwatch = (name: string) => {
  let since = performance.now();
  return (what: string) => {
    const now = performance.now();
    console.log(`${name.padEnd(14)} ${((now - since) / 1_000).toFixed(1).padStart(6)} s  ${what}`);
    since = now;
  };
};
