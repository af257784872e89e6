import { expect, it } from 'vitest';
import {
  assignValues,
  type FoundSpace,
  type KeyBy,
} from '../../../src/domain/buildings/layer-values.ts';

const upload = (...keys: string[]) => keys.map((key, value) => ({ key, value }));
const found = (key: string, by: KeyBy, spaceId: string | null): FoundSpace => ({
  key,
  by,
  spaceId,
});
const named = (entries: ReturnType<typeof upload>, keyBy: KeyBy, ...spaces: FoundSpace[]) => {
  const { values, ...rest } = assignValues(entries, keyBy, spaces);
  return { ...rest, values: Object.fromEntries(values) };
};

it('writes no room for a key that names several, and lists the key once', () => {
  const entries = upload('X', 'A', 'none', 'X');
  const rooms = [found('X', 'externalId', null), found('A', 'externalId', 'a')];
  expect(named(entries, 'externalId', ...rooms)).toEqual({
    values: { a: 1 },
    unmatched: ['none'],
    ambiguous: ['X'],
  });
});

it('gives a room that two keys name the last value', () => {
  const rooms = [found('A', 'externalId', 'a'), found('id-of-a', 'id', 'a')];
  expect(named(upload('id-of-a', 'A'), 'id', ...rooms).values).toEqual({ a: 1 });
  expect(named(upload('A', 'id-of-a'), 'id', ...rooms).values).toEqual({ a: 1 });
});

it.each<[KeyBy, object]>([
  ['id', { values: { b: 0 }, unmatched: [], ambiguous: [] }],
  ['externalId', { values: {}, unmatched: [], ambiguous: ['K'] }],
])('tries a key as %s first, in any order of the matches', (keyBy, outcome) => {
  const rooms = [found('K', 'externalId', null), found('K', 'id', 'b')];
  expect(named(upload('K'), keyBy, ...rooms)).toEqual(outcome);
  expect(named(upload('K'), keyBy, ...rooms.toReversed())).toEqual(outcome);
});
