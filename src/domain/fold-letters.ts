/**
 * A text as its letters are compared everywhere: NFKC, full case folding (`ß` is `ss`, `ﬃ` is
 * `ffi`), and dotted and dotless i as one letter. contract.md section 5.
 *
 * The folding goes by way of capitals: those of `ß` are two letters, and the forms of a small sigma
 * share one. They leave some letters apart from their accents, which are put together again.
 */
export const foldLetters = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replaceAll('i\u0307', 'i')
    .normalize('NFC');
