/** The yearly growth on docs/operating/sizing.md follows from its bytes and customers. */
import { expect, it } from 'vitest';
import { text } from './support/sources.ts';

const page = text('docs/operating/sizing.md');

/** The rows of the table with this head, by their first cell. */
const tableOf = (head: string): ReadonlyMap<string, readonly string[]> => {
  const [, rest] = page.split(`| ${head} |`);
  if (rest === undefined) throw new Error(`there is no table ${head}`);
  const [body] = rest.split('\n\n');
  const rows = [...body!.matchAll(/^\| (.+) \|$/gm)].map(([, row]) => row!.split(/ ?\| ?/));
  return new Map(rows.map(([name, ...cells]) => [name!.trim(), cells]));
};

const YEAR_DAYS = 365;

/** The bytes after a year of one item of a kind per day. */
const bytesAYear = (kind: string): number =>
  [...tableOf('what | bytes each | days')]
    .filter(([what]) => what.startsWith(`${kind}: `))
    .reduce((sum, [, [bytes, days]]) => {
      const kept = days === '' ? YEAR_DAYS : Math.min(YEAR_DAYS, Number(days));
      return sum + Number(bytes) * kept;
    }, 0);

const kinds = {
  tickets: 'ticket',
  uses: 'use of a key',
  samples: 'sample',
  deliveries: 'delivery',
} as const;

it('has the total of the measured bytes for each size of customer', () => {
  const days = tableOf('a day | small | medium | large');
  const columns = Object.entries(kinds).map(([name, kind]) =>
    days.get(name)!.map((count) => (Number(count) * bytesAYear(kind)) / 1e9),
  );
  const together = [0, 1, 2].map((at) => columns.reduce((sum, column) => sum + column[at]!, 0));
  const printed = (row: readonly number[]) => row.map((gb) => gb.toFixed(2));
  const shown = tableOf('GB after a year | small | medium | large');
  expect(Object.keys(kinds).map((name) => shown.get(name))).toEqual(columns.map(printed));
  expect(shown.get('together')).toEqual(printed(together));
});
