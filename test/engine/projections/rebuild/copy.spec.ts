import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  double,
  integer,
  jsonValue,
  oneof,
  option,
  record,
  string,
} from 'fast-check';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyInto } from '../../../../src/engine/projections/rebuild/copy.ts';
import type { Projection } from '../../../../src/engine/projections/projection.ts';
import { statementsOf } from '../../../../src/engine/projections/apply/table-sql.ts';
import { UnwritableRow } from '../../../../src/engine/projections/apply/writer.ts';
import { freshDatabase } from '../../../support/postgres/database.ts';
import { type WidgetEvent, widgets } from '../../../support/consumers/sample-projection.ts';

const columns = {
  id: 'integer not null',
  words: 'text',
  flag: 'boolean',
  amount: 'double precision',
  many: 'text[]',
  plain: 'json',
  indexed: 'jsonb',
};
const shapes: Projection<WidgetEvent, Record<keyof typeof columns, unknown>> = {
  ...widgets,
  name: 'shapes',
  table: { name: 'shape', key: 'id', columns, indexes: [] },
  tallies: [],
  keyOf: () => null,
  rowAfter: () => null,
};
const { createTables, copies, tables } = statementsOf(shapes);
const shape = Object.entries(columns)
  .map(([name, type]) => `${name} ${type.replace(' not null', '')}`)
  .join(', ');

let database: Awaited<ReturnType<typeof freshDatabase>>;
let client: Client;

beforeEach(async () => {
  database = await freshDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

const found = async (from: string, values: unknown[] = []) => {
  const { rows } = await client.query<{ row: string }>(
    `select t::text as row from ${from} as t order by id`,
    values,
  );
  return rows.map(({ row }) => row);
};

/** Fills the table, reads it, and rolls back. */
const copied = async (rows: readonly object[]) => {
  const counts: number[] = [];
  await client.query('begin');
  try {
    for (const statement of createTables) await client.query(statement);
    const signal = new AbortController().signal;
    await copyInto(client, copies[0]!, rows, { signal, onRows: (count) => counts.push(count) });
    expect(counts.at(-1)).toBe(rows.length);
    return await found(tables[0]!);
  } finally {
    await client.query('rollback');
  }
};

/** The rows as a batch writes them, by JSON. */
const sent = (rows: readonly object[]) =>
  found(`(select * from json_to_recordset($1) as r (${shape}))`, [JSON.stringify(rows)]);

const words = oneof(
  constantFrom('', '\\N', '\\.', 'NULL', 'a\tb\nc\rd\\e', '"quoted"', '{a,b}', '\u{1f3a8}é'),
  string({ unit: 'grapheme' }),
).map((text) => text.replaceAll('\0', ''));

describe('COPY', () => {
  it('writes the same rows as a batch, whatever their values', async () => {
    const json = option(jsonValue({ stringUnit: 'grapheme-ascii' }));
    const values = record({
      words: option(words),
      flag: option(boolean()),
      amount: option(oneof(integer(), double())),
      many: option(array(option(words), { maxLength: 4 })),
      plain: json,
      indexed: json,
    });
    await assert(
      asyncProperty(array(values, { maxLength: 20 }), async (drawn) => {
        const rows = drawn.map((row, id) => ({ id, ...row }));
        expect(await copied(rows)).toEqual(await sent(rows));
      }),
      { numRuns: 60 },
    );
  });

  it('sends many rows in many chunks', async () => {
    const rows = Array.from({ length: 3_000 }, (_, id) => ({ id, words: 'x'.repeat(200) }));
    expect((await copied(rows)).length).toBe(3_000);
  });

  it.each([
    ['an unpaired surrogate', { words: '\ud800' }],
    ['an unpaired surrogate in JSON', { plain: { of: '\ud800' } }],
    ['U+0000 in JSON', { plain: ['\0'] }],
    ['a value that JSON cannot represent', { plain: 1n }],
  ])('refuses %s, as a batch does', async (_, row) => {
    await expect(copied([{ id: 1, ...row }])).rejects.toBeInstanceOf(UnwritableRow);
  });
});
