/** The counts of an import, as rows of a table. contract.md section 6. */
import type { Schemas } from '../../session/me.ts';

export type Preview = Schemas['BuildingImportPreview'];

const KINDS = [
  ['storeys', 'Storeys'],
  ['spaces', 'Rooms'],
  ['elements', 'Elements'],
  ['points', 'Points'],
] as const;

export interface CountRow {
  readonly kind: string;
  /** Not in the building before. */
  readonly added: number;
  /** In the building before and after; with `replace` under a new id. */
  readonly updated: number;
  /** In the building before, and not after. */
  readonly removed: number;
}

/**
 * The counts of nodes as users see them. With `replace` the server counts a node that it creates
 * anew as one that is removed and one that is created.
 */
export const countRows = (
  { created, updated, removed, gone }: Pick<Preview, 'created' | 'updated' | 'removed' | 'gone'>,
  isReplaced: boolean,
): readonly CountRow[] =>
  KINDS.map(([key, kind]) => {
    if (!isReplaced)
      return { kind, added: created[key], updated: updated[key], removed: removed[key] };
    const kept = removed[key] - gone[key];
    return { kind, added: created[key] - kept, updated: kept, removed: gone[key] };
  });

export const isNothing = (rows: readonly CountRow[]): boolean =>
  rows.every(({ added, updated, removed }) => added + updated + removed === 0);

/** The data that was attached to removed nodes: `12 observations, 1 rule`. */
export const lostWords = (gone: Preview['gone']): string => {
  const kinds: readonly string[] = KINDS.map(([key]) => key);
  return Object.entries(gone)
    .filter(([kind, count]) => !kinds.includes(kind) && count > 0)
    .map(([kind, count]) => `${count.toLocaleString('en')} ${wordsOfMember(kind)}`)
    .join(', ');
};

const wordsOfMember = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

export interface Difference {
  readonly what: string;
  readonly expected: number;
  readonly actual: number;
}

/** Differences between an import and its dry run: the building was changed in between. */
export const differences = (
  expected: Preview,
  actual: Preview,
  isReplaced: boolean,
): readonly Difference[] => {
  const before = countRows(expected, isReplaced);
  const counts = countRows(actual, isReplaced).flatMap((row, at) =>
    (['added', 'updated', 'removed'] as const).map((column) => ({
      what: `${row.kind}, ${column}`,
      expected: before[at]![column],
      actual: row[column],
    })),
  );
  const outlines = (['spaces', 'without'] as const).map((member) => ({
    what: member === 'spaces' ? 'Rooms with an outline' : 'Rooms without an outline',
    expected: expected.outlines[member],
    actual: actual.outlines[member],
  }));
  return [...counts, ...outlines].filter(({ expected, actual }) => expected !== actual);
};
