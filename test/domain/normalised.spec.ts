import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldText } from '../../src/domain/fold-text.ts';
import { normalised } from '../../src/domain/normalised.ts';
import { slugOf } from '../../src/domain/sandboxes/slug.ts';
import { searchable } from '../../src/domain/searchable-text.ts';
import { plain } from '../../src/domain/service-desk/matching.ts';
import { attachmentName } from '../../src/domain/tickets/attachment-name.ts';

const FORMS = ['NFC', 'NFKC', 'NFKD'] as const;

/**
 * Two that change places, one that decomposes into two, one of two code units, and a letter that
 * decomposes into one.
 */
const MARKS = ['\u0301', '\u0334', '\u0344', '\u{1D165}', '\uFF9E'] as const;

it('is the normal form of a text whose letters have at most 30 marks', () => {
  const letter = fc.oneof(fc.string({ unit: 'binary', maxLength: 3 }), fc.constant('e'));
  const marks = fc.array(fc.constantFrom(...MARKS), { maxLength: 27, size: 'max' });
  const text = fc
    .array(fc.tuple(letter, fc.constantFrom('a', 'か', '\u{1D158}'), marks))
    .map((letters) => letters.flat(2).join(''));
  fc.assert(
    fc.property(text, fc.constantFrom(...FORMS), (given, form) => {
      expect(normalised(given, form)).toBe(given.normalize(form));
    }),
    { numRuns: 2_000 },
  );
});

/** Twice as many take four minutes to sort in the square of their number. */
const COUNT = 200_000;
const MANY = [
  ['of two classes', `\u0344`.repeat(COUNT) + `\u0334`.repeat(COUNT), '\u0344'.repeat(30)],
  ['of two code units', '\u{1D165}'.repeat(COUNT), '\u{1D165}'.repeat(30)],
  [
    'letters among them',
    `${'\u0301'.repeat(29)}\uFF9E`.repeat(COUNT / 10),
    `${'\u0301'.repeat(29)}\uFF9E`,
  ],
] as const;

describe.each(MANY)('a letter with hundreds of thousands of marks, %s,', (_, marks, kept) => {
  const [sent, cut] = [`a${marks}b`, `a${kept}b`];

  it.each(FORMS)('has the first 30 in %s', (form) => {
    expect(normalised(sent, form)).toBe(cut.normalize(form));
  });

  it.each([
    ['comparisons', foldText],
    ['searches', searchable],
    ['rules', plain],
    ['names of files', attachmentName],
    ['addresses of sandboxes', (name: string) => slugOf(name, 'k3x9f2')],
  ])('has them in %s', (_use, read) => expect(read(sent)).toBe(read(cut)));

  it('is compared alike once folded', () => {
    const folded = foldText(sent);
    expect(foldText(folded)).toBe(folded);
  });
});

it('takes as long for each of many letters with 30 marks', () => {
  const text = `a${'\u0301\u0334'.repeat(15)}`.repeat(COUNT / 10);
  expect(normalised(text, 'NFC')).toBe(text.normalize('NFC'));
});
