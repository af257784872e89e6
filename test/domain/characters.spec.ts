import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { charactersIn, isLongerThan } from '../../src/domain/characters.ts';

/** Any UTF-16 units, so lone surrogates too. */
const unit = fc.oneof(
  fc.constantFrom('\ud83d', '\ude00', '\ud83d\ude00', 'a', 'é'),
  fc.integer({ min: 0, max: 0xff_ff }).map((code) => String.fromCharCode(code)),
);
const texts = fc.array(unit, { maxLength: 40 }).map((units) => units.join(''));

describe('the length of a text', () => {
  it('is the number of its code points', () =>
    fc.assert(
      fc.property(texts, (text) => {
        expect(charactersIn(text)).toBe(Array.from(text).length);
      }),
    ));

  it('is compared with a maximum of characters', () =>
    fc.assert(
      fc.property(texts, fc.nat({ max: 40 }), (text, max) => {
        expect(isLongerThan(text, max)).toBe(Array.from(text).length > max);
      }),
    ));
});
