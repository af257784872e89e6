import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alteredNumbers, isExact } from '../../../src/api/http/exact-numbers.ts';
import { ERRORS_NAMED_MAX } from '../../../src/limits.ts';

describe('a number as JSON writes it', () => {
  it.each(['0', '-0', '0.1', '1.0', '1e2', '1E+2', '0.000', '5e-324', '1.7976931348623157e308'])(
    '%s equals the printed form of its double',
    (source) => expect(isExact(source)).toBe(true),
  );

  it.each([
    '12345678901234567890',
    '9007199254740993',
    '1.00000000000000000001',
    '0.1000000000000000055511151231257827',
    '1e400',
    '-1e400',
    '1e-400',
    `1${'0'.repeat(400)}`,
  ])('%s is altered', (source) => expect(isExact(source)).toBe(false));

  it('is judged by its value, digit by digit', () => {
    /** Whole numbers on one scale: there is no rounding in them. */
    const valueOf = (source: string) => {
      const [mantissa = '', scale = '0'] = source.toLowerCase().split('e');
      const [whole = '', fraction = ''] = mantissa.split('.');
      return BigInt(whole + fraction) * 10n ** BigInt(1_000 + Number(scale) - fraction.length);
    };
    const digits = fc.stringMatching(/^(0|[1-9]\d{0,20})$/);
    const number = fc
      .tuple(
        fc.constantFrom('', '-'),
        digits,
        fc.option(fc.stringMatching(/^\d{1,20}$/)),
        fc.option(fc.integer({ min: -350, max: 350 })),
      )
      .map(([sign, whole, fraction, scale]) => {
        const decimals = fraction === null ? '' : `.${fraction}`;
        return `${sign}${whole}${decimals}${scale === null ? '' : `e${scale}`}`;
      });
    fc.assert(
      fc.property(
        fc.oneof(number, fc.double({ noNaN: true, noDefaultInfinity: true }).map(String)),
        (source) => {
          const printed = String(Number(source));
          const same = Number.isFinite(Number(source)) && valueOf(source) === valueOf(printed);
          expect(isExact(source)).toBe(same);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('a body', () => {
  it('has its altered numbers named by their places, under the members asked for alone', () => {
    const json =
      '{"size":1e400, "metadata":{"a,b":[1,{"c\\"":1e400,"text":"1e400"},[2,1e400]]},"z":1e400}';
    expect(alteredNumbers(json, ['metadata']).map(({ path }) => path)).toEqual([
      'metadata.a,b[1].c"',
      'metadata.a,b[2][1]',
    ]);
    expect(alteredNumbers(json, ['z', 'formData']).map(({ path }) => path)).toEqual(['z']);
    expect(alteredNumbers(json)).toEqual([]);
  });

  it('is looked into at the depth asked for', () => {
    const json = '{"ticket":{"x":1e400,"metadata":{"k":1e400}},"metadata":1e400}';
    expect(alteredNumbers(json, ['ticket.metadata']).map(({ path }) => path)).toEqual([
      'ticket.metadata.k',
    ]);
  });

  it('is known by its names, however they are written', () =>
    expect(alteredNumbers('{"met\\u0061data":{"k":1e400}}', ['metadata'])).toHaveLength(1));

  it('names a bounded number of them', () => {
    const json = `{"metadata":[${'1e400,'.repeat(1_000)}1]}`;
    expect(alteredNumbers(json, ['metadata'])).toHaveLength(ERRORS_NAMED_MAX);
  });

  it('of any JSON has a count equal to the numbers in it', () =>
    fc.assert(
      fc.property(fc.json(), fc.nat({ max: 3 }), (json, count) => {
        const added = Array.from({ length: count }, () => '1e400').join(',');
        const body = `{"other":${json},"data":{"x":${json},"y":[${added}]}}`;
        const paths = alteredNumbers(body, ['data']).map(({ path }) => path);
        expect(paths).toEqual(Array.from({ length: count }, (_, index) => `data.y[${index}]`));
      }),
    ));
});
