/**
 * A finished day of a series in one row. Both parts have a compact and a general form, and decoding
 * restores every bit:
 *
 * - times are a regular grid with gaps, or are listed one by one;
 * - values that are decimal fractions near each other are stored as two-byte integers, counted from
 *   `base` and divided by `divisor`; others are doubles.
 */

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
  readonly divisor: number | null;
  readonly base: number | null;
  /** A `null` in it: no sample at this point of the grid. */
  readonly packed: readonly (number | null)[] | null;
  readonly exact: readonly (number | null)[] | null;
}

/**
 * @param samples At least one, by time, no time twice, values finite.
 */
export const sealedDayOf = (samples: readonly DaySample[]): SealedDay => {
  const { firstMs, stepMs, places } = gridOf(samples);
  const values = spread(samples, firstMs, stepMs, places);
  if (stepMs !== null) return sealedGridOf({ firstMs, stepMs, values });
  const offsetsMs = samples.map(({ ms }) => ms);
  return { firstMs, stepMs, offsetsMs, ...keptValues(values) };
};

/** A day whose samples are a grid already. A `null` in `values`: no sample. */
export const sealedGridOf = ({
  firstMs,
  stepMs,
  values,
}: {
  readonly firstMs: number;
  readonly stepMs: number;
  readonly values: readonly (number | null)[];
}): SealedDay => ({ firstMs, stepMs, offsetsMs: null, ...keptValues(values) });

const keptValues = (values: readonly (number | null)[]) => {
  const small = packedOf(values);
  return small === null
    ? { divisor: null, base: null, packed: null, exact: values }
    : { ...small, exact: null };
};

/** The reverse of {@link sealedDayOf}. */
export const samplesOf = (day: SealedDay): readonly DaySample[] => {
  const { firstMs, stepMs, offsetsMs, divisor, base, packed, exact } = day;
  return (exact ?? packed!).flatMap((kept, place) =>
    kept === null
      ? []
      : [
          {
            ms: offsetsMs?.[place] ?? firstMs + place * stepMs!,
            value: exact ? kept : (base! + kept) / divisor!,
          },
        ],
  );
};

/** For a time that both have, the sample of `later` wins. */
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
): readonly (number | null)[] => {
  if (stepMs === null || places === samples.length) return samples.map(({ value }) => value);
  const values = Array.from<number | null>({ length: places }).fill(null);
  for (const { ms, value } of samples) values[(ms - firstMs) / stepMs] = value;
  return values;
};

/** `null` if two bytes are too few, or the values are no short decimal fractions. */
const packedOf = (values: readonly (number | null)[]) => {
  for (const divisor of DIVISORS) {
    const whole = wholeNumbers(values, divisor);
    if (whole === null) continue;
    let [min, max] = [Infinity, -Infinity];
    for (const value of whole) {
      if (value === null) continue;
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
    if (max - min > 2 * INT16_MAX) return null;
    const base = min + INT16_MAX;
    return { divisor, base, packed: whole.map((value) => (value === null ? null : value - base)) };
  }
  return null;
};

const wholeNumbers = (
  values: readonly (number | null)[],
  divisor: number,
): readonly (number | null)[] | null => {
  const whole: (number | null)[] = [];
  for (const value of values) {
    if (value === null) {
      whole.push(null);
      continue;
    }
    const number = Math.round(value * divisor);
    // Above it, adding a base would round.
    if (Math.abs(number) > WHOLE_MAX || number / divisor !== value) return null;
    whole.push(number);
  }
  return whole;
};

const greatestCommonDivisor = (a: number, b: number): number => {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
};

const DIVISORS = [1, 10, 100, 1_000, 10_000];
const INT16_MAX = 32_767;
const WHOLE_MAX = Number.MAX_SAFE_INTEGER - 4 * INT16_MAX;
const DAY_MS = 24 * 60 * 60 * 1000;
