import { foldLetters } from '../../domain/fold-letters.ts';

/**
 * Text as it is searched: every character is written in ASCII letters and digits.
 *
 * A trigram index of Postgres knows letters by the locale of its database: where that is `C`, it
 * sees nothing in `漏水` or `Tür`, and it drops punctuation everywhere. So Atrium spells the text
 * out itself. A letter a–z or a digit stands for itself, white space is one blank, and each other
 * UTF-16 unit is an upper-case head that says how many letters follow, `G` to `V` for the digits
 * 0 to F. Heads, tails and plain characters share no letter, therefore a spelt word occurs in a
 * spelt text exactly where the word occurs in the text. It needs no escaping either: nothing that
 * means anything to LIKE or to a quoted literal is left in it.
 */

/** The searchable parts of a ticket. A word of a search has no white space, so none spans two. */
export interface SearchedParts {
  readonly number: string;
  readonly subject: string | null;
  readonly description: string;
}

export const documentOf = ({ number, subject, description }: SearchedParts): string =>
  [number, subject ?? '', description].map(spelt).join(SEAM);

/** `document` with the parts that `changes` names replaced. */
export const documentAfter = (document: string, changes: Partial<SearchedParts>): string => {
  const [number = '', subject = '', description = ''] = document.split(SEAM);
  return [
    changes.number === undefined ? number : spelt(changes.number),
    changes.subject === undefined ? subject : spelt(changes.subject ?? ''),
    changes.description === undefined ? description : spelt(changes.description),
  ].join(SEAM);
};

/** The words of a search as they stand in a document, longest first; `[]` if it has none. */
export const wordsOf = (search: string): readonly string[] =>
  [...new Set(search.split(/\s+/).filter(Boolean).map(spelt))].sort((a, b) => b.length - a.length);

/** Fewer letters than these have no trigram. */
export const INDEXED_LETTERS_MIN = 3;

/** A line feed, which as white space is spelt as a blank within a part. */
const SEAM = '\n';

const spelt = (text: string): string =>
  foldLetters(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[^a-z0-9 ]/g, spell);

const spell = (unit: string): string => {
  const code = unit.charCodeAt(0);
  const last = tail(code >> 4) + tail(code);
  return code < 0x100 ? `A${last}` : `B${tail(code >> 12)}${tail(code >> 8)}${last}`;
};

const tail = (digits: number): string => TAILS.charAt(digits & 0xf);

const TAILS = 'GHIJKLMNOPQRSTUV';
