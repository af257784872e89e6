/** Conditions on searchable text, as SQL. */
import { INDEXED_LETTERS_MIN } from '../../../domain/searchable-text.ts';
import type { Bind } from '../../snapshot.ts';

/**
 * Whether an encoded text occurs in the column.
 *
 * @param isRare Two letters are looked up in the index. Default false.
 */
export const hasText = (column: string, text: string, bind: Bind, isRare = false): string => {
  if (text.length >= INDEXED_LETTERS_MIN) return `${column} like ${bind(`%${text}%`, 'text')}`;
  // As a pattern without a trigram, it would scan the whole index.
  const found = contains(column, text, bind);
  return isRare && text.length === INDEXED_LETTERS_MIN - 1
    ? `(${found} and (${trigramsOf(text)
        .map((trigram) => `${column} like ${bind(trigram, 'text')}`)
        .join(' or ')}))`
    : found;
};

/** The same without an index. */
export const contains = (column: string, text: string, bind: Bind): string =>
  `strpos(${column}, ${bind(text, 'text')}) > 0`;

/**
 * Two letters have trigrams with every possible successor: a letter or a digit, the head of an
 * encoded character, or the end of a word, a part or the document.
 */
const trigramsOf = (pair: string): readonly string[] => [
  ...FOLLOWERS.map((next) => `%${pair}${next}%`),
  `%${pair}`,
];

const FOLLOWERS = Array.from('abcdefghijklmnopqrstuvwxyz0123456789AB \n');
