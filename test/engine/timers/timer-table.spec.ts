import { afterEach, beforeEach, expect, it } from 'vitest';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { openDatabase, type Database } from '../../../src/engine/postgres/pool.ts';
import { statementsOf } from '../../../src/engine/projections/apply/table-sql.ts';
import type { Projection } from '../../../src/engine/projections/projection.ts';
import { dueRowsOf } from '../../../src/engine/timers/timer-table.ts';
import { freshDatabase } from '../../support/postgres/database.ts';

interface Row {
  readonly id: string;
  readonly dueAt: string | null;
}

const projection: Projection<{ type: 'Asked' }, Row> = {
  name: 'reminders',
  version: 1,
  categories: ['reminder'],
  codec: {
    decode() {
      throw new Error('no event is read');
    },
  },
  table: {
    name: 'reminder',
    key: 'id',
    columns: { id: 'integer not null', dueAt: 'timestamptz' },
    indexes: ['create index on $table (due_at) where due_at is not null'],
  },
  keyOf: () => null,
  rowAfter: () => null,
};
const ROWS = 20_000;
const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString();
const aside = (id: number, dueAt = at(id)) => ({ key: String(id), dueAt });

let database: Awaited<ReturnType<typeof freshDatabase>>;
let db: Database;

beforeEach(async () => {
  database = await freshDatabase();
  db = openDatabase({ url: database.url, logger: loggerOf('silent') });
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

it('finds the next due time that is not parked, without reading the whole table', async () => {
  const sent: { text: string; values: unknown[] }[] = [];
  const pool = new Proxy(db.pool, {
    get: (target, member) => (statement: (typeof sent)[number]) => {
      expect(member).toBe('query');
      sent.push(statement);
      return target.query(statement);
    },
  });
  const { next } = dueRowsOf({ name: 'reminding', projection, dueAt: 'dueAt' }, pool);
  expect(await next([])).toBeNull();

  for (const statement of statementsOf(projection).create) await db.pool.query(statement);
  expect(await next([])).toBeNull();
  await db.pool.query(
    `insert into reminders_v1.reminder (id, due_at)
     select n, case when n > 0 then timestamptz '2026-01-01Z' + n * interval '1 second' end
     from generate_series(-2, $1) as n`,
    [ROWS],
  );
  expect(await next([])).toBe(at(1));
  // A row with another due time is another timer.
  expect(await next([aside(2), aside(1), aside(3, at(9))])).toBe(at(3));

  const { text, values } = sent.at(-1)!;
  const { rows } = await db.pool.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Index Scan.*due_at/s);
});
