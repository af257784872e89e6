import { expect, it } from 'vitest';
import { HeldBytes } from '../../../src/api/http/held-bytes.ts';

it('bounds the bytes of each caller and of all, until they are no longer held', () => {
  const held = new HeldBytes({ ofCaller: 10, inAll: 15 });
  expect([held.exceeds('a', 10), held.exceeds('a', 11)]).toEqual([null, 'caller']);
  held.add('a', 10);
  expect([held.exceeds('a', 1), held.exceeds('b', 5)]).toEqual(['caller', null]);
  expect([held.exceeds('b', 6), held.largest()]).toEqual(['all', 'a']);
  held.add('a', -4);
  expect([held.exceeds('a', 4), held.exceeds('b', 9)]).toEqual([null, null]);
  expect(held.exceeds('b', 10)).toBe('all');
  held.add('a', -6);
  expect([held.exceeds('a', 10), held.largest()]).toEqual([null, null]);
});
