/**
 * Weather and occupancy of a day: the same for the same seed, time zone and time. People follow the
 * wall clock of the zone, the sun its standard time.
 */
import { DAY_MS, HOUR_MS } from '../../../engine/time/calendar.ts';
import { localDays, offsetsOf } from '../../../engine/time/time-zone.ts';
import { completed, type SandboxParameters } from '../parameters.ts';
import { hashOf, noiseAt } from './random.ts';

/** A moment, as every curve sees it. */
export interface Moment {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** Hour of the wall clock, 0 to 24. */
  readonly hour: number;
  /** Day of the wall clock, counted from 1970-01-01. */
  readonly day: number;
  /** The elapsed share of the day, which may have 23 or 25 hours. */
  readonly dayPart: number;
  /** Occupied share of the building, 0 to 1. */
  readonly occupancy: number;
  /** Occupancy as indoor air reflects it, with a delay. */
  readonly breathed: number;
  readonly outsideC: number;
  readonly outsideRh: number;
  /** W/m². */
  readonly sun: number;
  /** m/s. */
  readonly wind: number;
}

export type Climate = (atMs: number) => Moment;

export const climateOf = (parameters: SandboxParameters): Climate => {
  const { seed, occupancyProfile, timeZone } = completed(parameters);
  const wallClock = wallClockOf(timeZone);
  const standardMs = standardOffsetOf(timeZone);
  const weather = hashOf(seed, 'weather');
  const gusts = hashOf(seed, 'wind');
  const people = profiles[occupancyProfile];

  return (atMs) => {
    const { hour, day, dayPart } = wallClock(atMs);
    const sunMs = atMs + standardMs;
    const sunHour = (sunMs % DAY_MS) / HOUR_MS;
    const sunDay = Math.floor(sunMs / DAY_MS);
    const season = Math.cos((2 * Math.PI * (sunDay - 200)) / 365.25);
    const daily = 4 * Math.sin((2 * Math.PI * (sunHour - 9)) / 24);
    const outsideC = 10 + 9 * season + daily + 3 * noiseAt(weather, sunDay);
    const height = Math.sin((Math.PI * (sunHour - 6)) / 12);
    const cloud = 0.65 + 0.35 * noiseAt(weather, atMs / (3 * HOUR_MS));
    return {
      atMs,
      hour,
      day,
      dayPart,
      occupancy: people(hour, weekdayOf(day)),
      breathed: people(hour - 0.4, weekdayOf(day)),
      outsideC,
      outsideRh: clamp(72 - 1.2 * (outsideC - 10) + 8 * noiseAt(weather, atMs / HOUR_MS), 20, 100),
      sun: Math.max(0, height) * (500 + 350 * season) * cloud,
      wind: Math.max(0, 3.5 + 2.5 * noiseAt(gusts, atMs / HOUR_MS)),
    };
  };
};

const wallClockOf = (timeZone: string): ((atMs: number) => WallClock) => {
  if (timeZone === 'UTC')
    return (atMs) => ({
      hour: (atMs % DAY_MS) / HOUR_MS,
      day: Math.floor(atMs / DAY_MS),
      dayPart: (atMs % DAY_MS) / DAY_MS,
    });
  const days = localDays(timeZone);
  const offsetAt = offsetsOf(timeZone);
  return (atMs) => {
    const day = days.dayAt(atMs);
    const [start, end] = [days.startOf(day), days.startOf(day + 1)];
    const hour = (atMs + offsetAt(atMs) - day * DAY_MS) / HOUR_MS;
    return { hour, day, dayPart: (atMs - start) / (end - start) };
  };
};

type WallClock = Pick<Moment, 'hour' | 'day' | 'dayPart'>;

/** The offset from UTC outside of summer time, on either hemisphere. */
const standardOffsetOf = (timeZone: string): number => {
  if (timeZone === 'UTC') return 0;
  const offsetAt = offsetsOf(timeZone);
  return Math.min(offsetAt(Date.UTC(2026, 0, 1)), offsetAt(Date.UTC(2026, 6, 1)));
};

export const clamp = (value: number, min: number, max: number): number =>
  Math.min(max, Math.max(min, value));

/** 0 is Monday. 1 January 1970 was a Thursday. */
export const weekdayOf = (day: number): number => (day + 3) % 7;

export const isWorkday = (weekday: number): boolean => weekday < 5;

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

const bell = (x: number, width: number): number => Math.exp(-((x / width) ** 2));

/** Hour and weekday to occupancy. */
const profiles: Readonly<
  Record<SandboxParameters['occupancyProfile'], (hour: number, weekday: number) => number>
> = {
  'office-hours': (hour, weekday) =>
    isWorkday(weekday)
      ? clamp(
          sigmoid(4 * (hour - 8.25)) - sigmoid(3 * (hour - 17.75)) - 0.25 * bell(hour - 12.5, 0.6),
          0,
          1,
        )
      : 0.04,
  'peak-evenings': (hour, weekday) => {
    if (hour < 10 || hour >= 22) return 0.02;
    const busy = [1, 1, 1, 1, 1, 1.35, 1.1][weekday]!;
    return clamp(busy * (0.25 + 0.75 * bell(hour - 19, 2.2) + 0.35 * bell(hour - 13, 1.5)), 0, 1);
  },
  '24x7': (hour) =>
    Math.max(
      0.4,
      0.55 +
        0.1 * Math.sin((2 * Math.PI * (hour - 15)) / 24) +
        0.03 * Math.sin((Math.PI * hour) / 3),
    ),
};
