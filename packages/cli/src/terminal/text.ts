import { styleText } from 'node:util';

/** By the words of the API: green is well, yellow goes on, red is not well. */
export const coloured = (state: string): string => {
  const colour = colours[state];
  return colour === undefined ? state : styleText(colour, state);
};

const colours: Readonly<Record<string, 'green' | 'yellow' | 'red' | 'gray'>> = {
  ready: 'green',
  active: 'green',
  resolved: 'green',
  provisioning: 'yellow',
  waiting: 'yellow',
  high: 'yellow',
  failed: 'red',
  critical: 'red',
  revoked: 'gray',
  expired: 'gray',
  closed: 'gray',
  cancelled: 'gray',
};

/** Text of others without what would move the cursor or hide what it says. */
export const printable = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');

/** Names and values below each other, as a person reads a record. */
export const record = (values: Readonly<Record<string, string | null | undefined>>): string => {
  const shown = Object.entries(values).filter(
    (entry): entry is [string, string] => entry[1] !== null && entry[1] !== undefined,
  );
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown
    .map(([name, value]) => {
      const label = styleText('gray', name.padEnd(width));
      return `${label}  ${coloured(printable(value))}`;
    })
    .join('\n');
};

/** A time as people here read it, to the minute. */
export const localTime = (instant: string): string =>
  new Date(instant).toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' });
