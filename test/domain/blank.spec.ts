import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBlank } from '../../src/domain/blank.ts';

const SPACES = ' \t\n\u00a0\u3000\u2028\0\u0085';
const WITHOUT_GLYPH = '\u00ad\u034f\u115f\u180e\u200b\u200d\u200e\u2060\u3164\ufe0f\ufeff\u{e0020}';
const invisible = fc.constantFrom(...Array.from(SPACES + WITHOUT_GLYPH));
const visible = fc.constantFrom('a', '0', '-', 'é', '漏', '😀', '\u0301', '\ufffd', '\u0378');
const invisibleText = fc.string({ unit: invisible, maxLength: 20 });

describe('a text', () => {
  it('is blank without a visible character', () =>
    fc.assert(
      fc.property(invisibleText, (text) => {
        expect(isBlank(text)).toBe(true);
      }),
    ));

  it('is not blank with one, wherever it is', () =>
    fc.assert(
      fc.property(invisibleText, visible, invisibleText, (before, one, after) => {
        expect(isBlank(`${before}${one}${after}`)).toBe(false);
      }),
    ));

  it('of any character that trim() removes is blank', () => {
    const units = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code));
    expect(units.filter((one) => one.trim() === '' && !isBlank(one))).toEqual([]);
  });
});
