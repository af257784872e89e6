import { schemaOf } from '../projection.ts';
import { keysOf, LIST, type Base } from './access-paths.ts';
import { INDEXED_LETTERS_MIN } from './document.ts';
import {
  bindings,
  columnOf,
  conditionsOf,
  dimensionsOf,
  within,
  type Bind,
  type TicketFilter,
} from './filter.ts';
import { monthsSpanned } from './deep-pages.ts';
import type { Plan } from './plan.ts';
import type { Reading } from './read-snapshot.ts';
import { SEGMENTS, ticketSearch } from './search.ts';

/**
 * A search within a filter, in one of three ways. *Along the list*: the filter's tickets in their
 * order, each document tested. *Whole*: all documents that have the words, by the index, each
 * ticket tested. *By months*: likewise, but from the newest month on until there are enough. Which
 * is cheapest depends on how many of the filter's tickets have the words, so a sample of the newest
 * is looked at first.
 */
type Way = 'along' | 'whole' | 'months';

export interface Hits {
  /** Up to one more than `searchTotalMax`, which then means: and more. */
  readonly found: number;
  readonly ids: readonly string[];
}

interface Among extends Hits {
  /** The first so many of the ids' list are the newest; after them a month was not finished. */
  readonly sure: number;
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
  const way = await cheapestWay(reading, filter, plan, words);
  const along = (limit: number, offset: number) => (bind: Bind) =>
    listed(filter, plan, words, limit, offset, bind);
  const found =
    way === 'along'
      ? await hitsAmong(reading, page, along(foundMax, 0))
      : await byTheIndex(reading, filter, words, way, page);
  const newest = page.offset + page.limit <= found.sure;
  if (found.found < foundMax || newest || page.offset >= plan.total) return found;
  const { values, bind } = bindings();
  const rows = await reading.rows<{ id: string }>(along(page.limit, page.offset)(bind), values);
  return { found: found.found, ids: rows.map(({ id }) => id) };
};

const cheapestWay = async (
  reading: Reading,
  filter: TicketFilter,
  plan: Plan,
  words: readonly string[],
): Promise<Way> => {
  const { listFirstRowsMax, hitCost, ticketCost, sequentialCost, monthsCost, searchTotalMax } =
    reading.tuning;
  if (plan.total <= listFirstRowsMax) return 'along';
  const share = await shareOf(reading, filter, plan, words);
  // In a building or an organisation as such, no ticket has to be looked up for its hit.
  const testCost = within(filter, ['buildingId']) ? 0 : ticketCost;
  const hits = share * plan.scope;
  // Without a trigram all documents of a month are read, but in the order they lie in.
  const trigrams = words.some((word) => word.length >= INDEXED_LETTERS_MIN);
  const documentCost = trigrams ? share * hitCost : sequentialCost;
  const walked = Math.min(plan.scope, (searchTotalMax * plan.scope) / (share * plan.total));
  const costs: Record<Way, number> = {
    along: Math.min(plan.total, searchTotalMax / share),
    whole: isIndexed(words) ? hits * (hitCost + testCost) : Number.POSITIVE_INFINITY,
    months: monthsCost + walked * (documentCost + share * testCost),
  };
  return (Object.keys(costs) as Way[]).reduce((a, b) => (costs[b] < costs[a] ? b : a));
};

/** Of the newest tickets of the filter, how many have the words. Never none. */
const shareOf = async (
  reading: Reading,
  filter: TicketFilter,
  plan: Plan,
  words: readonly string[],
): Promise<number> => {
  const { sampleRows } = reading.tuning;
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
  return (sampled!.n + 0.5) / sampleRows;
};

