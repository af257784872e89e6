import { styleText } from 'node:util';
import CliTable from 'cli-table3';
import { coloured, printable } from './text.ts';

export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Printed instead of a table without rows. */
  readonly empty: string;
}

const CELL_CHARACTERS_MAX = 60;

/** As `gh` and `docker` draw them: no lines, columns two blanks apart. */
export const drawn = ({ head, rows, empty }: Table): string => {
  if (rows.length === 0) return empty;
  const table = new CliTable({
    head: head.map((name) => styleText('bold', name.toUpperCase())),
    chars: NO_LINES,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
  });
  for (const row of rows) table.push(row.map((cell) => coloured(cut(printable(cell)))));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
};

const cut = (cell: string): string =>
  cell.length <= CELL_CHARACTERS_MAX ? cell : `${cell.slice(0, CELL_CHARACTERS_MAX - 1)}…`;

/** Every line that the library could draw. */
const LINES = `top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right
  left left-mid mid mid-mid right right-mid middle`;

const NO_LINES = Object.fromEntries(LINES.split(/\s+/).map((line) => [line, '']));
