/** CSV for spreadsheets. RFC 4180, contract.md section 3. */

export type Cell = string | number | boolean | null;

/** The names of the columns in order, and the value of each in a row. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>;

/** RFC 4180, section 2: lines end in CRLF, the last one too. */
const LINE_END = '\r\n';

/** The line with the names of the columns. */
export const csvHead = (columns: Columns<never>): string =>
  `${Object.keys(columns).join(',')}${LINE_END}`;

/** A row of it; `null` is an empty cell. */
export const csvLine = <Row>(columns: Columns<Row>): ((row: Row) => string) => {
  const columnsOfRow = Object.values(columns);
  return (row) => `${columnsOfRow.map((column) => written(column(row))).join(',')}${LINE_END}`;
};

/** A spreadsheet must not interpret a text as a formula, nor split it at its own separator. */
const written = (cell: Cell): string => {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const guarded = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return `"${guarded.replaceAll('"', '""')}"`;
};
