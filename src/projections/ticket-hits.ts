import { schemaOf } from './projection.ts';
import { keysOf, LIST, type Base } from './ticket-bases.ts';
import { INDEXED_LETTERS_MIN } from './ticket-document.ts';
import {
  bindings,
  conditionsOf,
  dimensions,
  within,
  type Bind,
  type TicketFilter,
} from './ticket-filter.ts';
import { monthsOf } from './ticket-months.ts';
import type { Plan } from './ticket-plan.ts';
import type { Reading } from './ticket-reading.ts';
import { SEGMENTS, ticketSearch } from './ticket-search.ts';

/**
 * A search within a filter, in one of two ways. *Along the list*: the filter's tickets in their
 * order, each document tested. *By the index*: the documents that have the words, each ticket
 * tested. Which is cheaper depends on how many of the filter's tickets have the words, so a sample
 * of the newest is looked at first.
 */
export interface Hits {
  /** Up to one more than `searchTotalMax`, which then means: and more. */
  readonly found: number;
  readonly ids: readonly string[];
}

interface Page {
  readonly offset: number;
  readonly limit: number;
}

const SEARCH = `${schemaOf(ticketSearch)}.${ticketSearch.table.name}`;

export const hitsOf = async (
  reading: Reading,
  filter: TicketFilter,
  plan: Plan,
  words: readonly string[],
  page: Page,
): Promise<Hits> => {
  const foundMax = reading.tuning.searchTotalMax + 1;
  const along = await alongTheList(reading, filter, plan, words);
  const found = along
    ? await hitsAmong(reading, page, (bind) => listed(filter, plan, words, foundMax, 0, bind))
    : await byTheIndex(reading, filter, words, page);
  const whole = found.found < foundMax || (along && page.offset + page.limit <= foundMax);
  if (whole || page.offset >= plan.total) return found;
  const { values, bind } = bindings();
  const rows = await reading.rows<{ id: string }>(
    listed(filter, plan, words, page.limit, page.offset, bind),
    values,
  );
  return { found: found.found, ids: rows.map(({ id }) => id) };
};

const alongTheList = async (
  reading: Reading,
  filter: TicketFilter,
  plan: Plan,
  words: readonly string[],
): Promise<boolean> => {
  const { listFirstRowsMax, sampleRows, hitCost, ticketCost, sequentialCost, searchTotalMax } =
    reading.tuning;
  if (plan.total <= listFirstRowsMax) return true;
  // No ticket has to be looked up for its hit, and a document found so is cheaper than one by id.
  if (within(filter, ['buildingId'])) return false;
  const { values, bind } = bindings();
  const sample = keysOf(
    filter,
    plan.cheapest(sampleRows).base,
    { direction: 'desc', limit: sampleRows, offset: 0 },
    bind,
  );
  const [sampled] = await reading.rows<{ n: number }>(
    `select count(*)::float8 as n from (${sample}) k
     cross join lateral (${documentWith(words, 'k.id', bind)}) d`,
    values,
  );
  const share = sampled!.n / sampleRows;
  const listCost = Math.min(plan.total, searchTotalMax / share);
  // Without a trigram all documents of a month are read, but in the order they lie in.
  const trigrams = words.some((word) => word.length >= INDEXED_LETTERS_MIN);
  const documentCost = trigrams ? share * hitCost : sequentialCost;
  const walked = Math.min(plan.scope, (searchTotalMax * plan.scope) / (share * plan.total));
  return listCost < walked * (documentCost + share * ticketCost);
};

/** The page's ids and the number of all, out of those that `keys` finds. */
const hitsAmong = async (
  reading: Reading,
  { offset, limit }: Page,
  keys: (bind: Bind) => string,
): Promise<Hits> => {
  const { values, bind } = bindings();
  const [hits] = await reading.rows<Hits>(
    `with hits as materialized (${keys(bind)})
     select (select count(*)::float8 from hits) as found,
       array(select id::text from hits order by created_at desc, id desc
         limit ${bind(limit, 'bigint')} offset ${bind(offset, 'bigint')}) as ids`,
    values,
  );
  return hits!;
};

const listed = (
  filter: TicketFilter,
  plan: Plan,
  words: readonly string[],
  limit: number,
  offset: number,
  bind: Bind,
): string => {
  const base: Base = plan.cheapest(plan.total).base;
  const keys = keysOf(filter, base, { direction: 'desc', limit: plan.total, offset: 0 }, bind);
  return `select k.id, k.created_at from (${keys}) k
    cross join lateral (${documentWith(words, 'k.id', bind)}) d
    order by k.created_at desc, k.id desc
    limit ${bind(limit, 'bigint')} offset ${bind(offset, 'bigint')}`;
};

const documentWith = (words: readonly string[], id: string, bind: Bind): string =>
  `select 1 from ${SEARCH} s where s.id = ${id} and ${wordsIn('s.document', words, bind)} offset 0`;

/** A word without a trigram is kept from the index, which it would make read all of it. */
const wordsIn = (document: string, words: readonly string[], bind: Bind): string =>
  words
    .map((word) =>
      word.length < INDEXED_LETTERS_MIN
        ? `strpos(${document}, ${bind(word, 'text')}) > 0`
        : `${document} like ${bind(`%${word}%`, 'text')}`,
    )
    .join(' and ');

/** Month by month from the newest on, until there are enough. */
const byTheIndex = async (
  reading: Reading,
  filter: TicketFilter,
  words: readonly string[],
  page: Page,
): Promise<Hits> => {
  const scope = { organisation: filter.organisation, buildingId: filter.buildingId };
  const months = await monthsOf(reading, { ...scope, now: filter.now });
  const of = scope.buildingId === undefined ? `o ${scope.organisation}` : `b ${scope.buildingId}`;
  const segments = months.map(({ month }) => `${of} ${month}`);
  // The index of the documents can be read in no other way.
  await reading.rows('set local enable_bitmapscan = on', []);
  const rest = dimensions.filter((dimension) => dimension !== 'buildingId');
  return hitsAmong(reading, page, (bind) => {
    const ticket = within(filter, ['buildingId'])
      ? ''
      : `cross join lateral (select 1 from ${LIST} t where t.id = s.id
           and ${conditionsOf(filter, rest, bind)} offset 0) ticket`;
    return `select s.id, s.created_at
      from unnest(${bind(segments, 'text[]')}) with ordinality as segment (name, place)
      cross join lateral (
        select id, created_at from ${SEARCH}
        where ${SEGMENTS} @> array[segment.name] and ${wordsIn('document', words, bind)}
          and organisation_id = ${bind(filter.organisation, 'text')} offset 0) s
      ${ticket} limit ${bind(reading.tuning.searchTotalMax + 1, 'bigint')}`;
  });
};
