/**
 * A text in a normal form of Unicode, in linear time: `normalize` sorts the combining marks of one
 * letter, which takes the square of their number. A letter keeps its first 30 marks; no language
 * needs more.
 *
 * @see {@link https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format UAX #15, section 13}
 */
export const normalised = (text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string =>
  text.replaceAll(excessMarks, '$1').normalize(form);

/**
 * Begins only at the first mark, so that each is read once. Most characters are no marks, which is
 * tested first. U+FF9E and U+FF9F are letters that NFKC and NFKD replace with marks.
 */
const excessMarks =
  /(?=[\p{M}\uFF9E\uFF9F])(?<![\p{M}\uFF9E\uFF9F])([\p{M}\uFF9E\uFF9F]{30})[\p{M}\uFF9E\uFF9F]+/gu;
