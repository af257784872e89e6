import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { READ_PAGE_EVENTS } from '../../../src/engine/log/event-store.ts';
import { PageBytes, PageSize } from '../../../src/engine/log/page-bytes.ts';
import { LOG_PAGE_BYTES_MAX } from '../../../src/engine/limits.ts';

const sizes = fc.array(fc.integer({ min: 1, max: 2 * LOG_PAGE_BYTES_MAX }), {
  minLength: 1,
  maxLength: 9,
});

it('takes the first event, and further ones up to the maximum in their order', () => {
  fc.assert(
    fc.property(sizes, (all) => {
      const page = new PageBytes();
      const taken = all.filter((bytes) => page.fits(bytes));
      const sum = taken.reduce((total, bytes) => total + bytes, 0);
      expect(taken).toEqual(all.slice(0, taken.length));
      expect(page.isCut).toBe(taken.length < all.length);
      expect(sum).toBeLessThanOrEqual(Math.max(all[0]!, LOG_PAGE_BYTES_MAX));
      const withNext = sum + (all[taken.length] ?? Infinity);
      expect(withNext).toBeGreaterThan(LOG_PAGE_BYTES_MAX);
    }),
  );
});

it('requests as many events as fitted, and more again once they fit', () => {
  const size = new PageSize();
  const requested: number[] = [];
  const read = (fitting: number, asked = READ_PAGE_EVENTS) => {
    const limit = size.of(asked);
    requested.push(limit);
    const received = Math.min(limit, fitting);
    size.learn({ requested: limit, received, isCut: received < limit });
  };
  for (const fitting of [37, 37, 37, 900, 900, 900, 900, 900, 900, 900]) read(fitting);
  expect(requested).toEqual([1_000, 37, 74, 37, 74, 148, 296, 592, 1_000, 900]);
  read(10, 10);
  expect(size.of(READ_PAGE_EVENTS)).toBe(1_000);
});

it('requests no more after the end of the log than before', () => {
  const size = new PageSize();
  size.learn({ requested: 1_000, received: 8, isCut: true });
  size.learn({ requested: 8, received: 3, isCut: false });
  expect(size.of(READ_PAGE_EVENTS)).toBe(8);
});
