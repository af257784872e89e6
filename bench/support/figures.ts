import { appendFileSync } from 'node:fs';

/** A measured value that `npm run bench` prints beside its bar, and compares between commits. */
export interface Figure {
  /** Unique among the figures of its benchmark. */
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly better: 'more' | 'less';
  /** The least value that is good enough where more is better, else the greatest. */
  readonly bar?: number | undefined;
}

/** Where `npm run bench` reads them: the environment variable names a file, one figure a line. */
export const FIGURES_FILE = 'BENCH_FIGURES';

/** Records what was measured; without `npm run bench` it does nothing. */
export const recordFigures = (...figures: readonly Figure[]): void => {
  const file = process.env[FIGURES_FILE];
  if (file === undefined) return;
  appendFileSync(file, figures.map((figure) => `${JSON.stringify(figure)}\n`).join(''));
};

/** Of the server and of Postgres. */
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

/** The middle value; of an even number of them, the lower of the two. */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[(sorted.length - 1) >> 1] ?? Number.NaN;
};

/** The value below which `share` (0 to 1) of them lie. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};
