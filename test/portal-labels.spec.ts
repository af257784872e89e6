/** Sheets of labels and the addresses on them. */
import { describe, expect, it } from 'vitest';
import { labelAddress, placeIn } from '../packages/portal/src/pages/labels/label-address.ts';
import {
  labelSheets,
  papers,
  positionOf,
  sheetOf,
  sheetsOf,
} from '../packages/portal/src/pages/labels/sheets.ts';

describe('a sheet', () => {
  // As the makers' templates have them, in millimetres.
  it.each([
    ['l7160', [7.25, 15.15], [66, 38.1]],
    ['l7159', [7.25, 12.9], [66, 33.9]],
    ['l7163', [4.65, 15.15], [101.6, 38.1]],
    ['l7173', [4.65, 6], [101.6, 57]],
    ['l7165', [4.65, 13.1], [101.6, 67.7]],
    ['5160', [4.7625, 12.7], [69.85, 25.4]],
  ])('%s has its labels where they are cut', (slug, [left, top], [across, down]) => {
    const sheet = sheetOf(slug);
    const first = positionOf(sheet, 0);
    expect(first.left).toBeCloseTo(left!, 3);
    expect(first.top).toBeCloseTo(top!, 3);
    const next = positionOf(sheet, sheet.columns + 1);
    expect(next.left - first.left).toBeCloseTo(across!, 3);
    expect(next.top - first.top).toBeCloseTo(down!, 3);
  });

  it('has no label beyond its paper', () => {
    for (const sheet of labelSheets) {
      const last = positionOf(sheet, sheet.columns * sheet.rows - 1);
      expect(last.left + sheet.width).toBeLessThan(papers[sheet.paper].width);
      expect(last.top + sheet.height).toBeLessThan(papers[sheet.paper].height);
    }
  });

  it('begins at the first free label, and is followed by full ones', () => {
    expect(sheetsOf([1, 2, 3, 4], 3, 2)).toEqual([
      [null, null, 1],
      [2, 3, 4],
    ]);
    expect(sheetsOf([1], 3, 0)).toEqual([[1]]);
    expect(sheetsOf([], 3, 2)).toEqual([]);
  });
});

describe('the address of a label', () => {
  const place = { kind: 'space', id: 'room', code: 'É 1&2' } as const;

  it('names the place by its id and its code', () => {
    const address = labelAddress('https://a.test', 'house', place);
    expect(address).toMatch(/^https:\/\/a\.test\/report\?building=house&space=room&code=/);
    expect(placeIn(new URL(address).searchParams)).toEqual({ buildingId: 'house', ...place });
  });

  it('leaves a long code out', () => {
    const address = labelAddress('https://a.test', 'house', { ...place, code: 'x'.repeat(25) });
    expect(address).toBe('https://a.test/report?building=house&space=room');
  });

  it('names none without a building or a place', () => {
    for (const query of ['', 'building=a', 'space=b', 'building=&space=b'])
      expect(placeIn(new URLSearchParams(query))).toBeNull();
  });
});
