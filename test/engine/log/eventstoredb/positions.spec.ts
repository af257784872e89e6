import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareText } from '../../../../src/domain/compare-text.ts';
import {
  comparePositions,
  logPositionOf,
} from '../../../../src/engine/log/eventstoredb/positions.ts';
import { positionIn, sortableOf } from '../../../../src/engine/log/positions.ts';

const LAST = '9223372036854775807';

it('accepts a position up to the largest one of the server', () => {
  expect(logPositionOf(`${LAST}/${LAST}`)).toEqual({
    commit: 2n ** 63n - 1n,
    prepare: 2n ** 63n - 1n,
  });
});

it.each(['', '1', '-1/1', '1/1/1', '9223372036854775808/1', '1/9223372036854775808'])(
  'rejects %j as a position',
  (text) => {
    expect(() => logPositionOf(text)).toThrow(TypeError);
    expect(() => comparePositions(text, null)).toThrow(TypeError);
  },
);

it('sorts sortable texts in the order of their positions', () => {
  const number = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String);
  const position = fc.tuple(number, number).map((parts) => parts.join('/'));
  fc.assert(
    fc.property(position, position, (a, b) => {
      const [one, other] = [sortableOf(a), sortableOf(b)];
      expect(Math.sign(compareText(one, other))).toBe(Math.sign(comparePositions(a, b)));
      expect(positionIn(one)).toBe(a);
    }),
  );
});
