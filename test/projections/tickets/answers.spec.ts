/** The answers of forms by which lists are filtered. contract.md section 5. */
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OPTION_VALUE_CHARACTERS_MAX } from '../../../src/domain/service-desk/limits.ts';
import { schemaOf } from '../../../src/engine/projections/projection.ts';
import { ticketAnswers } from '../../../src/projections/tickets/answers.ts';
import { ANSWERED_FIELDS_MAX } from '../../../src/projections/tickets/limits.ts';
import { pairOf } from '../../../src/projections/tickets/pairs.ts';
import { freshDatabase } from '../../support/postgres/database.ts';
import { poolOf } from '../../support/postgres/pool.ts';
import { openedPlainly } from './ticket-histories.ts';
import { storedOf, ticketTables, type Fact } from './ticket-tables.ts';

const ID = '00000000-0000-4000-8000-000000000001';

let pool: Pool;
let tables: Awaited<ReturnType<typeof ticketTables>>;
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await freshDatabase();
  ({ drop } = database);
  pool = poolOf(database.url, { max: 1 });
  tables = await ticketTables(pool, [ticketAnswers]);
});
afterAll(async () => {
  await pool.end();
  await drop();
});

const opened = (formData: object) =>
  openedPlainly('2026-01-01T00:00:00.000Z', ID, 'SR-000001', { formData });
const edited = (formData: object): Fact => ({
  at: '2026-01-02T00:00:00.000Z',
  event: { type: 'TicketEdited', changes: { formData: formData as never } },
});
/** Of which it has lines, and how often a row has been written. */
const held = async (facts: readonly Fact[]) => {
  await tables.clear();
  await tables.apply(storedOf(facts));
  const { rows } = await pool.query<{ pair: string }>(
    `select pair from ${schemaOf(ticketAnswers)}.pair where n > 0`,
  );
  return rows.map(({ pair }) => pair).sort();
};
const pairs = (...all: readonly (readonly [string, string])[]) =>
  all.map(([key, answer]) => pairOf(key, answer)).sort();

it('are options, yes and no, and each of several, with the key of their field', async () => {
  const longest = '🚰'.repeat(OPTION_VALUE_CHARACTERS_MAX);
  const formData = { source: longest, wet: false, parts: ['door', 'lock', 'door'] };
  expect(await held([opened(formData)])).toEqual(
    pairs(['source', longest], ['wet', 'false'], ['parts', 'door'], ['parts', 'lock']),
  );
});

it('exclude values that cannot be options, and invalid keys', async () => {
  const others = { count: 1, blank: '', long: 'x'.repeat(101), none: null, deep: { a: 'b' } };
  expect(await held([opened({ ...others, '1st': 'a', mixed: [1, 'a', null] })])).toEqual(
    pairs(['mixed', 'a']),
  );
});

it('are those of the last change', async () => {
  const first = opened({ source: 'tap', wet: true });
  expect(await held([first, edited({ source: 'pipe' })])).toEqual(pairs(['source', 'pipe']));
  const again = [first, edited({ source: 'pipe' }), edited({ wet: true, source: 'tap' })];
  expect(await held(again)).toEqual(pairs(['source', 'tap'], ['wet', 'true']));
});

it('are bounded in number: the last fields count', async () => {
  const formData = Object.fromEntries(
    Array.from({ length: ANSWERED_FIELDS_MAX + 1 }, (_, at) => [`f${at}`, true]),
  );
  const all = await held([opened(formData)]);
  expect(all).toHaveLength(ANSWERED_FIELDS_MAX);
  expect(all).not.toContain(pairOf('f0', 'true'));
});

it('leave the row unchanged by a change without answers', () => {
  const { stream } = storedOf([opened({})])[0]!;
  const row = { id: ID, organisationId: 'acme', createdAt: '', pairs: pairs(['wet', 'true']) };
  const after = (event: Fact['event']) =>
    ticketAnswers.rowAfter({ event, stream, at: '' } as never, row);
  expect(after({ type: 'FirstResponseMade' })).toBe(row);
  expect(after({ type: 'TicketEdited', changes: { subject: 'x' } })).toBe(row);
  expect(after({ type: 'TicketEdited', changes: { formData: { wet: true, count: 2 } } })).toBe(row);
});
