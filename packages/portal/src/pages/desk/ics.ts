/**
 * Days off in a calendar file (iCalendar, RFC 5545): the dates of its all-day events. The file is
 * untrusted: everything read from it is bounded, and shown as text only.
 */

export const ICS_BYTES_MAX = 1_048_576;
/** Events that are read; the rest is ignored. */
export const ICS_EVENTS_MAX = 2_000;
/** Days that are returned; a calendar accepts fewer. */
export const ICS_DAYS_MAX = 2_000;
/** Days of one event: the longest holiday. */
const EVENT_DAYS_MAX = 62;
/**
 * Yearly events are expanded from their first year, or the current one, for this many more years.
 */
const YEARS_AHEAD = 5;
const SUMMARY_CHARACTERS_MAX = 100;
const LINES_MAX = 100_000;
const DAY_MS = 86_400_000;

export interface DayOff {
  /** `2026-12-25`. */
  readonly date: string;
  readonly summary: string;
}

export interface DaysOff {
  /** By date, each date once. */
  readonly days: readonly DayOff[];
  /** Events with a time of day, or with an unsupported recurrence. */
  readonly skipped: number;
  /** Whether the file exceeded a limit, so that part of it was ignored. */
  readonly isCut: boolean;
}

interface Property {
  readonly name: string;
  readonly parameters: string;
  readonly value: string;
}

type Event = ReadonlyMap<string, Property>;

/** Unfolds lines: one that begins with white space continues the previous one. */
const linesOf = (text: string): { readonly lines: readonly string[]; readonly isCut: boolean } => {
  const raw = text.split(/\r\n|\n|\r/, LINES_MAX);
  const lines: string[][] = [];
  for (const line of raw) {
    const last = lines.at(-1);
    if (/^[ \t]/.test(line) && last) last.push(line.slice(1));
    else lines.push([line]);
  }
  return { lines: lines.map((parts) => parts.join('')), isCut: raw.length === LINES_MAX };
};

/** `DTSTART;VALUE=DATE:20261225`. A quoted parameter may contain a colon. */
const LINE = /^([A-Za-z-]{1,40})((?:;(?:[^":;]|"[^"]*")*)*):(.*)$/;

const propertyIn = (line: string): Property | null => {
  const found = LINE.exec(line);
  if (!found) return null;
  const [, name = '', parameters = '', value = ''] = found;
  return { name: name.toUpperCase(), parameters: parameters.toUpperCase(), value: value.trim() };
};

/** The properties of events; nested components, such as alarms, are ignored. */
const eventsIn = (lines: readonly string[]): { events: readonly Event[]; isCut: boolean } => {
  const events: Event[] = [];
  const open: string[] = [];
  let event: Map<string, Property> | null = null;
  for (const line of lines) {
    const property = propertyIn(line);
    if (property === null) continue;
    const component = property.value.toUpperCase();
    if (property.name === 'BEGIN') {
      if (component === 'VEVENT' && event === null) {
        if (events.length >= ICS_EVENTS_MAX) return { events, isCut: true };
        event = new Map();
        open.length = 0;
      } else if (event !== null) open.push(component);
    } else if (property.name === 'END') {
      if (component === 'VEVENT' && event !== null && open.length === 0) {
        events.push(event);
        event = null;
      } else if (open.at(-1) === component) open.pop();
    } else if (event !== null && open.length === 0 && !event.has(property.name))
      event.set(property.name, property);
  }
  return { events, isCut: false };
};

/** The date in milliseconds, at midnight UTC; `null` if it is invalid. */
const dayIn = (property: Property | undefined): number | null => {
  const found = /^(\d{4})(\d{2})(\d{2})$/.exec(property?.value ?? '');
  if (!found) return null;
  const [year, month, day] = found.slice(1).map(Number) as [number, number, number];
  const at = Date.UTC(year, month - 1, day);
  const isDay = new Date(at).getUTCMonth() === month - 1 && new Date(at).getUTCDate() === day;
  return isDay && year >= 1970 ? at : null;
};

const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

const summaryOf = (event: Event): string =>
  (event.get('SUMMARY')?.value ?? '')
    .replaceAll(/\\([\\;,nN])/g, (_, letter: string) =>
      letter.toLowerCase() === 'n' ? ' ' : letter,
    )
    .slice(0, SUMMARY_CHARACTERS_MAX);

/** The first days of an event, one per year if it repeats; `null`: unsupported. */
const beginningsOf = (event: Event, first: number, thisYear: number): readonly number[] | null => {
  const rule = event.get('RRULE')?.value.toUpperCase();
  if (rule === undefined) return [first];
  const parts = new Map(rule.split(';').map((part) => part.split('=', 2) as [string, string]));
  const isKnown = [...parts.keys()].every((name) =>
    ['FREQ', 'INTERVAL', 'BYMONTH', 'BYMONTHDAY', 'UNTIL', 'WKST'].includes(name),
  );
  const start = new Date(first);
  const [month, day] = [start.getUTCMonth(), start.getUTCDate()];
  const isYearly =
    parts.get('FREQ') === 'YEARLY' &&
    (parts.get('INTERVAL') ?? '1') === '1' &&
    Number(parts.get('BYMONTH') ?? month + 1) === month + 1 &&
    Number(parts.get('BYMONTHDAY') ?? day) === day;
  if (!isKnown || !isYearly) return null;
  const until = dayIn({ name: '', parameters: '', value: (parts.get('UNTIL') ?? '').slice(0, 8) });
  const from = Math.max(start.getUTCFullYear(), thisYear);
  return Array.from({ length: YEARS_AHEAD + 1 }, (_, years) => Date.UTC(from + years, month, day))
    .filter((at) => new Date(at).getUTCDate() === day)
    .filter((at) => until === null || at <= until);
};

const daysOf = (event: Event, thisYear: number): readonly number[] | null => {
  const first = dayIn(event.get('DTSTART'));
  if (first === null) return null;
  const beginnings = beginningsOf(event, first, thisYear);
  if (beginnings === null) return null;
  // DTEND is exclusive; without it the event lasts one day.
  const end = dayIn(event.get('DTEND')) ?? first + DAY_MS;
  const count = Math.min(EVENT_DAYS_MAX, Math.max(1, Math.round((end - first) / DAY_MS)));
  return beginnings.flatMap((at) => Array.from({ length: count }, (_, day) => at + day * DAY_MS));
};

/**
 * Pure.
 *
 * @param thisYear Events that repeat yearly are expanded from this year on.
 * @throws {Error} with a sentence for a person, if the file is not a calendar.
 */
export const daysOffIn = (text: string, thisYear: number): DaysOff => {
  if (!/^\s*BEGIN:VCALENDAR/i.test(text.replace(/^\uFEFF/, '')))
    throw new Error('This is not a calendar file: it does not begin with BEGIN:VCALENDAR.');
  const { lines, isCut: hasMoreLines } = linesOf(text);
  const { events, isCut } = eventsIn(lines);
  const found = new Map<string, string>();
  let skipped = 0;
  for (const event of events) {
    const days = daysOf(event, thisYear);
    if (days === null) skipped += 1;
    for (const at of days ?? [])
      if (found.size < ICS_DAYS_MAX && !found.has(dateOf(at)))
        found.set(dateOf(at), summaryOf(event));
  }
  const days = [...found]
    .map(([date, summary]) => ({ date, summary }))
    .toSorted((a, b) => (a.date < b.date ? -1 : 1));
  return { days, skipped, isCut: isCut || hasMoreLines || found.size >= ICS_DAYS_MAX };
};
