import { appendFileSync } from 'node:fs';

/** A measured value that `npm run bench` prints beside its bar, and compares between commits. */
export interface Figure {
  /** Unique among the figures of its benchmark. */
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly better: 'more' | 'less';
  /** The lowest acceptable value if more is better, else the highest. */
  readonly bar?: number | undefined;
}

/** Environment variable with the file from which `npm run bench` reads figures, one per line. */
export const FIGURES_FILE = 'BENCH_FIGURES';

/** Records figures for `npm run bench`; otherwise does nothing. */
export const recordFigures = (...figures: readonly Figure[]): void => {
  const file = process.env[FIGURES_FILE];
  if (file === undefined) return;
  appendFileSync(file, figures.map((figure) => `${JSON.stringify(figure)}\n`).join(''));
};

/** CPU figures of the server and of Postgres. */
export const cpuFigures = (
  name: string,
  { nodeUs, postgresUs }: { readonly nodeUs: number; readonly postgresUs: number | null },
  bars: { readonly nodeUs?: number; readonly postgresUs?: number } = {},
): readonly Figure[] => {
  const of = (part: string, value: number, bar: number | undefined): Figure => ({
    name: `${name}: CPU ${part}`,
    value,
    unit: 'µs',
    better: 'less',
    bar,
  });
  return [
    of('of the server', nodeUs, bars.nodeUs),
    ...(postgresUs === null ? [] : [of('of Postgres', postgresUs, bars.postgresUs)]),
  ];
};

/** The median; for an even number of values, the lower of the two. */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[(sorted.length - 1) >> 1] ?? Number.NaN;
};

/** The quantile: `share` (0 to 1) of the values are below it. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};
