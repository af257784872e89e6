import { TEXT_CHARACTERS_MAX } from '../limits.ts';
import { foldText } from './fold-text.ts';
import { normalised } from './normalised.ts';

/**
 * Searchable text: every character is encoded in ASCII letters and digits.
 *
 * A trigram index of Postgres knows letters by the locale of its database: with `C`, it ignores all
 * of `漏水` or the umlaut of `Tür`, and it drops punctuation everywhere. So the text is encoded here.
 * A letter a–z or a digit stands for itself, white space is one blank, and each other UTF-16 unit
 * is an upper-case head that gives the number of letters to follow, `G` to `V` for the digits 0 to
 * F. Heads, tails and plain characters share no letter, therefore an encoded word occurs in an
 * encoded text exactly where the word occurs in the text. The encoding needs no escaping: no
 * character has a meaning in LIKE or in a quoted literal.
 */

/** Parts in one text. A searched word has no white space, so no match spans two. */
export const searchableParts = (parts: readonly string[]): string =>
  parts.map(searchable).join(SEAM);

/** A line feed separates parts; within a part it is encoded as a blank. */
export const SEAM = '\n';

/** Shorter words have no trigram. */
export const INDEXED_LETTERS_MIN = 3;

/**
 * Letters of a text that can be found. No writing folds to more than three times its length, but
 * 20,000 ligatures fold to a third of a million letters, which would all be indexed.
 */
export const SEARCHABLE_LETTERS_MAX = 3 * TEXT_CHARACTERS_MAX;

/** Written as bytes, which is faster. */
export const searchable = (text: string): string => {
  const letters = foldText(shortened(text)).slice(0, SEARCHABLE_LETTERS_MAX);
  const bytes = Buffer.allocUnsafe(letters.length * ENCODED_LETTERS_MAX);
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

/** Shortened before letters are folded, which takes longest. */
const shortened = (text: string): string =>
  text.length <= SEARCHABLE_LETTERS_MAX / NFKC_LETTERS_MAX
    ? text
    : normalised(text, 'NFKC').slice(0, SEARCHABLE_LETTERS_MAX);

/** The most UTF-16 units that NFKC makes of one: those of U+FDFA. */
const NFKC_LETTERS_MAX = 18;

/** A to z, or a digit. */
const isPlain = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);

/** The characters of `\s` in a regular expression. */
const BLANKS: ReadonlySet<number> = new Set(
  Array.from({ length: 0x1_0000 }, (_, code) => code).filter((code) =>
    /\s/.test(String.fromCharCode(code)),
  ),
);

/** A head and four letters. */
const ENCODED_LETTERS_MAX = 5;
/** ` `, the heads `A` and `B`, and `G` for the digit 0. */
const [BLANK, ONE_BYTE, TWO_BYTES, DIGIT] = [0x20, 0x41, 0x42, 0x47] as const;
