/** Prints the figures of `bench/run.ts`, and distinguishes a change from noise. */
import { median, type Figure } from './figures.ts';

/** `only …`: the other commit has no such figure. */
export type Moved = 'better' | 'worse' | 'within noise' | 'only before' | 'only after';

export interface Compared {
  readonly name: string;
  readonly unit: string;
  readonly before: readonly number[];
  readonly after: readonly number[];
  readonly moved: Moved;
}

/** Three significant digits; from a thousand, the whole number. */
const shown = (value: number): string =>
  Math.abs(value) >= 1_000
    ? Math.round(value).toLocaleString('en')
    : String(Number(value.toPrecision(3)));

const withUnit = (value: number, unit: string): string =>
  unit === '' || unit.startsWith('/') || unit === '×'
    ? `${shown(value)}${unit}`
    : `${shown(value)} ${unit}`;

const isHeld = ({ value, better, bar }: Figure): boolean | null =>
  bar === undefined ? null : better === 'more' ? value >= bar : value <= bar;

/** Rows of Markdown. */
export const figureTable = (command: string, figures: readonly Figure[]): string =>
  [
    `\n\`${command}\`\n`,
    '| figure | value | bar |',
    '|---|---|---|',
    ...figures.map((figure) => {
      const { name, value, unit, better, bar } = figure;
      const wanted =
        bar === undefined
          ? ''
          : `${better === 'more' ? '≥' : '≤'} ${withUnit(bar, unit)}: ` +
            (isHeld(figure) ? 'held' : '**missed**');
      return `| ${name} | ${withUnit(value, unit)} | ${wanted} |`;
    }),
  ].join('\n');

/**
 * Each figure of both commits by name. A figure has changed if the ranges of its values are
 * disjoint; ranges that touch are not.
 */
export const comparedFigures = (
  before: readonly Figure[],
  after: readonly Figure[],
): readonly Compared[] => {
  const names = [...new Set([...before, ...after].map(({ name }) => name))];
  return names.map((name) => {
    const of = (figures: readonly Figure[]) => figures.filter((figure) => figure.name === name);
    const [old, now] = [of(before), of(after)];
    const { unit, better } = (now[0] ?? old[0])!;
    const values = { before: old.map(({ value }) => value), after: now.map(({ value }) => value) };
    return { name, unit, ...values, moved: movedBetween(values.before, values.after, better) };
  });
};

const movedBetween = (
  before: readonly number[],
  after: readonly number[],
  better: Figure['better'],
): Moved => {
  if (before.length === 0) return 'only after';
  if (after.length === 0) return 'only before';
  const isMore = Math.min(...after) > Math.max(...before);
  const isLess = Math.max(...after) < Math.min(...before);
  if (!isMore && !isLess) return 'within noise';
  return isMore === (better === 'more') ? 'better' : 'worse';
};

/** Rows of Markdown: medians, and the range of each. */
export const comparisonTable = (compared: readonly Compared[]): string => {
  const cell = (values: readonly number[], unit: string) =>
    values.length === 0
      ? ''
      : `${withUnit(median(values), unit)} ` +
        `(${shown(Math.min(...values))} to ${shown(Math.max(...values))})`;
  return [
    '| figure | before | after | |',
    '|---|---|---|---|',
    ...compared.map(({ name, unit, before, after, moved }) => {
      const said = moved === 'worse' ? `**${moved}**` : moved;
      return `| ${name} | ${cell(before, unit)} | ${cell(after, unit)} | ${said} |`;
    }),
  ].join('\n');
};
