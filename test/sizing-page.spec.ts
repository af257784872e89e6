/** The growth in a year on docs/operating/sizing.md is what its bytes and its customers come to. */
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

/** What one of a kind, every day, has come to after a year, in bytes. */
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

it('says of each size of customer what the measured bytes come to', () => {
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
