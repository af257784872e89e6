/** Three-way merges of the portal's forms. */
import { describe, expect, it } from 'vitest';
import { fresh, restarted } from '../packages/portal/src/form-content.ts';
import { mergeOrder, mergeRecords, mergeTexts } from '../packages/portal/src/merge.ts';
import { mergeConfigurations } from '../packages/portal/src/pages/desk/sections.ts';
import { rebased } from '../packages/portal/src/rebased.ts';

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

describe('a form', () => {
  const opened = { subject: 'Tap', description: 'Drips.', category: 'water' };
  const sent = { ...opened, description: 'Drips, mine.' };
  const typedSince = { ...sent, description: 'Drips, mine and more.' };
  const form = { ...fresh(opened, 1), values: sent };
  const texts = ['description'] as const;
  const theirs = { values: { ...opened, description: 'Theirs.' }, revision: 2 };

  describe('whose command has succeeded', () => {
    const merged = { ...sent, category: 'taps' };

    it('begins with the stored record', () =>
      expect(restarted(form, sent, merged, 3)).toMatchObject({
        base: merged,
        revision: 3,
        values: merged,
      }));

    it('keeps input typed since on what was sent: the next command merges what others did', () =>
      expect(restarted({ ...form, values: typedSince }, sent, merged, 3)).toMatchObject({
        base: sent,
        revision: 1,
        values: typedSince,
      }));

    it('keeps input typed since on a new record', () =>
      expect(restarted({ ...form, values: typedSince }, sent, opened, null)).toMatchObject({
        base: opened,
        revision: null,
        values: typedSince,
      }));
  });

  describe('on a newer record', () => {
    const conflict = {
      name: 'description',
      mine: 'Drips, mine.',
      theirs: 'Theirs.',
      merged: 'Drips, mine.\nTheirs.',
    };

    it('proposes a merged text where both have changed it', () =>
      expect(rebased(form, theirs, texts)).toEqual({
        base: theirs.values,
        revision: 2,
        values: { ...sent, description: conflict.merged },
        conflicts: [conflict],
      }));

    it('merges what was typed since the command was sent', () =>
      expect(rebased({ ...form, values: typedSince }, theirs, texts)).toMatchObject({
        values: { description: 'Drips, mine and more.\nTheirs.' },
        conflicts: [{ mine: 'Drips, mine and more.' }],
      }));

    /** Their description is chosen, then they change the category, which is changed here too. */
    const second = (description: string) =>
      rebased(
        {
          ...rebased(form, theirs, texts),
          values: { ...theirs.values, category: 'mine' },
        },
        { values: { ...opened, description, category: 'theirs' }, revision: 3 },
        texts,
      );

    it('keeps an earlier conflict, whose other text is not lost', () =>
      expect(second('Theirs.').conflicts).toEqual([
        { name: 'category', mine: 'mine', theirs: 'theirs', merged: null },
        conflict,
      ]));

    it('shows their newest text in an earlier conflict, without a merged one of before', () => {
      const { values, conflicts } = second('Theirs again.');
      expect(values.description).toBe('Theirs again.');
      expect(conflicts[1]).toEqual({ ...conflict, theirs: 'Theirs again.', merged: null });
    });
  });
});
