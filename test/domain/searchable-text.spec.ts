import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { foldText } from '../../src/domain/fold-text.ts';
import { searchable, SEARCHABLE_LETTERS_MAX } from '../../src/domain/searchable-text.ts';
import { TEXT_CHARACTERS_MAX } from '../../src/limits.ts';

it('encodes all of the longest text in any writing', () => {
  for (const letter of ['a', 'ß', 'Ä', 'ﬃ', '漏', 'ΐ', '½', '…', 'ŉ']) {
    const text = letter.repeat(TEXT_CHARACTERS_MAX);
    expect(searchable(text)).toHaveLength(searchable(letter).length * TEXT_CHARACTERS_MAX);
  }
});

it('encodes the beginning of a text that folds to more letters than can be found', () => {
  const text = 'ﷺ'.repeat(TEXT_CHARACTERS_MAX);
  const encoded = searchable(text);
  expect(encoded.startsWith(searchable('ﷺ'))).toBe(true);
  expect(encoded.length).toBeLessThanOrEqual(5 * SEARCHABLE_LETTERS_MAX);
  expect(foldText(text).length).toBeGreaterThan(5 * SEARCHABLE_LETTERS_MAX);
});

it('finds a word that occurs in a text, whatever stands beside it', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 5_000 });
  fc.assert(
    fc.property(text, fc.constantFrom('door', 'Tür', '漏水', 'ﷺ'), text, (before, word, after) => {
      expect(searchable(`${before} ${word} ${after}`)).toContain(searchable(word));
    }),
    { numRuns: 200 },
  );
});
