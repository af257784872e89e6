/**
 * The places that a searched word names: buildings, storeys, spaces and elements by the building
 * graph's view `graph.place`, so that a search finds them by their present names.
 * docs/decisions/0019.
 */
import { PLACES_READ_MAX_MS } from '../limits.ts';
import type { SearchedWord } from '../document.ts';
import type { Bind, Snapshot } from '../../snapshot.ts';
import type { TicketFilter } from './filter.ts';
import { hasText } from './text.ts';

const COLUMNS = {
  building: 'building_id',
  storey: 'storey_id',
  space: 'space_id',
  element: 'element_id',
} as const;

type PlaceKind = keyof typeof COLUMNS;

/** Ids by kind, each an array as Postgres writes it: thousands pass through as one text. */
export type NamedPlaces = ReadonlyMap<PlaceKind, string>;

/** A word of a search, with the places that it names. */
export interface SearchTerm {
  readonly word: SearchedWord;
  /** `null`: too many to list, so the place of each ticket is tested. */
  readonly places: NamedPlaces | null;
}

export const unlisted = (words: readonly SearchedWord[]): readonly SearchTerm[] =>
  words.map((word) => ({ word, places: null }));

/**
 * The words with the places that they name in the filter's organisation and building.
 *
 * @param listedMax Ids of places, shared equally by the words.
 */
export const termsOf = async (
  snapshot: Snapshot,
  { organisation, buildingId }: Pick<TicketFilter, 'organisation' | 'buildingId'>,
  words: readonly SearchedWord[],
  listedMax: number,
): Promise<readonly SearchTerm[]> => {
  if (words.length === 0) return [];
  const ofWordMax = ([text]: SearchedWord) =>
    Math.floor(listedMax / words.length / (text.length === 1 ? LETTER_SHARE : 1));
  const rows = await snapshot.rowsInTime<NamedRow>((bind) => {
    const within = [
      `organisation = ${bind(organisation, 'text')}`,
      ...(buildingId === undefined ? [] : [`building_id = ${bind(buildingId, 'uuid')}`]),
    ].join(' and ');
    const named = words.map(
      (word, at) => `(select ${at} as at, kind, id from graph.place
        where ${within} and ${hasText('words', word[0], bind)}
        limit ${bind(ofWordMax(word) + 1, 'bigint')})`,
    );
    return `select at, kind, count(*)::int as n, array_agg(id)::text as ids
      from (${named.join(' union all ')}) as named group by at, kind`;
  }, PLACES_READ_MAX_MS);
  if (rows === null) return unlisted(words);
  return words.map((word, at) => {
    const found = rows.filter((row) => row.at === at);
    const n = found.reduce((sum, row) => sum + row.n, 0);
    return {
      word,
      places: n > ofWordMax(word) ? null : new Map(found.map((row) => [row.kind, row.ids])),
    };
  });
};

/**
 * The bound of a single letter is lower by this factor: one that names more places occurs in most
 * texts as well.
 */
const LETTER_SHARE = 10;

interface NamedRow {
  readonly at: number;
  readonly kind: PlaceKind;
  readonly n: number;
  readonly ids: string;
}

/** The alternatives in which a place of the ticket in `s` has the term's word, as SQL. */
export const isPlaced = ({ word: [text], places }: SearchTerm, bind: Bind): readonly string[] =>
  places === null
    ? [
        `exists (select from graph.place p
           where p.id in (s.building_id, s.storey_id, s.space_id, s.element_id)
             and p.organisation = s.organisation_id and ${hasText('p.words', text, bind)})`,
      ]
    : [...places].map(([kind, ids]) => `s.${COLUMNS[kind]} = any(${bind(ids, 'uuid[]')})`);
