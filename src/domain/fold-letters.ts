import { normalised } from './normalised.ts';

/**
 * A text in the form in which letters are compared everywhere: NFKC, full case folding (`ß` is
 * `ss`, `ﬃ` is `ffi`), and dotted and dotless i as one letter. contract.md section 5.
 *
 * It folds through upper case: that of `ß` has two letters, and both small sigmas share one.
 * Upper-casing separates some letters from their accents, so the text is normalised again.
 */
export const foldLetters = (text: string): string =>
  normalised(
    normalised(text, 'NFKC')
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      .replaceAll('ς', 'σ')
      .replaceAll('i\u0307', 'i'),
    'NFC',
  );
