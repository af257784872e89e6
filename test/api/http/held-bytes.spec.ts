import { expect, it } from 'vitest';
import { HeldBytes } from '../../../src/api/http/held-bytes.ts';

const a = { caller: 'a', organisation: 'acme' };
const b = { caller: 'b', organisation: 'acme' };
const other = { caller: 'a', organisation: null };

it('bounds the bytes of each caller, each organisation and all, while they are held', () => {
  const held = new HeldBytes({ ofCaller: 10, ofOrganisation: 12, inAll: 15 });
  expect([held.exceeds(a, 10), held.exceeds(a, 11)]).toEqual([null, 'caller']);
  held.add(a, 10);
  expect([held.exceeds(a, 1), held.exceeds(b, 2)]).toEqual(['caller', null]);
  expect([held.exceeds(b, 3), held.exceeds(other, 5)]).toEqual(['organisation', null]);
  expect(held.exceeds(other, 6)).toBe('all');
  held.add(other, 5);
  expect([held.largest(), held.largest([null]), held.largest(['none'])]).toEqual([a, other, null]);
  expect(held.exceeds(b, 1)).toBe('all');
  held.add(a, -4);
  expect([held.exceeds(a, 4), held.exceeds(b, 4), held.exceeds(b, 5)]).toEqual([null, null, 'all']);
  held.add(a, -6);
  held.add(other, -5);
  expect([held.exceeds(a, 10), held.exceeds(b, 10), held.largest()]).toEqual([null, null, null]);
});
