import * as fc from 'fast-check';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  SearchTooWide,
  ticketQueries,
  type Tuning,
} from '../../../src/projections/tickets/query/queries.ts';
import { documentAfter, documentOf, wordsOf } from '../../../src/projections/tickets/document.ts';
import { schemaOf } from '../../../src/engine/projections/projection.ts';
import { ticketSearch } from '../../../src/projections/tickets/search.ts';
import { rowsAfter } from '../../support/log/memory-index.ts';
import { freshDatabase } from '../../support/postgres/database.ts';
import { buildings, text, openedPlainly } from './ticket-histories.ts';
import { folded } from './expected-lists.ts';
import { storedOf, ticketTables, type Fact } from './ticket-tables.ts';
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

const idOf = (n: number) => `01930000-0000-7000-8000-${String(n).padStart(12, '0')}`;
interface Texts {
  readonly organisation?: string;
  readonly number?: string;
  readonly subject?: string | null;
  readonly description?: string;
}
const opened = (n: number, texts: Texts = {}): Fact =>
  openedPlainly(
    new Date(Date.UTC(2026, 0, 1) + n * 3_600_000).toISOString(),
    idOf(n),
    'SR-000042',
    texts,
  );
const edited = (changes: { subject?: string | null; description?: string }): Fact => ({
  at: '2026-02-01T00:00:00.000Z',
  event: { type: 'TicketEdited', changes },
});

/** The newest months first, or all months in one query. */
const ways: Partial<Tuning>[] = [{ searchFirstRows: 1 }, { searchFirstRows: 1_000_000 }];

const found = async (search: string, tuning: Partial<Tuning> = {}) =>
  ticketQueries({ pool, tuning }).list({
    organisation: 'acme',
    now: '2026-03-01T00:00:00.000Z',
    page: 1,
    limit: 50,
    search,
  });

/** Newer tickets of another month, which have none of the words. */
const others = Array.from({ length: 20 }, (_, n) => [
  opened(2_000 + n, { number: '~', description: '~' }),
]);

const finds = async (texts: Texts, search: string) => {
  await tables.clear();
  await tables.apply([[opened(1, texts)], ...others].flatMap(storedOf));
  const totals: number[] = [];
  for (const way of ways) totals.push((await found(search, way)).total);
  expect(new Set(totals).size).toBe(1);
  return totals[0] === 1;
};

