import { expect, it } from 'vitest';
import { comparePositions, logPositionOf } from '../../../src/store/eventstoredb/positions.ts';

const LAST = '9223372036854775807';

it('takes a position as far as the server counts', () => {
  expect(logPositionOf(`${LAST}/${LAST}`)).toEqual({
    commit: 2n ** 63n - 1n,
    prepare: 2n ** 63n - 1n,
  });
});

it.each(['', '1', '-1/1', '1/1/1', '9223372036854775808/1', '1/9223372036854775808'])(
  'takes %j for no position',
  (text) => {
    expect(() => logPositionOf(text)).toThrow(TypeError);
    expect(() => comparePositions(text, null)).toThrow(TypeError);
  },
);
