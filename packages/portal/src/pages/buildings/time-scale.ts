/** Axes and lines of a chart of readings. */
import type { Schemas } from '../../session/me.ts';

export type Bucket = Schemas['SampleBucket'];

export interface Span {
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
}

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** Padding above and below the values, as a share of their range. */
const AIR = 0.06;
/** The line is broken after this many buckets without readings. */
const GAP_MAX = 4;
const MARKS = 4;
/** Width of a time label with its margin, in pixels. */
const NAME_WIDTH = 64;

/** The range of the value axis, which is never empty. */
export const rangeOf = (
  buckets: readonly Pick<Bucket, 'min' | 'max'>[],
  threshold: number | null,
): readonly [low: number, high: number] => {
  let [low, high] = threshold === null ? [Infinity, -Infinity] : [threshold, threshold];
  for (const { min, max } of buckets) {
    low = Math.min(low, min);
    high = Math.max(high, max);
  }
  if (low > high) return [0, 1];
  const air = low === high ? Math.max(1, Math.abs(low) * AIR) : (high - low) * AIR;
  return [low - air, high + air];
};

const STEPS = [1, 2, 2.5, 5, 10];

/** Round numbers between two, about four of them. */
export const marksOf = (low: number, high: number): readonly number[] => {
  const least = (high - low) / MARKS;
  const size = 10 ** Math.floor(Math.log10(least));
  const step = STEPS.find((candidate) => candidate * size >= least)! * size;
  const first = Math.ceil(low / step);
  const count = Math.floor(high / step) - first + 1;
  // By multiplication: repeated addition of fractions drifts.
  return Array.from({ length: Math.max(0, count) }, (_, at) =>
    Number(((first + at) * step).toPrecision(12)),
  );
};

const TIME_STEPS = [1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS);
const DAY_STEPS = [1, 2, 7, 14, 30, 61, 122, 365].map((days) => days * DAY_MS);

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** The time labels below a chart: hours of the person's day, or days. */
export const timeMarks = (
  { from, to }: Span,
  width: number,
): readonly (readonly [at: number, name: string])[] => {
  const most = Math.max(1, Math.floor(width / NAME_WIDTH));
  const steps = [...TIME_STEPS, ...DAY_STEPS];
  const step = steps.find((candidate) => (to - from) / candidate <= most) ?? steps.at(-1)!;
  const midnight = new Date(from).setHours(0, 0, 0, 0);
  const marks: (readonly [number, string])[] = [];
  for (let at = midnight; at <= to; at = following(at, step)) {
    const isInside = at - from > (to - from) * 0.03 && to - at > (to - from) * 0.03;
    const isDay = new Date(at).getHours() === 0;
    if (isInside) marks.push([at, (isDay ? day : clock).format(at)]);
  }
  return marks;
};

/** The next mark, by the local calendar: days may have 23 or 25 hours. */
const following = (at: number, step: number): number => {
  const next = new Date(at);
  if (step >= DAY_MS) return next.setDate(next.getDate() + Math.round(step / DAY_MS));
  return next.setHours(next.getHours() + step / HOUR_MS);
};

/** SVG paths: the means, and the area from the lowest to the highest. */
export const linesOf = (
  buckets: readonly Bucket[],
  x: (at: number) => number,
  y: (value: number) => number,
  stepMs: number,
): { readonly line: string; readonly range: string } => {
  const runs: Bucket[][] = [];
  let last = -Infinity;
  for (const bucket of buckets) {
    const at = Date.parse(bucket.timestamp);
    if (at - last > GAP_MAX * stepMs) runs.push([]);
    runs.at(-1)!.push(bucket);
    last = at;
  }
  const place = (bucket: Bucket, value: number) =>
    `${x(Date.parse(bucket.timestamp)).toFixed(1)} ${y(value).toFixed(1)}`;
  const through = (run: readonly Bucket[], member: 'min' | 'mean' | 'max') =>
    run.map((bucket) => place(bucket, bucket[member])).join('L');
  return {
    // A single reading is a dot.
    line: runs.map((run) => `M${through(run, 'mean')}h0`).join(''),
    range: runs
      .map((run) => `M${through(run, 'max')}L${through(run.toReversed(), 'min')}Z`)
      .join(''),
  };
};
