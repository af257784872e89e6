import { describe, expect, it } from 'vitest';
import { withOriginals } from '../../../src/domain/tickets/imported.ts';

const originals = {
  originalNumber: 'WO-1',
  originalCreatedAt: '2024-05-13T08:30:00Z',
  originalClosedAt: null,
};

describe('metadata of an imported ticket', () => {
  it("has the original's data under `imported`", () =>
    expect(withOriginals({ a: 1 }, originals)).toEqual({
      a: 1,
      imported: { originalNumber: 'WO-1', originalCreatedAt: '2024-05-13T08:30:00Z' },
    }));

  it('is as it was where nothing is known', () =>
    expect(withOriginals({ a: 1 }, { originalNumber: null })).toEqual({ a: 1 }));

  it('keeps further members of an earlier import', () =>
    expect(
      withOriginals({ imported: { originalNumber: '7', from: 'x' } }, { originalNumber: '8' }),
    ).toEqual({ imported: { originalNumber: '8', from: 'x' } }));

  it.each([null, 'text', 3, [1]])('replaces %j', (imported) =>
    expect(withOriginals({ imported }, { originalNumber: '8' })).toEqual({
      imported: { originalNumber: '8' },
    }),
  );
});
