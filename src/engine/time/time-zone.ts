/** Time zones of the IANA database, as this machine knows them. Pure. */
import { DAY_MS, MINUTE_MS } from './calendar.ts';

/** Whether this machine knows the zone. */
export const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) instanceof Intl.DateTimeFormat;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
};

/**
 * The zone's offset from UTC at a moment, in milliseconds: wall clock minus UTC. One due time needs
 * it for thousands of moments, so it parses one text and not the parts of a date.
 */
export const offsetsOf = (timeZone: string): ((moment: number) => number) => {
  const formatter = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  return (moment) => {
    const [, sign, hours, minutes, seconds = '0'] = OFFSET.exec(formatter.format(moment)) ?? [];
    if (sign === undefined) return 0;
    const ahead = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS + Number(seconds) * 1000;
    return sign === '+' ? ahead : -ahead;
  };
};

/** `1/15/2027, GMT+01:00`; `GMT` alone where there is none. Old local times have seconds. */
const OFFSET = /GMT([+-])(\d{2}):(\d{2})(?::(\d{2}))?$/;

/**
 * The first millisecond for which `holds`, given that it does not at `before` and does at `after`.
 */
export const firstWith = (
  holds: (moment: number) => boolean,
  before: number,
  after: number,
): number => {
  let [no, yes] = [before, after];
  while (yes - no > 1) {
    const middle = Math.floor((no + yes) / 2);
    if (holds(middle)) yes = middle;
    else no = middle;
  }
  return yes;
};

/** Days of a zone, counted from 1970-01-01 of its wall clock. */
export interface LocalDays {
  /** The day that the wall clock shows at a moment. */
  dayAt(moment: number): number;
  /**
   * The first millisecond of a day. Where a change of clocks skips midnight, the day begins at the
   * change; a day that the zone skipped as a whole begins where the next one does.
   */
  startOf(day: number): number;
}

export const localDays = (timeZone: string): LocalDays => {
  const offsetAt = offsetsOf(timeZone);
  const dayAt = (moment: number) => Math.floor((moment + offsetAt(moment)) / DAY_MS);
  return {
    dayAt,
    startOf(day) {
      const midnight = day * DAY_MS;
      const [before, after] = [offsetAt(midnight - DAY_MS), offsetAt(midnight + DAY_MS)];
      if (before === after) return midnight - before;
      return firstWith((moment) => dayAt(moment) >= day, midnight - DAY_MS, midnight + DAY_MS);
    },
  };
};
