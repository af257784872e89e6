import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { phraseFinder } from '../../../src/domain/service-desk/phrases.ts';

/** A naive matcher, position by position: the reference for the one-pass finder. */
const holds = (text: string, phrase: string): boolean => {
  const within = (at: number) => {
    const before = /.$/su.exec(text.slice(0, at))?.[0] ?? '';
    const after = /^./su.exec(text.slice(at))?.[0] ?? '';
    return /[\p{L}\p{N}\p{M}]/u.test(before) && /[\p{L}\p{N}\p{M}]/u.test(after);
  };
  if (phrase === '') return false;
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
    if (!within(at) && !within(at + phrase.length)) return true;
  }
  return false;
};

describe('phrases in a text', () => {
  it('are found in one pass, with the same result as one by one', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '!', '𝐀'), maxLength: 6 });
    const long = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '!', '𝐀'), maxLength: 40 });
    let seen = 0;
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 12 }), long, (phrases, text) => {
        const expected = phrases.flatMap((phrase, at) => (holds(text, phrase) ? [at] : []));
        seen += expected.length;
        const found = [...phraseFinder(phrases)(text)];
        expect(found.toSorted((a, b) => a - b)).toEqual(expected);
      }),
      { numRuns: 3_000 },
    );
    expect(seen).toBeGreaterThan(300);
  });

  it('may be equal, or suffixes of each other', () => {
    const find = phraseFinder(['leak', 'gas leak', 'leak', 'as leak', '']);
    expect([...find('a gas leak')]).toEqual(expect.arrayContaining([0, 1, 2]));
    expect(find('a gas leak').size).toBe(3);
  });

  it('have no bounds in scripts without spaces', () =>
    expect(phraseFinder(['漏水', '水'])('厕所漏水了')).toEqual(new Set([0, 1])));
});
