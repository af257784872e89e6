import { normalised } from './normalised.ts';

/**
 * A text in the form in which the server compares texts: NFKC, full case folding (`ß` is `ss`, `ﬃ`
 * is `ffi`), dotted and dotless i as one letter: contract.md section 5. Beyond it, typographic
 * apostrophes and hyphens, which phones type unasked, are a keyboard's, and soft hyphens are left
 * out.
 *
 * It folds through upper case: that of `ß` has two letters, and both small sigmas share one.
 * Upper-casing separates some letters from their accents, so the text is normalised again.
 */
export const foldText = (text: string): string =>
  normalised(
    normalised(text.replaceAll(SOFT_HYPHEN, ''), 'NFKC')
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      .replaceAll('ς', 'σ')
      .replaceAll('i\u0307', 'i')
      .replaceAll(APOSTROPHES, "'")
      .replaceAll(HYPHENS, '-'),
    'NFC',
  );

const SOFT_HYPHEN = '\u00ad';
const APOSTROPHES = /[\u2018\u2019\u02bc]/gu;
/** Includes dashes: many keyboards replace two hyphens with one. */
const HYPHENS = /[\u2010-\u2015]/gu;