/** The page's ids and the number of all, out of the keys that `keys` finds, with their place. */
const hitsAmong = async (
  reading: Reading,
  { offset, limit }: Page,
  keys: (bind: Bind) => string,
): Promise<Among> => {
  const { values, bind } = bindings();
  const [hits] = await reading.rows<Among>(
    `with hits as materialized (${keys(bind)})
     select count(*)::float8 as found,
       count(*) filter (where place is null or place < (select max(place) from hits))::float8
         as sure,
       array(select id::text from hits order by created_at desc, id desc
         limit ${bind(limit, 'bigint')} offset ${bind(offset, 'bigint')}) as ids
     from hits`,
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
  return `select k.id, k.created_at, null::bigint as place from (${keys}) k
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

/** The index can tell where the words may be. */
const isIndexed = (words: readonly string[]): boolean =>
  words.some((word) => word.length >= INDEXED_LETTERS_MIN - 1);

/**
 * Lets the index say where two letters may be, which have a trigram with whatever follows them: a
 * letter or a digit, the head of a spelt character, or the end of a word, a part or the document.
 */
const pairIn = (document: string, [longest = '']: readonly string[], bind: Bind): string =>
  longest.length === INDEXED_LETTERS_MIN - 1
    ? `(${[...FOLLOWERS.map((next) => `%${longest}${next}%`), `%${longest}`]
        .map((pattern) => `${document} like ${bind(pattern, 'text')}`)
        .join(' or ')})`
    : 'true';

const FOLLOWERS = Array.from('abcdefghijklmnopqrstuvwxyz0123456789AB \n');

const byTheIndex = async (
  reading: Reading,
  filter: TicketFilter,
  words: readonly string[],
  way: 'whole' | 'months',
  page: Page,
): Promise<Among> => {
  const { organisation, buildingId } = filter;
  const scope = buildingId === undefined ? `o ${organisation}` : `b ${buildingId}`;
  const segments =
    way === 'whole'
      ? [scope]
      : (await monthsSpanned(reading, filter)).map((month) => `${scope} ${month}`);
  // The index of the documents can be read in no other way.
  await reading.rows('set local enable_bitmapscan = on', []);
  return hitsAmong(reading, page, (bind) => {
    const pair = way === 'whole' ? pairIn('document', words, bind) : 'true';
    const limit = bind(reading.tuning.searchTotalMax + 1, 'bigint');
    const place = way === 'whole' ? 'null::bigint' : 'segment.place';
    return `select s.id, s.created_at, ${place} as place
      from unnest(${bind(segments, 'text[]')}) with ordinality as segment (name, place)
      cross join lateral (
        select id, created_at from ${SEARCH}
        where ${SEGMENTS} @> array[segment.name] and ${wordsIn('document', words, bind)}
          and ${pair} and organisation_id = ${bind(organisation, 'text')} offset 0) s
      ${ticketOf(filter, bind)}
      ${way === 'whole' ? 'order by s.created_at desc, s.id desc' : ''} limit ${limit}`;
  });
};

/**
 * The ticket of a document, looked up in an index that has what is to be tested. Its id is asked
 * for outside, so that the primary key, which leads to the whole row, does not fit.
 */
const ticketOf = (filter: TicketFilter, bind: Bind): string => {
  if (within(filter, ['buildingId'])) return '';
  const by = narrowest.find((dimension) => filter[dimension] !== undefined);
  const rest = dimensionsOf(filter).filter((dimension) => dimension !== by);
  const columns = ['id', ...rest.map((dimension) => columnOf[dimension])].join(', ');
  return `cross join lateral (
    select from (
      select ${columns} from ${LIST}
      where organisation_id = ${bind(filter.organisation, 'text')}
        and ${conditionsOf(filter, by === undefined ? [] : [by], bind)}
        and created_at = s.created_at offset 0) t
    where t.id = s.id and ${conditionsOf(filter, rest, bind)} offset 0) ticket`;
};

/** Those whose own index is in the order of the list, the fewest tickets first. */
const narrowest = [
  'elementId',
  'spaceId',
  'assignedUserId',
  'assignedTeamId',
  'storeyId',
  'buildingId',
] as const;
