import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { foldText } from '../../src/domain/fold-text.ts';

it.each([
  ['a capital and its small letter', 'Ä', 'ä'],
  ['a sharp s and ss', 'Straße', 'STRASSE'],
  ['a capital sharp s and ss', 'STRAẞE', 'strasse'],
  ['a ligature and its letters', 'oﬃce', 'OFFICE'],
  ['dotted and dotless i', 'İIıi', 'iiii'],
  ['an i with a dot of its own', 'i\u0307', 'i'],
  ['the sigmas', 'ΟΔΟΣ', 'οδος'],
  ['an accent, composed or not', 'Tu\u0308r', 'tür'],
  ['two accents, composed or not, on a capital or not', '\u03aa\u0301', '\u0390'],
  ['a wide letter and a narrow one', 'ＡＨＵ７', 'ahu7'],
  ['a superscript and its digit', 'm²', 'M2'],
  ['the apostrophes of a phone and of a keyboard', 'won’t, ‘ŉ’', "won't, ''n'"],
  ['hyphens and dashes of any width', 'wi‑fi – B‐2 — C―3', 'wi-fi - b-2 - c-3'],
  ['a word with soft hyphens and without', 'hea\u00adting', 'heating'],
  ['an accent after a soft hyphen', 'u\u00ad\u0308', 'ü'],
])('%s are alike', (_, one, other) => expect(foldText(one)).toBe(foldText(other)));

it.each([
  ['a letter and the same with an accent', 'u', 'ü'],
  ['a letter and one of another script', 'a', 'а'],
  ['a blank and none', 'a b', 'ab'],
  ['a hyphen and none', 'wi-fi', 'wifi'],
])('%s are not', (_, one, other) => expect(foldText(one)).not.toBe(foldText(other)));

it('is idempotent for any Unicode form', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const folded = foldText(text);
      expect(foldText(folded)).toBe(folded);
      for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'])
        expect(foldText(text.normalize(form))).toBe(folded);
    }),
    { numRuns: 2_000 },
  ));
