/** Working time of a day, as intervals in minutes since midnight. */

export type Interval = readonly [from: number, until: number];
export type Written = [from: string, until: string];

export const DAY_MINUTES = 1_440;

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

const two = (value: number): string => String(value).padStart(2, '0');

export const timeOf = (minute: number): string =>
  `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;

export const minutesIn = (day: readonly (readonly string[])[] | undefined): readonly Interval[] =>
  (day ?? []).map(([from = '', until = '']) => [minuteOf(from), minuteOf(until)]);

export const writtenDay = (intervals: readonly Interval[]): Written[] =>
  intervals.map(([from, until]) => [timeOf(from), timeOf(until)]);

/** Adds an interval, merged with those that it touches. */
export const opened = (day: readonly Interval[], [from, until]: Interval): readonly Interval[] => {
  const touched = day.filter(([a, b]) => a <= until && b >= from);
  const whole: Interval = [
    Math.min(from, ...touched.map(([a]) => a)),
    Math.max(until, ...touched.map(([, b]) => b)),
  ];
  return [...day.filter((interval) => !touched.includes(interval)), whole].toSorted(
    ([a], [b]) => a - b,
  );
};

export const closed = (day: readonly Interval[], [from, until]: Interval): readonly Interval[] =>
  day.flatMap(([a, b]): readonly Interval[] => {
    if (b <= from || a >= until) return [[a, b]];
    const left: Interval[] = [];
    if (a < from) left.push([a, from]);
    if (b > until) left.push([until, b]);
    return left;
  });

/** The working minutes within the slot. */
export const within = (day: readonly Interval[], [from, until]: Interval): number =>
  day.reduce((sum, [a, b]) => sum + Math.max(0, Math.min(b, until) - Math.max(a, from)), 0);

const SPAN = /^(\d{1,2})(?:[:.](\d{2}))?\s*(?:-|–|to)\s*(\d{1,2})(?:[:.](\d{2}))?$/;

/**
 * Parses `9-12, 13:00–17:00`; a blank text is a day without hours.
 *
 * @returns the error as a sentence if it cannot be parsed.
 */
export const spokenDay = (text: string): readonly Interval[] | string => {
  const parts = text.split(',').map((part) => part.trim());
  const intervals: Interval[] = [];
  for (const part of parts.filter(Boolean)) {
    const found = SPAN.exec(part);
    if (!found) return `“${part}” is not a time range such as 09:00–17:00`;
    const [, fromHour, fromMinute = '0', untilHour, untilMinute = '0'] = found;
    const from = Number(fromHour) * 60 + Number(fromMinute);
    const until = Number(untilHour) * 60 + Number(untilMinute);
    if (Number(fromMinute) > 59 || Number(untilMinute) > 59 || until > DAY_MINUTES)
      return `“${part}” is not within a day`;
    if (until <= from) return `“${part}” ends before it begins`;
    intervals.push([from, until]);
  }
  const sorted = intervals.toSorted(([a], [b]) => a - b);
  const overlaps = sorted.some(([from], at) => at > 0 && from < sorted[at - 1]![1]);
  return overlaps ? 'Two time ranges overlap' : sorted;
};

export const dayWords = (day: readonly Interval[]): string =>
  day.map(([from, until]) => `${timeOf(from)}–${timeOf(until)}`).join(', ');
