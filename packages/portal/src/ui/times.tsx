/** Times as people read them; the exact one is in the title. */
import type { JSX } from 'preact';
import { timeNow } from './now.ts';

const UNITS = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const absolute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });

/** `3 hours ago`, `in 2 days`. */
export const fromNow = (at: string, now = timeNow()): string => {
  const seconds = (Date.parse(at) - now) / 1000;
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  return relative.format(Math.trunc(seconds / size), unit);
};

export const when = (at: string): string => absolute.format(new Date(at));

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });

/** `10:41`; of another day with its date. @param at Milliseconds since 1970. */
export const clockTime = (at: number): string => {
  const isToday = new Date(at).toDateString() === new Date(timeNow()).toDateString();
  return (isToday ? clock : absolute).format(at);
};

export const Ago = ({
  at,
  now,
}: {
  readonly at: string | null;
  /** Default: the platform's time. */
  readonly now?: number;
}): JSX.Element =>
  at === null ? (
    <span class="faint">never</span>
  ) : (
    <time dateTime={at} title={exact.format(new Date(at))}>
      {fromNow(at, now)}
    </time>
  );

export const At = ({ at }: { readonly at: string | null }): JSX.Element =>
  at === null ? (
    <span class="faint">–</span>
  ) : (
    <time dateTime={at} title={exact.format(new Date(at))}>
      {when(at)}
    </time>
  );

/** `1 h 20 min`, of milliseconds. */
export const span = (ms: number): string => {
  const minutes = Math.round(Math.abs(ms) / 60_000);
  const days = Math.floor(minutes / 1_440);
  const hours = Math.floor(minutes / 60) % 24;
  const parts = [days && `${days} d`, hours && `${hours} h`, minutes % 60 && `${minutes % 60} min`];
  return parts.filter(Boolean).slice(0, 2).join(' ') || '0 min';
};

/** For `<input type="datetime-local">`, in the person's own time zone. */
export const localInput = (at: Date): string => {
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
};

/** The value of such an input as the API accepts it; `null` if it is blank. */
export const instantOf = (input: string): string | null =>
  input === '' ? null : new Date(input).toISOString();
