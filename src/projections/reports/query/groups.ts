/** Assembles the rows of statements into series. Pure. */
import type { CountedRow, Weight } from './statements.ts';

/** `all`: every ticket; `none`: those without a group; `others`: of groups without a series. */
export type SeriesKind = 'all' | 'group' | 'none' | 'others';

export type Cells = CountedRow['cells'];

export interface CountedSeries {
  readonly kind: SeriesKind;
  /** The key of the group; `null` for a series that is not a single group. */
  readonly key: string | null;
  /** By interval; `null` for an interval without events. */
  readonly cells: readonly (Cells | null)[];
}

/** The groups of the largest total weight, largest first, ties by key; weights above zero only. */
export const largest = (weights: Iterable<Weight>, max: number): readonly string[] => {
  const totals = new Map<string, number>();
  for (const { key, weight } of weights) totals.set(key, (totals.get(key) ?? 0) + weight);
  return [...totals]
    .filter(([, weight]) => weight > 0)
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .slice(0, max)
    .map(([key]) => key);
};

/**
 * The series in the order of `keys`, then of tickets without a group, then of the rest.
 *
 * @param keys `null`: not grouped.
 */
export const seriesOf = (
  rows: Iterable<CountedRow>,
  keys: readonly string[] | null,
  intervals: number,
): readonly CountedSeries[] => {
  const cells = new Map<string, (Cells | null)[]>();
  const nameOf = (kind: SeriesKind, key: string | null) => `${kind} ${key ?? ''}`;
  for (const row of rows) {
    const kind = keys === null ? 'all' : row.none ? 'none' : row.key === null ? 'others' : 'group';
    const name = nameOf(kind, row.key);
    const series = cells.get(name) ?? Array.from<Cells | null>({ length: intervals }).fill(null);
    cells.set(name, series);
    series[row.interval] = row.cells;
  }
  const empty = () => Array.from<Cells | null>({ length: intervals }).fill(null);
  const always = keys === null ? [{ kind: 'all' as const, key: null }] : [];
  const groups = (keys ?? []).map((key) => ({ kind: 'group' as const, key }));
  const rest = (['none', 'others'] as const).map((kind) => ({ kind, key: null }));
  return [...always, ...groups, ...rest].flatMap(({ kind, key }) => {
    const found = cells.get(nameOf(kind, key));
    return found || kind === 'all' ? [{ kind, key, cells: found ?? empty() }] : [];
  });
};

/** Running totals of changes; the first cell holds the initial numbers. */
export const accumulated = ({ cells, ...series }: CountedSeries): CountedSeries => {
  const totals: Record<string, number> = {};
  const sums = cells.map((changes) => {
    for (const [name, change] of Object.entries(changes ?? {}))
      totals[name] = (totals[name] ?? 0) + Number(change);
    return { ...totals };
  });
  return { ...series, cells: sums.slice(1) };
};
