/** Three-way merges of the portal's forms. */
import { describe, expect, it } from 'vitest';
import { mergeOrder, mergeRecords, mergeTexts } from '../packages/portal/src/merge.ts';
import { mergeConfigurations } from '../packages/portal/src/pages/desk/sections.ts';

describe('two changes of one record', () => {
  const base = { subject: 'Tap', priority: 'low', category: 'water' };

  it('are merged where they change different members', () =>
    expect(
      mergeRecords(base, { ...base, subject: 'Tap drips' }, { ...base, priority: 'high' }),
    ).toEqual({
      values: { subject: 'Tap drips', priority: 'high', category: 'water' },
      conflicts: [],
    }));

  it('are no conflict where they are equal, in whatever order of members', () =>
    expect(
      mergeRecords<object>({ a: [] }, { a: [{ x: 1, y: 2 }] }, { a: [{ y: 2, x: 1 }] }),
    ).toMatchObject({ conflicts: [] }));

  it('are a conflict where they change the same member differently', () =>
    expect(
      mergeRecords(base, { ...base, priority: 'high' }, { ...base, priority: 'critical' }),
    ).toMatchObject({ values: { priority: 'high' }, conflicts: ['priority'] }));

  it('are a conflict where one removes what the other changes', () =>
    expect(mergeRecords<object>({ a: 1 }, {}, { a: 2 }).conflicts).toEqual(['a']));
});

describe('two orders of one list', () => {
  const merged = (...lists: readonly [base: string, mine: string, theirs: string]) => {
    const [base, mine, theirs] = lists.map((list) => list.split(''));
    return mergeOrder(base!, mine!, theirs!)?.join('');
  };

  it.each([
    ['only theirs has moved', 'ab', 'ab', 'cba', 'cba'],
    ['only mine has moved', 'ab', 'ba', 'abc', 'bca'],
    ['theirs has moved, mine has added', 'ab', 'abm', 'cba', 'cbma'],
    ['mine has added the first', 'ab', 'mab', 'ba', 'mba'],
    ['both have added', 'ab', 'abm', 'abt', 'abmt'],
    ['both have moved alike', 'ab', 'ba', 'ba', 'ba'],
  ])('are merged: %s', (_, base, mine, theirs, order) =>
    expect(merged(base, mine, theirs)).toBe(order),
  );

  it('are not merged where both have moved differently', () =>
    expect(merged('abc', 'bac', 'acb')).toBeUndefined());

  it("are merged for routing rules: a colleague's order stays", () => {
    const deskOf = (...rules: readonly (readonly [ruleId: string, name: string])[]) => ({
      slaPolicies: [],
      calendars: {},
      routingRules: rules.map(([ruleId, name]) => ({ ruleId, name, match: {} })),
      workflows: [],
    });
    const [base, mine] = [
      deskOf(['water', 'Water'], ['light', 'Light']),
      deskOf(['water', 'Water!'], ['light', 'Light']),
    ];
    const theirs = deskOf(['gas', 'Gas'], ['light', 'Light'], ['water', 'Water']);
    const both = mergeConfigurations(base, mine, theirs);
    expect(JSON.parse(both.conflicts[0]!.merged!)).toEqual([
      { match: {}, ruleId: 'gas', name: 'Gas' },
      { match: {}, ruleId: 'light', name: 'Light' },
      { match: {}, ruleId: 'water', name: 'Water!' },
    ]);
    const three = [
      ['a', 'A'],
      ['b', 'B'],
      ['c', 'C'],
    ] as const;
    const [a, b, c] = three;
    const open = mergeConfigurations(deskOf(a, b, c), deskOf(b, a, c), deskOf(a, c, b));
    expect(open.conflicts[0]!.merged).toBeNull();
  });
});

describe('two changes of one text', () => {
  const text = (...lines: string[]) => lines.join('\n');

  it.each([
    ['other lines', 'mine\nb\nc', 'a\nb\ntheirs', 'mine\nb\ntheirs'],
    ['only mine', 'a\nmine\nc', 'a\nb\nc', 'a\nmine\nc'],
    ['only theirs', 'a\nb\nc', 'a\nb\nc\ntheirs', 'a\nb\nc\ntheirs'],
    ['the same change', 'a\nx\nc', 'a\nx\nc', 'a\nx\nc'],
    ['one removes, the other appends', 'a\nc', 'a\nb\nc\nd', 'a\nc\nd'],
  ])('are merged by line: %s', (_, mine, theirs, merged) =>
    expect(mergeTexts(text('a', 'b', 'c'), mine, theirs)).toBe(merged),
  );

  it('keep both where they change the same lines, mine first', () =>
    expect(mergeTexts('a\nb\nc', 'a\nmine\nc', 'a\ntheirs\nc')).toBe('a\nmine\ntheirs\nc'));

  it('have no proposal where they are too long to compare', () => {
    const long = Array.from({ length: 3_000 }, (_, at) => String(at)).join('\n');
    expect(mergeTexts(long, `${long}\nmine`, `${long}\ntheirs`)).toBe(null);
  });
});
