/**
 * A finished day of a series in one row. Times and values have a compact and a general form each,
 * and the row restores every bit:
 *
 * - times are a regular grid with gaps, or are listed one by one;
 * - values that are decimal fractions near each other are stored as two-byte integers
 *   ({@link Packing}), others as doubles.
 */
import { DAY_MS } from '../../engine/time/calendar.ts';

/** A sample of a day: milliseconds since the day began (UTC), and the value. */
export interface DaySample {
  readonly ms: number;
  readonly value: number;
}

export interface SealedDay {
  readonly firstMs: number;
  /** Interval of the grid; `null` if `offsetsMs` lists the times. */
  readonly stepMs: number | null;
  readonly offsetsMs: readonly number[] | null;
  /** NaN: no sample at this point of the grid. */
  readonly values: Float64Array;
  /** `null`: the values are stored as doubles. */
  readonly packing: Packing | null;
}

/** How values are stored as two-byte integers: counted from `base` in units of 1 / `divisor`. */
export interface Packing {
  readonly divisor: number;
  readonly base: number;
}

export const packed = (value: number, { divisor, base }: Packing): number =>
  Math.round(value * divisor) - base;

/** The reverse of {@link packed}. */
export const unpacked = (integer: number, { divisor, base }: Packing): number =>
  (base + integer) / divisor;

/**
 * @param samples At least one, by time, no time twice, values finite.
 */
export const sealedDayOf = (samples: readonly DaySample[]): SealedDay => {
  const { firstMs, stepMs, places } = gridOf(samples);
  const values = spread(samples, firstMs, stepMs, places);
  const offsetsMs = stepMs === null ? samples.map(({ ms }) => ms) : null;
  return { firstMs, stepMs, offsetsMs, values, packing: packingOf(values) };
};

/** A day whose samples are a grid already. NaN in `values`: no sample. */
export const sealedGridOf = (
  grid: Pick<SealedDay, 'firstMs' | 'values'> & { readonly stepMs: number },
): SealedDay => ({ ...grid, offsetsMs: null, packing: packingOf(grid.values) });

/** The reverse of {@link sealedDayOf}. */
export const samplesOf = ({
  firstMs,
  stepMs,
  offsetsMs,
  values,
}: Omit<SealedDay, 'packing'>): readonly DaySample[] => {
  const samples: DaySample[] = [];
  for (const [place, value] of values.entries()) {
    if (Number.isNaN(value)) continue;
    samples.push({ ms: offsetsMs?.[place] ?? firstMs + place * stepMs!, value });
  }
  return samples;
};

/** The union; for a time that both contain, the sample of `later` wins. */
export const mergedSamples = (
  earlier: readonly DaySample[],
  later: readonly DaySample[],
): readonly DaySample[] => {
  const byTime = new Map([...earlier, ...later].map((sample) => [sample.ms, sample]));
  return [...byTime.values()].toSorted((a, b) => a.ms - b.ms);
};

/** A grid pays off while at most half of it is empty. */
const gridOf = (samples: readonly DaySample[]) => {
  const firstMs = samples[0]!.ms;
  const spanMs = samples.at(-1)!.ms - firstMs;
  let step = 0;
  for (const { ms } of samples) step = greatestCommonDivisor(ms - firstMs, step);
  const stepMs = step === 0 ? DAY_MS : step;
  const places = spanMs / stepMs + 1;
  return places <= 2 * samples.length
    ? { firstMs, stepMs, places }
    : { firstMs, stepMs: null, places: samples.length };
};

const spread = (
  samples: readonly DaySample[],
  firstMs: number,
  stepMs: number | null,
  places: number,
): Float64Array => {
  if (stepMs === null || places === samples.length)
    return Float64Array.from(samples, ({ value }) => value);
  const values = new Float64Array(places).fill(Number.NaN);
  for (const { ms, value } of samples) values[(ms - firstMs) / stepMs] = value;
  return values;
};

/** `null` if two bytes are too few, or the values are no short decimal fractions. */
const packingOf = (values: Float64Array): Packing | null => {
  for (const divisor of DIVISORS) {
    const range = wholeNumbers(values, divisor);
    if (range === null) continue;
    const { min, max } = range;
    return max - min > 2 * INT16_MAX ? null : { divisor, base: min + INT16_MAX };
  }
  return null;
};

/** The range of the values in units of 1 / `divisor`; `null` if one of them is not whole. */
const wholeNumbers = (values: Float64Array, divisor: number) => {
  let [min, max] = [Infinity, -Infinity];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    const whole = Math.round(value * divisor);
    // Above it, adding a base would round.
    if (Math.abs(whole) > WHOLE_MAX || whole / divisor !== value) return null;
    if (whole < min) min = whole;
    if (whole > max) max = whole;
  }
  return { min, max };
};

const greatestCommonDivisor = (a: number, b: number): number => {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
};

const DIVISORS = [1, 10, 100, 1_000, 10_000];
const INT16_MAX = 32_767;
const WHOLE_MAX = Number.MAX_SAFE_INTEGER - 4 * INT16_MAX;