describe('a search', () => {
  it.each([
    ['part of a word', { description: 'The airhandler rattles' }, 'hand'],
    [
      'every word, in any order and field',
      { subject: 'Lift 3', description: 'stuck' },
      'stuck SR-',
    ],
    ['a number', { number: 'SR-000042' }, 'SR-000042'],
    ['a number within a longer one', { number: 'SR-0000421' }, 'SR-000042'],
    ['a number named in another ticket', { description: 'like SR-000777' }, 'sr-000777'],
    ['whatever the case', { description: 'ÜBERLAUF im KELLER' }, 'überlauf keller'],
    ['a dotted capital I as its lower case', { description: 'İSTANBUL' }, 'i̇stanbul'],
    ['a capital sharp s', { description: 'STRAẞE' }, 'straße'],
    ['ss for a sharp s', { description: 'Straße' }, 'STRASSE'],
    ['a sharp s for ss', { description: 'Strasse' }, 'straße'],
    ['letters for their ligature', { description: 'oﬃce' }, 'office'],
    ['a dotless i for a dotted one', { description: 'DIŞ KAPI' }, 'dış kapı'],
    ['a dotted capital I for either', { description: 'ışık' }, 'İŞİK'],
    ['a wide letter for a narrow one', { description: 'ＡＨＵ７' }, 'ahu7'],
    ['an accent however it is typed', { description: 'Tu\u0308r' }, 'tür'],
    ['a sigma at the end of a word or within', { description: 'ΟΔΟΣ' }, 'οδοσ'],
    ['an apostrophe as a phone types it', { description: 'It won’t close' }, "won't"],
    ['an apostrophe as a keyboard types it', { description: "It won't close" }, 'won’t'],
    ['a hyphen of any kind', { subject: 'wi‑fi', description: 'B–12' }, 'Wi-Fi b—12'],
    ['a short number with a hyphen of any kind', { number: 'SR-000042' }, 'SR‑42'],
    ['a word with soft hyphens', { description: 'hea\u00adting' }, 'heating'],
    ['anything for a soft hyphen alone', { description: 'abc' }, '\u00ad abc'],
    ['one letter', { description: 'Room q' }, 'Q'],
    ['two letters', { description: 'an ox' }, 'ox'],
    ['two letters within a word', { description: 'boxes' }, 'ox'],
    ['two letters at the end of a word', { description: 'ox cart' }, 'ox'],
    ['two letters at the end of a field', { subject: 'an ox', description: 'x' }, 'ox'],
    ['two letters before a stop', { description: 'an ox.' }, 'ox'],
    ['two letters before a wide letter', { description: 'ox漏' }, 'ox'],
    ['two digits', { description: 'room 47' }, '47'],
    ['two letters and one', { description: 'an ox' }, 'n ox'],
    ['a wide letter', { description: '天井から漏水' }, '漏'],
    ['an emoji', { description: 'help 😀' }, '😀'],
    ['a per cent sign', { description: 'valve at 100%' }, '100%'],
    ['an underscore', { description: 'tag ahu_7' }, 'u_7'],
    ['a backslash', { description: String.raw`C:\temp` }, String.raw`c:\t`],
    ['quotes', { description: `the "big" o'ring` }, `"big" o'r`],
    ['letters that stand for others inside', { description: 'AGHB GHIJ' }, 'aghb'],
    ['words between any white space', { description: 'a b' }, 'a\u00a0b'],
  ])('finds %s', async (_, texts, search) => expect(await finds(texts, search)).toBe(true));

  it.each([
    ['a word across the seam of two fields', { subject: 'abc', description: 'def' }, 'cd'],
    ['a word across the seam of two words', { description: 'abc def' }, 'cd'],
    ['two letters that stand apart', { description: 'o x' }, 'ox'],
    ['words of which one is missing', { description: 'abc def' }, 'abc xyz'],
    ['anything for a per cent sign', { description: 'valve at 1000' }, '1%0'],
    ['any letter for an underscore', { description: 'tag ahux7' }, 'u_7'],
    ['a letter for a backslash before it', { description: 'temp' }, String.raw`\temp`],
    ['half of an emoji', { description: '😀' }, '😁'],
    ['a letter for the same with an accent', { description: 'Tür' }, 'tur'],
    ['a spelling of what is inside', { description: 'ü' }, 'AVS'],
  ])('does not find %s', async (_, texts, search) =>
    expect(await finds(texts, search)).toBe(false),
  );

  it('finds every ticket for white space alone', async () => {
    await tables.clear();
    await tables.apply(others.flatMap(storedOf));
    expect((await found(' \t\n')).total).toBe(20);
  });

  it('has no words for soft hyphens alone', () => expect(wordsOf(' \u00ad \u00ad')).toEqual([]));

  it('finds the latest text, and not earlier ones', async () => {
    await tables.clear();
    const facts = [opened(1, { subject: 'pump', description: 'hums' })];
    await tables.apply(storedOf([...facts, edited({ subject: 'fan' })]));
    expect((await found('fan hums')).total).toBe(1);
    expect((await found('pump')).total).toBe(0);
    await tables.clear();
    await tables.apply(storedOf([...facts, edited({ subject: null })]));
    expect((await found('pump')).total).toBe(0);
    await tables.clear();
    await tables.apply(storedOf([...facts, edited({ description: 'drips' })]));
    expect((await found('pump drips sr-000042')).total).toBe(1);
  });

  it('is counted up to its limit, and pages go on beyond', async () => {
    await tables.clear();
    const histories = Array.from({ length: 9 }, (_, n) => [
      opened(n, { description: `leak ${n}` }),
    ]);
    await tables.apply(histories.flatMap(storedOf));
    for (const way of ways) {
      const query = { organisation: 'acme', now: '2026-03-01T00:00:00.000Z', search: 'leak' };
      const ask = (searchTotalMax: number, page: number) =>
        ticketQueries({ pool, tuning: { ...way, searchTotalMax } }).list({
          ...query,
          page,
          limit: 3,
        });
      expect(await ask(9, 1)).not.toHaveProperty('totalCapped');
      expect(await ask(9, 1)).toMatchObject({ total: 9 });
      const first = await ask(4, 1);
      expect(first.items.map(({ id }) => id)).toEqual([8, 7, 6].map(idOf));
      const capped = await ask(4, 3);
      expect(capped).toMatchObject({ total: 4, totalCapped: true });
      expect(capped.items.map(({ id }) => id)).toEqual([2, 1, 0].map(idOf));
      expect((await ask(4, 4)).items).toEqual([]);
    }
  });

  it('does not look into the tickets of another organisation', async () => {
    await tables.clear();
    // Even where the log says that both are in one building.
    await tables.apply([
      ...storedOf([opened(1, { description: 'secret' })]),
      ...storedOf([opened(2, { organisation: 'globex' })]),
    ]);
    for (const tuning of ways) {
      const page = await ticketQueries({ pool, tuning }).list({
        organisation: 'globex',
        now: '2026-03-01T00:00:00.000Z',
        page: 1,
        limit: 50,
        search: 'secret',
        buildingId: buildings[0],
      });
      expect(page).toMatchObject({ items: [], total: 0 });
    }
  });
});

