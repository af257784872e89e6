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

/** By bytes: a text of twenty thousand ligatures is one of a third of a million letters. */
const spelt = (text: string): string => {
  const letters = foldLetters(text);
  const bytes = Buffer.allocUnsafe(letters.length * SPELT_LETTERS_MAX);
  let end = 0;
  let afterBlank = false;
  for (let at = 0; at < letters.length; at += 1) {
    const code = letters.charCodeAt(at);
    const isBlank = BLANKS.has(code);
    if (isBlank && afterBlank) continue;
    afterBlank = isBlank;
    if (isBlank || isPlain(code)) {
      bytes[end++] = isBlank ? BLANK : code;
      continue;
    }
    bytes[end++] = code < 0x100 ? ONE_BYTE : TWO_BYTES;
    if (code >= 0x100) {
      bytes[end++] = DIGIT + (code >> 12);
      bytes[end++] = DIGIT + ((code >> 8) & 0xf);
    }
    bytes[end++] = DIGIT + ((code >> 4) & 0xf);
    bytes[end++] = DIGIT + (code & 0xf);
  }
  return bytes.toString('latin1', 0, end);
};

/** A to z, or a digit. */
const isPlain = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);

/** What `\s` means in a regular expression. */
const BLANKS: ReadonlySet<number> = new Set(
  Array.from({ length: 0x1_0000 }, (_, code) => code).filter((code) =>
    /\s/.test(String.fromCharCode(code)),
  ),
);

/** A head and four letters after it. */
const SPELT_LETTERS_MAX = 5;
/** ` `, the heads `A` and `B`, and `G`, which is the digit 0. */
const [BLANK, ONE_BYTE, TWO_BYTES, DIGIT] = [0x20, 0x41, 0x42, 0x47] as const;