describe('a slow search', () => {
  const ask = { organisation: 'acme', now: '2026-06-01T00:00:00.000Z', page: 1, search: 'leak' };
  const list = (limit: number, tuning: Partial<Tuning>) =>
    ticketQueries({ pool, tuning: { searchFirstRows: 1, ...tuning } }).list({ ...ask, limit });

  it('reads only documents that can contain the word, at any length', async () => {
    await tables.clear();
    const description = 'a'.repeat(20_000);
    const histories = Array.from({ length: 400 }, (_, n) => [opened(n, { description })]);
    await tables.apply(histories.flatMap(storedOf));
    expect(await found(`${'a'.repeat(199)}b`)).toMatchObject({ items: [], total: 0 });
    expect(await found(`b${'a'.repeat(199)}`)).toMatchObject({ items: [], total: 0 });
  });

  it('is refused once a statement has had its time, and leaves the connection usable', async () => {
    await tables.clear();
    await tables.apply(storedOf([opened(1, { description: 'leak' })]));
    const other = await pool.connect();
    await other.query(`begin; lock table ${schemaOf(ticketSearch)}.ticket_search`);
    const refused = await list(50, {}).catch((error: unknown) => error);
    await other.query('rollback');
    other.release();
    expect(refused).toBeInstanceOf(SearchTooWide);
    expect((await list(50, {})).total).toBe(1);
  });

  /** Six in February, four in January. */
  const leaks = Array.from({ length: 10 }, (_, n) => [
    opened(504 + n * 72, { description: 'leak' }),
  ]);
  const newest = [9, 8, 7].map((n) => idOf(504 + n * 72));

  it('returns a full page with the count at its deadline, or is refused', async () => {
    await tables.clear();
    await tables.apply(leaks.flatMap(storedOf));
    const page = await list(3, { searchMaxMs: -1 });
    expect(page).toMatchObject({ total: 6, totalCapped: true });
    expect(page.items.map(({ id }) => id)).toEqual(newest);
    await expect(list(7, { searchMaxMs: -1 })).rejects.toThrow(SearchTooWide);
    expect(await list(7, {})).toMatchObject({ total: 10 });
  });

  it('shows it too where a statement was broken off', async () => {
    await tables.clear();
    await tables.apply(leaks.flatMap(storedOf));
    const schema = schemaOf(ticketSearch);
    const dozing = `created_at < '2026-02' and pg_sleep(60) is null`;
    await pool.query(`
      alter table ${schema}.ticket_search rename to awake;
      create view ${schema}.ticket_search as select id, organisation_id, building_id, created_at,
        case when ${dozing} then '' else document end as document from ${schema}.awake`);
    try {
      const page = await list(3, {});
      expect(page).toMatchObject({ total: 6, totalCapped: true });
      expect(page.items.map(({ id }) => id)).toEqual(newest);
    } finally {
      await pool.query(`
        drop view ${schema}.ticket_search;
        alter table ${schema}.awake rename to ticket_search`);
    }
  });
});

it('reads a search by the trigram index, not by every document', async () => {
  const { rows } = await pool.query<{ indexdef: string }>(
    `select indexdef from pg_indexes where tablename = 'ticket_search' and indexdef ~ 'gin'`,
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]!.indexdef).toContain('gin_trgm_ops');
});

it('writes no row for a fact that changes no text', () => {
  const stored = storedOf([opened(1), edited({ subject: null, description: 'It drips.' })]);
  const [first, second] = stored.map((event) => ticketSearch.codec.decode(event));
  const rows = rowsAfter(ticketSearch, [first!], new Map());
  const after = rowsAfter(ticketSearch, [second!], rows as ReadonlyMap<string, object>);
  expect(after.get(idOf(1))).toBe(rows.get(idOf(1)));
});

const parts = {
  number: 'SR-1',
  subject: null,
  description: 'x',
  category: 'hvac',
  reporterName: 'Ana',
};

describe('a document', () => {
  it('has a word exactly where the text has it', () =>
    fc.assert(
      fc.property(text, text, (whole, part) => {
        const document = documentOf({ ...parts, description: whole });
        for (const word of part.split(/\s+/).filter(Boolean)) {
          const [[spelt] = []] = wordsOf(word);
          const inside = document.split('\n')[2]!.includes(spelt!);
          expect(inside).toBe(folded(whole).includes(folded(word)));
        }
      }),
      { numRuns: 2_000 },
    ));

  it('holds nothing but letters, digits, blanks and two seams', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (description) => {
        const document = documentOf({ ...parts, subject: '\n', description });
        expect(document).toMatch(/^[A-Za-z0-9 ]*(\n[A-Za-z0-9 ]*){4}$/);
      }),
    ));

  it('is the same after edits as from a full build', () =>
    fc.assert(
      fc.property(text, text, text, text, (subject, description, next, last) => {
        const number = 'SR-000001';
        const document = documentOf({ ...parts, number, subject, description });
        expect(
          documentAfter(documentAfter(document, { subject: next }), { description: last }),
        ).toBe(documentOf({ ...parts, number, subject: next, description: last }));
      }),
    ));
});
